#!/usr/bin/env bash
# translation.sh PAGE TRANSLATION: the same code blocks, tables of the same size and links to the same places, in the
# same order. What a translation says is for people to judge, that it was not forgotten is not.
set -euo pipefail
parts() {
  awk '
    /^```/ { inside = !inside; print; next }
    inside { print; next }
    /^#/ { match($0, /^#+/); print substr($0, 1, RLENGTH) " a heading"; next }
    /^\|/ { print gsub(/\|/, "|") " cells"; next }' "$1"
  sed '/^```/,/^```/d' "$1" | grep -oE '\]\([^)]+\)' | sed -E 's/#.*\)/)/' | grep -v 'README' | sort
}
[ "$(parts "$1" | wc -l)" -gt 100 ] || { echo "nothing to compare was found"; exit 1; }
diff <(parts "$1") <(parts "$2") || { echo "< $1, > $2"; exit 1; }
