#!/usr/bin/env bash
# sample_program.sh SOURCE PREFIX WORK: a program in the manner of the operator documents' samples compiles as
# theirs do and prints the right values.
set -euo pipefail
source=$1 prefix=$2 work=$3
mkdir -p "$work"
"$(dirname "${BASH_SOURCE[0]}")/compile_sample.sh" "$source" "$prefix" "$work/sample"
# 2 channels of 2 x 5: each window's gradient where its bit is, and nothing in the column that no window has.
due=(0 1.5 0 0 0  0 0 2.5 0 0  0 -3.5 0 0 0  0 0 4.5 0 0)
diff <(for i in "${!due[@]}"; do LC_ALL=C printf 'result[%d] is: %f\n' "$i" "${due[i]}"; done) \
  <(LD_LIBRARY_PATH=$prefix/lib64 "$work/sample" || echo "exit status $?")
