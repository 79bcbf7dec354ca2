#!/usr/bin/env bash
# readme_program.sh README PREFIX WORK: the program in the README compiles with the line given there
# and prints what its comment says.
set -euo pipefail
readme=$1 prefix=$2 work=$3
mkdir -p "$work"
sed -n '/^```cpp$/,/^```$/{//!p}' "$readme" > "$work/program.cpp"
"$CXX" -Wall -Wextra -I"$prefix/include" -I"$prefix/include/aclnn" "$work/program.cpp" \
  "$prefix"/lib64/lib{ascendcl,nnopbase,opapi,opapi_nn,opapi_math,opapi_cv}.so -o "$work/program"
output=$(LD_LIBRARY_PATH=$prefix/lib64 "$work/program")
[ "$output" = "2 1 2 1 6 3 " ] || { echo "printed: $output"; exit 1; }
