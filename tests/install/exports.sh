#!/usr/bin/env bash
# exports.sh PREFIX: the library exports every function that its headers declare, and nothing else
# but acl* symbols and those of gradproof/*.h.
set -euo pipefail
prefix=$1
library=$(echo "$prefix"/lib64/libgradproof.so.[0-9])
exported=$(nm -D --defined-only "$library" | awk '{print $3}' | sort -u)
[ -n "$exported" ] || { echo "no exported symbols in $library"; exit 1; }

strangers=$(grep -vE '^acl|^gradproof_' <<<"$exported" || true)
[ -z "$strangers" ] || { echo "exported, but not of the API:"; echo "$strangers"; exit 1; }

declared=$(find "$prefix/include" -name '*.h' -exec sed 's,//.*,,' {} + |
  grep -oE '\b((aclnn[A-Z]|acl[A-Z]|aclrt[A-Z])[A-Za-z0-9]*|gradproof_[a-z_]+)\(' | tr -d '(' | sort -u)
[ "$(wc -l <<<"$declared")" -gt 20 ] || { echo "found too few declarations:"; echo "$declared"; exit 1; }
absent=$(comm -23 <(echo "$declared") <(echo "$exported"))
[ -z "$absent" ] || { echo "declared, but not exported:"; echo "$absent"; exit 1; }
undeclared=$(comm -13 <(echo "$declared") <(echo "$exported"))
[ -z "$undeclared" ] || { echo "exported, but in no header:"; echo "$undeclared"; exit 1; }
