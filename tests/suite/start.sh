#!/usr/bin/env bash
# What a library that cannot be started is: a finding; what a host without threads is: no verdict.
# usage: start.sh GRADPROOF FAKE_LIBRARY LIBRARY NO_THREADS SANITIZERS
set -u
gradproof=$1 fake=$2 library=$3 no_threads=$4 sanitizers=$5
. "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/expect.sh"
case_line='replication_pad2d_backward gradOutput=FLOAT[1,1,2,3]:ND self=FLOAT[1,1,2,2]:ND padding=1,0,0,0 gradInput=FLOAT[1,1,2,2]:ND'

# refused FAULT TEXT: one finding, in a report too; its case fails wherever it is run.
refused() {
  FAKE_FAULT=$1 expect 1 verify --library "$fake" --cases 20 --no-database --report "$folder/report"
  says "$2"; says 'FAILED'
  [ "$(grep -c '^failed: ' "$folder/out")" -eq 1 ] || fail "not one finding of '$1'"
  grep -qF "$2" "$folder/report/report.json" || fail "no report of '$1'"
  FAKE_FAULT=$1 expect 1 repro "$case_line" --library "$fake"; says "$2"
  FAKE_FAULT=$1 expect 1 run <(printf '%s\n' "$case_line") --library "$fake"; says "$2"
}
refused init 'the library cannot be started: aclInit returned 500000'
refused device 'the library cannot be started: aclrtSetDevice returned 507033'
refused 'abort in init' 'the process died of SIGABRT in aclInit'

# Some products work: these are judged, and the others are findings.
FAKE_FAULT='one product' expect 1 verify --library "$fake" --profile gradproof --cases 20 --no-database --property equivalence
says 'tested as Ascend910B only: the library supports no other product'
says 'aclInit returned 100000'; says 'the library cannot be started'; says ' 20 cases'
[ "$(grep -c '^failed: ' "$folder/out")" -eq 1 ] || fail 'three products that are refused are not one finding'

[ -n "$sanitizers" ] || {  # whose runtime has to come first
  for what in "$library" "$fake"; do
    LD_PRELOAD=$no_threads expect 2 verify --library "$what" --cases 60 --no-database --property equivalence --property streams
    complains 'the host is short of threads or processes'; says_not 'failed: '
  done
  LD_PRELOAD=$no_threads expect 2 repro "$case_line" --property equivalence --library "$library"
}
exit $((failures > 0))
