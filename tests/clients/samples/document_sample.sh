#!/usr/bin/env bash
# document_sample.sh PROJECT PREFIX WORK: the complete sample program of the operator document for
# MaxPool2dWithMaskBackward, taken verbatim from the document, compiles against the installed tree
# with CANN's include and library lines and prints the right values. The documents are not part of
# the project; GRADPROOF_SHARED says where they are (default: the folder shared beside it).
set -euo pipefail
project=$1 prefix=$2 work=$3
shared=${GRADPROOF_SHARED:-$project/../shared}
document=$(find "$shared/seeds" -name '001*.txt' 2>/dev/null | head -n 1 || true)
[ -n "$document" ] || { echo "skipped: no operator document 001 in $shared/seeds (not ours to hand on)"; exit 77; }

mkdir -p "$work"
sed -n '/^#include <iostream>/,$p' "$document" > "$work/sample.cpp"
grep -q 'int main()' "$work/sample.cpp" || { echo "no program found in $document"; exit 1; }
"$(dirname "${BASH_SOURCE[0]}")/compile_sample.sh" "$work/sample.cpp" "$prefix" "$work/sample"

output=$(LD_LIBRARY_PATH=$prefix/lib64 "$work/sample")
echo "$output"
# 12 values: 0.4757 at 0, 0.1726 at 6, zeros elsewhere
awk -v FS='[][ :]+' '
  /^result/ { ++values; due = $2 == 0 ? 0.4757 : $2 == 6 ? 0.1726 : 0
              if ($4 - due > 1e-6 || due - $4 > 1e-6) { print "wrong: " $0; wrong = 1 } }
  END { if (values != 12) { print values + 0 " values instead of 12"; wrong = 1 }; exit wrong }' <<<"$output"
