#!/usr/bin/env bash
# page_program.sh PAGE PREFIX WORK PRINTED: the first program in the page compiles against the drop-in tree and prints what
# the pattern PRINTED describes, on standard output and error.
set -euo pipefail
page=$1 prefix=$2 work=$3 printed=$4
mkdir -p "$work"
sed -n '/^```cpp$/,/^```$/{//!p; /^```$/q}' "$page" > "$work/program.cpp"
"$CXX" -std=c++17 -Wall -Wextra -I"$prefix/include" -I"$prefix/include/aclnn" "$work/program.cpp" \
  "$prefix"/lib64/lib{ascendcl,nnopbase,opapi,opapi_nn,opapi_math,opapi_cv}.so -o "$work/program"
output=$(LD_LIBRARY_PATH=$prefix/lib64 "$work/program" 2>&1)
# shellcheck disable=SC2053  # a pattern
[[ $output == $printed ]] || { echo "printed: $output"; exit 1; }
