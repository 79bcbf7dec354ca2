#!/usr/bin/env bash
# A library compiled for coverage by a fuzzer is judged as any other (docs/fuzz-your-library.md).
# usage: instrumented.sh GRADPROOF INSTRUMENTED_FAKE
set -u
gradproof=$1 instrumented=$2
. "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/expect.sh"
case_line='replication_pad2d_backward gradOutput=FLOAT[1,1,2,3]:ND self=FLOAT[1,1,2,2]:ND padding=1,0,0,0 gradInput=FLOAT[1,1,2,2]:ND'

expect 0 repro "$case_line" --library "$instrumented" --property equivalence
exit $((failures > 0))
