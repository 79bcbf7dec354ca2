#!/usr/bin/env bash
# atk_cases.sh LISTS PREFIX: the installed program runs case lists in ATK's format, and the installed library
# passes every case of them.
set -euo pipefail
lists=$1 prefix=$2
output=$("$prefix/bin/gradproof" run "$lists"/*.json) || { echo "$output"; exit 1; }
echo "$output"
cases=$(grep -ohE '"aclnn_name"' "$lists"/*.json | wc -l)
[ "$cases" -ge 40 ] || { echo "only $cases cases were found in $lists"; exit 1; }
grep -qw "$cases" <<<"$output" || { echo "the report does not speak of all $cases cases"; exit 1; }
