#!/usr/bin/env bash
# covered.sh PAGE PREFIX: the table of docs/drop-in.md names every function of the C headers, and no other.
set -euo pipefail
page=$1 prefix=$2
declared=$(find "$prefix"/include/{acl,aclnn,aclnnop} -name '*.h' -exec sed 's,//.*,,' {} + |
  grep -oE '\b(aclnn[A-Z]|acl[A-Z]|aclrt[A-Z])[A-Za-z0-9]*\(' | tr -d '(' | sort -u)
# shellcheck disable=SC2016  # backticks of Markdown
named=$(grep -E '^\| `acl' "$page" | cut -d '|' -f 2 | grep -oE '[A-Za-z0-9]+' | sort)
twice=$(uniq -d <<<"$named")
[ -z "$twice" ] || { echo "named twice:"; echo "$twice"; exit 1; }
diff <(echo "$declared") <(echo "$named") || { echo "< declared, but not on the page; > the reverse"; exit 1; }
