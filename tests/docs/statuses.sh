#!/usr/bin/env bash
# statuses.sh PAGE INCLUDE OPT: the page's tables name each status of the headers with its number, once, and no
# other; and the table of those that are never answered has none that the library's sources name.
set -euo pipefail
declared=$(grep -rhoE '^static const (int|aclnnStatus) ACL[A-Z_]+ = [0-9]+' "$2" |
  sed -E 's/.* (ACL[A-Z_]+) = ([0-9]+)/\2 \1/' | sort)
# shellcheck disable=SC2016  # backticks of Markdown
named=$(awk -F '|' '/^\| [0-9]+ \| `ACL/ {
  n = split($3, names, ",")
  for (i = 1; i <= n; ++i) { gsub(/[` ]/, "", names[i]); print $2 + 0, names[i] }
}' "$1" | sort)
[ "$(wc -l <<<"$declared")" -gt 30 ] || { echo "the headers' statuses were not found"; exit 1; }
diff <(echo "$declared") <(echo "$named") || { echo "< declared, but not on the page; > the reverse"; exit 1; }
while read -r name; do
  ! grep -rw "$name" "$3" || { echo "$name is answered after all"; exit 1; }
done < <(sed -nE 's/^\| [0-9]+ \| `(ACL[A-Z_]+)` \|$/\1/p' "$1")
