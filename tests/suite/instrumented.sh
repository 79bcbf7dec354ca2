#!/usr/bin/env bash
# Libraries compiled for coverage by a fuzzer or with AddressSanitizer are judged as any other (docs/fuzz-your-library.md).
# usage: instrumented.sh GRADPROOF FAKE_LIBRARY INSTRUMENTED_FAKE SANITIZERS
set -u
gradproof=$1 fake=$2 instrumented=$3 sanitizers=$4
. "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/expect.sh"
case_line='replication_pad2d_backward gradOutput=FLOAT[1,1,2,3]:ND self=FLOAT[1,1,2,2]:ND padding=1,0,0,0 gradInput=FLOAT[1,1,2,2]:ND'

expect 0 repro "$case_line" --library "$instrumented" --property equivalence

# The sanitizer's malloc keeps freed memory, which is no leak.
asan=$(g++ -print-file-name=libasan.so)
if [ -z "$sanitizers" ] && [ -e "$asan" ]; then
  export LD_PRELOAD=$asan ASAN_OPTIONS=detect_leaks=0
  expect 0 repro "$case_line" --library "$fake" --property no-leak
  FAKE_FAULT=leaks expect 1 repro "$case_line" --library "$fake" --property no-leak; says 'bytes of the heap'
  # Printed commands can be pasted into another shell.
  export FAKE_FAULT='last column' PATH=${gradproof%/*}:$PATH
  expect 1 verify --library "$fake" --cases 20 --no-database --property equivalence
  says "repro: env LD_PRELOAD=$asan ASAN_OPTIONS=detect_leaks=0 gradproof repro"
  repeat=$(sed -n 's/^  repeat: //p' "$folder/out")
  unset LD_PRELOAD ASAN_OPTIONS
  [ "$(eval "$repeat" 2>"$folder/err" | grep -c '^failed: equivalence')" -eq 1 ] || fail "not as before: $repeat"
  expect 1 verify --library "$fake" --cases 20 --no-database --property equivalence
  says 'repro: gradproof repro'
fi
exit $((failures > 0))
