#!/usr/bin/env bash
# Libraries are judged as any other where AddressSanitizer's runtime is preloaded, as those need that are compiled with it
# (docs/fuzz-your-library.md).
# usage: preloaded_sanitizer.sh GRADPROOF FAKE_LIBRARY
set -u
gradproof=$1 fake=$2
. "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/expect.sh"
case_line='replication_pad2d_backward gradOutput=FLOAT[1,1,2,3]:ND self=FLOAT[1,1,2,2]:ND padding=1,0,0,0 gradInput=FLOAT[1,1,2,2]:ND'
asan=$(g++ -print-file-name=libasan.so)
[ -e "$asan" ] || { echo 'skipped: g++ has no libasan.so (Debian: g++)'; exit 77; }

# The sanitizer's malloc keeps freed memory, which is no leak.
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
exit $((failures > 0))
