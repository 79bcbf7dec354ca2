#!/usr/bin/env bash
# words.sh ROOT LIST: no page, comment, message or help text has a phrase of LIST, whose head says how it is written.
# A phrase is found across the line break of a wrapped sentence too.
set -euo pipefail
list=$(readlink -f "$2")
cd "$1"
bad=0 files=0 phrases=$(sed 's/#.*//; s/ *|.*//; /^ *$/d' "$list")
[ "$(wc -l <<<"$phrases")" -gt 10 ] || { echo "$list: only a few phrases"; exit 1; }
pattern=$(paste -sd '|' <<<"$phrases")

while read -r file; do
  files=$((files + 1))
  found=$(sed -E 's@^[[:space:]]*(//[/!]?<?|#+|\*|>)[[:space:]]*@@' "$file" | tr -s '\n ' ' ' | grep -oiwE "$pattern" | sort -uf) || continue
  while read -r phrase; do
    IFS='|' read -r _ instead allowed < <(grep -iE "^$phrase +\|" "$list")
    case " ${allowed-} " in *" $file "*) continue ;; esac
    line=$(grep -niwm 1 "$phrase" "$file" | cut -d : -f 1) || line='across lines'
    echo "$file:$line: '$phrase' is retired; use:$instead"
    bad=1
  done <<<"$found"
done < <(find . \( -path ./build -o -path ./.git -o -path ./corpus -o -path ./shared -o -path ./docs/results \) -prune -o -type f \( -name '*.md' \
  -o -name '*.h' -o -name '*.hpp' -o -name '*.cpp' -o -name '*.py' -o -name '*.sh' -o -name '*.cmake' -o -name CMakeLists.txt \
  -o -name run \) -print | sed 's|^\./||')
[ $files -gt 300 ] || { echo "only $files files were read"; bad=1; }
exit $bad
