#!/usr/bin/env bash
# atk_cases.sh PROJECT PREFIX: every case of CANN's own test suite for the five operators holds. The
# case files are not part of the project; GRADPROOF_SHARED says where they are (default: the folder
# shared beside it).
set -euo pipefail
project=$1 prefix=$2
shared=${GRADPROOF_SHARED:-$project/../shared}
shopt -s nullglob
files=("$shared"/atk/*.json)
[ ${#files[@]} -gt 0 ] || { echo "skipped: no case files in $shared/atk"; exit 77; }

output=$("$prefix/bin/gradproof" run "${files[@]}") || { echo "$output"; exit 1; }
echo "$output"
cases=$(grep -ohE '"aclnn_name"' "${files[@]}" | wc -l)
grep -qw "$cases" <<<"$output" || { echo "the report does not speak of all $cases cases"; exit 1; }
