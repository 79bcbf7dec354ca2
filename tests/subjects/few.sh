#!/usr/bin/env bash
# few.sh GRADPROOF KERNEL…: a whole campaign has one or two findings of a kernel with one bug, whatever data and memory
# its cases have.
gradproof=$1
shift
. "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/../suite/expect.sh"
for kernel in "$@"; do
  expect 1 verify --library "$kernel" --cases 600 --seed 1 --jobs 1 --no-database
  findings=$(grep -c '^failed: ' "$folder/out")
  [ "$findings" -le 2 ] || fail "$findings findings of ${kernel##*/}"
done
[ "$failures" -eq 0 ]
