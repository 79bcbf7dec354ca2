#!/usr/bin/env bash
# compile_sample.sh SOURCE PREFIX PROGRAM: compiles a sample program of an operator document, or one in their
# manner, with CANN's include and library lines against the installed tree.
set -euo pipefail
source=$1 prefix=$2 program=$3
libraries=()
for name in ascendcl nnopbase opapi opapi_nn opapi_math opapi_cv; do
  libraries+=("$prefix/lib64/lib$name.so")
done
"$CXX" -std=c++11 -I"$prefix/include" -I"$prefix/include/aclnn" "$source" "${libraries[@]}" -o "$program"
