#!/usr/bin/env bash
# tutorial.sh PAGE PREFIX WORK LEFT_OUT [MODULE]: does what a page tells its reader to do, but for the sections whose headings
# match LEFT_OUT. Python has to have the module.
#
# In the page, a block "cpp NAME" or "python NAME" is the contents of a file, "sh" blocks are run in one shell, one after
# the other, and each line of a "text" block has to appear in what the block before printed, in this
# order ("…" stands for anything). Other blocks are only shown.
set -euo pipefail
page=$1 prefix=$2 work=$3 left_out=$4 module=${5:-sys}
rm -rf "$work"
mkdir -p "$work"
if ! python3 -c "import $module" 2>/dev/null; then
  /usr/bin/python3 -c "import $module" 2>/dev/null ||
    { echo "skipped: no Python with the module $module (Debian: python3-$module)"; exit 77; }
  mkdir "$work/bin"
  ln -s /usr/bin/python3 "$work/bin/python3"
  export PATH=$work/bin:$PATH
fi
sed "s|/opt/gradproof|$prefix|g" "$page" | awk -v work="$work" -v left_out="$left_out" '
  /^## / && !inside { out = $0 ~ left_out }
  out { next }
  /^```/ && !inside {
    inside = 1
    language = substr($1, 4)
    if (language == "sh" || language == "text") file = sprintf("%s/%02d.%s", work, ++blocks, language)
    else file = (language == "cpp" || language == "python") && $2 ? work "/" $2 : "/dev/null"
    next
  }
  /^```/ { inside = 0; close(file); next }
  inside { print > file }'

cd "$work"
shown=0
{
  echo "set -euo pipefail"
  for block in [0-9]*.sh; do echo "{ . ./$block; } > ${block%.sh}.out 2>&1"; done
} > all
bash all || { echo "a command failed:"; tail -n 30 -- *.out; exit 1; }
for expected in [0-9]*.text; do
  output=$(printf '%02d.out' $((10#${expected%.text} - 1)))
  from=1
  while IFS= read -r line; do
    pattern=$(sed 's/[][\.*^$]/\\&/g; s/…/.*/g' <<<"$line")
    at=$(grep -n -m 1 -- "$pattern" < <(tail -n +$from "$output") | cut -d : -f 1) || at=
    [ -n "$at" ] || { echo "$expected: no line '$line' in what was printed:"; cat "$output"; exit 1; }
    from=$((from + at))
    shown=$((shown + 1))
  done < "$expected"
done
[ $shown -gt 0 ] || { echo "the page compares nothing"; exit 1; }
