#!/usr/bin/env bash
# options.sh PAGE OPTIONS HEADER INIT ROOT: the page's table has each option of the library's table with its variable, and
# no other; the headers of gradproof_set_option and aclInit name each key. The library knows the variables of the
# project's tools, which its log does not call unknown.
set -euo pipefail
page=$1 table=$2 header=$3 init=$4 root=$5
own=$(grep -oE '\{"[a-z_]+", "GRADPROOF_[A-Z_]+"' "$table" | tr -d '{",')
# shellcheck disable=SC2016  # backticks of Markdown
told=$(grep -oE '^\| `[a-z_]+` \| `GRADPROOF_[A-Z_]+`' "$page" | tr -d '|`' | sed 's/^ //; s/  */ /g')
[ "$(wc -l <<<"$own")" -ge 9 ] || { echo "the options were not found in $table"; exit 1; }
diff <(echo "$own") <(echo "$told") || { echo "< the library's, > the page's"; exit 1; }
bad=0
while read -r key variable; do
  grep -q "\"$key\"" "$header" || { echo "$header does not name $key"; bad=1; }
  grep -q "\"$key\"" "$init" || { echo "$init does not name $key"; bad=1; }
  grep -q "$variable" "$init" || { echo "$init does not name $variable"; bad=1; }
done <<<"$own"
cd "$root"
# shellcheck disable=SC2016  # what scripts have
read=$(grep -rhoE '(getenv|variable)\("GRADPROOF_\w+|\$\{GRADPROOF_\w+:?-|vars\.GRADPROOF_\w+|^ +GRADPROOF_\w+:' \
  --include='*.cpp' --include='*.h' --include='*.sh' --include='*.yml' bench examples fuzz pipe props tests run |
  grep -oE 'GRADPROOF_[A-Z0-9_]+' | sort -u)
[ "$(wc -l <<<"$read")" -ge 12 ] || { echo "the tools' variables were not found"; exit 1; }
for variable in $read; do
  grep -q "\"$variable\"" opt/runtime/environment.cpp "$table" || { echo "environment.cpp lacks $variable, which a tool reads"; bad=1; }
done
exit $bad
