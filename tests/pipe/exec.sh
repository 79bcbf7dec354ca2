#!/usr/bin/env bash
# exec.sh GRADPROOF: `--exec`, met with a process that needs nothing but Python (docs/pipe.md). A correct one passes; what
# a wrong one does is a finding that names it; a command that cannot be started is the user's error.
gradproof=$1
here=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")
. "$here/../suite/expect.sh"
process="python3 \"$here/process.py\""

expect 0 verify --exec "$process" --cases 24 --property equivalence --no-database
says 'validation: by the kit'
says "operators: $process: replication_pad2d_backward"
says 'not supported by the kernel: for FLOAT alone'
says ', 0 failures'

case=$(cat "$here/case.txt")
# finds KIND TEXT: what a process that does KIND is told to have done.
finds() {
  expect 1 repro "$case" --exec "$process $1" --timeout 4 --property equivalence
  says "$2"
}
finds hangs 'no response for'
finds crashes 'died of SIGSEGV'
finds crashes "was ended by SIGSEGV before the result"
finds exits 'exit status 7'
finds exits 'I have had enough'
finds short 'ended with exit status 0 after 3 bytes of the'
finds few 'too few bytes: '
finds many 'too many bytes: '
finds extra "bytes too many after a result: 'and more'"
finds rubbish "rubbish instead of a result: 'Loading weights...\\x0a'"
finds no-json "a result that is no JSON object: 'oops'"
finds nothing-said 'a result must have "bytes", "not_supported" or "failed"'
finds fails "failed: equivalence of replication_pad2d_backward: out of luck"

finds fails "repro: gradproof repro '$case' --exec '$process fails' --property equivalence"
# No step needs a library, which is not there.
expect 1 verify --exec "$process fails" --cases 4 --property equivalence --no-database
says '  with the Python module, instead of gradproof.serve(): gradproof.check(FUNCTION, case='; says_not 'gradproof emit'
expect 0 run "$here/case.txt" --exec "$process" --report "$folder/report"
grep -q 'gradproof run .* --exec ' "$folder/report/report.html" || fail 'the report lacks the command'
grep -q 'gradproof run .*--library' "$folder/report/report.html" && fail 'the command of the report has --library and --exec'
expect 1 run "$here/case.txt" --exec "$process fails"

# CANN refuses this call, the documents take it, and so does the kit.
echo 'replication_pad2d_backward gradOutput=FLOAT[0,1,1]:ND self=FLOAT[0,1,1]:ND padding=0,0,0,0 gradInput=FLOAT[0,1,1]:ND' >"$folder/empty.txt"
GRADPROOF_CONFORMANCE=cann expect 0 run "$folder/empty.txt" --exec "$process"

expect 2 verify --exec '/nowhere/kernel'; complains "'/nowhere/kernel' cannot be used: the process ended with exit status 127 before the greeting"; complains 'not found'
expect 2 verify --exec 'true'; complains "ended with exit status 0 before the greeting; is gradproof.serve() missing?"
expect 2 verify --exec 'echo hello there'; complains "rubbish instead of a greeting: 'hello there\\x0a'"
expect 2 verify --exec "$process" --library x.so; complains '--library and --exec exclude each other'
expect 2 verify --exec ''; complains '--exec: must not be empty'
expect 2 verify --exec 'sleep 100' --timeout 1; complains "'sleep 100' cannot be used: no response for 1 s while it is loaded"
[ "$failures" -eq 0 ]
