#!/usr/bin/env bash
# links.sh ROOT: each relative link of the pages leads to a file, and to a heading if it names one; and
# docs/index.md lists every page.
set -euo pipefail
export LC_ALL=C.UTF-8  # letters of all languages
cd "$1"
bad=0 links=0

# headings FILE: their anchors as GitHub makes them
headings() {
  grep -E '^#+ ' "$1" | sed -E 's/^#+ //; s/`//g' | tr '[:upper:]' '[:lower:]' | sed -E 's/[^[:alnum:] _-]//g; s/ /-/g'
}

for page in README.md README.zh.md CHANGELOG.md docs/*.md docs/zh/*.md; do
  while read -r link; do
    case $link in *://* | mailto:*) continue ;; esac
    links=$((links + 1))
    file=${link%%#*}
    target=$(dirname "$page")/$file
    [ -n "$file" ] || target=$page
    if [ ! -e "$target" ]; then
      echo "$page: $link is not there"
      bad=1
    elif [[ $link == *#* ]] && ! grep -qxF -- "${link#*#}" <<<"$(headings "$target")"; then
      echo "$page: $target has no heading #${link#*#}"
      bad=1
    fi
  done < <(sed '/^```/,/^```/d' "$page" | grep -oE '\]\([^) ]+\)' | sed 's/^](//; s/)$//')
done
[ $links -gt 30 ] || { echo "only $links links were found"; bad=1; }
for page in docs/*.md docs/zh/*.md; do
  name=${page#docs/}
  [ "$name" = index.md ] || grep -qF "]($name)" docs/index.md || { echo "docs/index.md does not list $name"; bad=1; }
done
exit $bad
