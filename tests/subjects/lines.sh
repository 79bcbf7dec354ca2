#!/usr/bin/env bash
# lines.sh FOLDER: each kernel of the folder, one for each gradient, has at most 12 lines from its first #include to
# GRADPROOF_KERNEL, none of them wider than 120 characters. A compiler's line and one for verify make the verdict.
set -euo pipefail
failed=0 seen=0
gradients=$(grep -c '^  X(' "$1/../../include/gradproof/subject/gradients.hpp")
for kernel in "$1"/*.cpp; do
  seen=$((seen + 1))
  lines=$(grep -c . "$kernel")
  widest=$(awk '{ if (length > most) most = length } END { print most }' "$kernel")
  echo "$(basename "$kernel"): $lines lines, widest $widest"
  [ "$lines" -le 12 ] && [ "$widest" -le 120 ] || failed=1
  [ "$(grep -c '^GRADPROOF_KERNEL(' "$kernel")" -eq 1 ] || failed=1
done
[ "$seen" -eq "$gradients" ] && [ "$failed" -eq 0 ] || { echo "$gradients kernels of at most 12 lines were expected"; exit 1; }
