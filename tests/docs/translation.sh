#!/usr/bin/env bash
# translation.sh PAGE TRANSLATION: the same code blocks, tables of the same size and links to the same places, in the
# same order; a link to a translated page counts as one to the page. What a translation says is for people to judge, that it
# was not forgotten is not.
set -euo pipefail
parts() {
  local folder
  folder=$(dirname "$(readlink -f "$1")")
  awk '
    /^```/ { inside = !inside; print; next }
    inside { print; next }
    /^    [^ ]/ { print; next }
    /^#/ { match($0, /^#+/); print substr($0, 1, RLENGTH) " a heading"; next }
    /^[0-9]+\. / { print "a step"; next }
    /^- / { print "an item"; next }
    /^\|/ { print gsub(/\|/, "|") " cells"; next }' "$1"
  sed '/^```/,/^```/d' "$1" | grep -oE '\]\([^)]+\)' | sed -E 's/^..//; s/(#.*)?\)$//' | while read -r link; do
    case $link in
      *://*) echo "$link" ;;
      '') readlink -f "$1" ;;
      *) realpath -m "$folder/$link" ;;
    esac
  done | sed 's|/docs/zh/|/docs/|; s|README\.zh\.md|README.md|' | sort
}
[ "$(parts "$1" | wc -l)" -gt 15 ] || { echo "nothing to compare was found"; exit 1; }
diff <(parts "$1") <(parts "$2") || { echo "< $1, > $2"; exit 1; }
