#!/usr/bin/env bash
# Programs that `gradproof emit` writes show their case: they are built from the public headers alone, pass on a correct
# library and fail on a faulty one. usage: emit.sh GRADPROOF FAKE_LIBRARY LIBRARY INCLUDE
set -u
gradproof=$1 fake=$2 library=$3 include=$4
. "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/expect.sh"
case_line='replication_pad2d_backward gradOutput=FLOAT[1,1,2,3]:ND self=FLOAT[1,1,2,2]:ND padding=1,0,0,0 gradInput=FLOAT[1,1,2,2]:ND'
refused=${case_line/padding=1,0,0,0/padding=9,0,0,0}

build() { # PROGRAM LIBRARY: from what emit printed last
  cp "$folder/out" "$folder/$1.cpp"
  "${CXX:-c++}" -std=c++17 -Wall -Wextra -Werror -I"$include" "$folder/$1.cpp" "$2" "$library" -Wl,-rpath,"$(dirname "$2"):$(dirname "$library")" -o "$folder/$1" 2>"$folder/err" ||
    fail "the program of '$last' does not compile"
}
shows() { # STATUS COMMAND…
  local status=$1 got=0
  shift
  last="$*"
  "$@" >"$folder/out" 2>"$folder/err" || got=$?
  [ "$got" -eq "$status" ] || fail "exit status $got instead of $status: $*"
}

expect 0 emit "$case_line"; says 'replication_pad2d_backward'; build right "$library"; cp "$folder/out" "$folder/case.cpp"
shows 0 "$folder/right"; says '[0,0,0,0] expected'; says '0 of 4 wrong'; says 'phase 1: expected 0, got 0'
# An option that a command lacks is named, whatever else is wrong then.
for words in "emit --library $fake" "explain --library=$fake"; do
  expect 2 $words "$case_line"; complains "'${words%% *}' has no option --library"; silent out
done
expect 2 emit "$case_line" --library "$fake"; complains 'is linked with a library when it is built'
expect 2 verify --librry "$fake"; complains "'verify' has no option --librry"; complains "did you mean '--library'?"
expect 2 verify --seed 1 --seed 2; complains '--seed is given more than once, and has one value'
expect 2 verify --report --seconds 1; complains '--report DIR has no value: --seconds follows it'
expect 2 verify --cases 1 --report --seconds; complains '--report DIR has no value: --seconds follows it'
expect 2 verify "$fake"; complains "'verify' has no argument $fake; to test a library: --library $fake"

expect 0 emit "$case_line"; build wrong "$fake"
FAKE_FAULT='last column' shows 1 "$folder/wrong"; says 'WRONG'; says ' of 4 wrong'
FAKE_FAULT='refuses' shows 1 "$folder/wrong"; says 'phase 1: expected 0, got '
expect 0 emit "$refused"; build refused "$library"
shows 0 "$folder/refused"; says 'phase 1: expected 161002, for '; says 'message: '

# The memory between the elements of a result is compared, too.
gaps=${case_line/gradInput=FLOAT\[1,1,2,2\]:ND/gradInput=FLOAT[1,1,2,2]:ND:strides(8,8,4,2)}
expect 0 emit "$gaps"; build gaps "$fake"
shows 0 "$folder/gaps"; says '0 of 4 wrong'
FAKE_FAULT='writes a gap' shows 1 "$folder/gaps"; says '0 of 4 wrong'; says 'memory of gradInput: byte 4, outside the result: expected FF, got FE  WRONG'
expect 0 emit --python "$gaps"; cp "$folder/out" "$folder/gaps.py"
shows 0 python3 "$folder/gaps.py" "$fake"
FAKE_FAULT='writes a gap' shows 1 python3 "$folder/gaps.py" "$fake"; says 'memory of gradInput: byte 4, outside the result: expected FF, got FE  WRONG'

# Python, over all operators, types and layouts.
expect 0 emit --python "$case_line"; cp "$folder/out" "$folder/case.py"
shows 0 python3 "$folder/case.py" "$library"; says '0 of 4 wrong'
FAKE_FAULT='last column' shows 1 python3 "$folder/case.py" "$fake"; says 'WRONG'
"$gradproof" verify --list-cases --cases 30 --at-most 8 >"$folder/cases"
cut -d' ' -f1 "$folder/cases" | sort -u >"$folder/operators"
[ "$(wc -l <"$folder/operators")" -eq 10 ] || fail 'not all operators are among the cases'
while read -r one; do
  expect 0 emit --python "$one"; cp "$folder/out" "$folder/case.py"
  shows 0 python3 "$folder/case.py" "$library"
done <"$folder/cases"

# A profile decides what is due: a status, a value, or that nothing can be said.
cat >"$folder/profile.json" <<'END'
{"profile": "mine", "says": "s", "entries": [
  {"id": "own-status", "when": {"operator": "replication_pad2d_backward", "rule": "padding-value"}, "then": {"status": 9},
   "reason": "r", "source": {"repository": "r", "file": "f", "function": "f"}},
  {"id": "open", "when": {"operator": "replication_pad2d_backward", "rule": "none", "dtype": "FLOAT16"}, "then": {"untested": true},
   "reason": "r", "source": {"repository": "r", "file": "f", "function": "f"}}]}
END
expect 0 emit --profile "$folder/profile.json" "$refused"; build refused "$library"
shows 1 "$folder/refused"; says "phase 1: expected 9, for entry 'own-status' of profile mine"
expect 2 emit --profile "$folder/profile.json" "${case_line//FLOAT/FLOAT16}"; complains "cannot tell right from wrong here: not specified: entry 'open' of profile mine"

# The next steps of a finding are a program that shows it.
FAKE_FAULT='last column' expect 1 verify --library "$fake" --no-database --operator replication_pad2d_backward --property equivalence --cases 60
step=$(sed -n 's/^  run it without gradproof: //p' "$folder/out")
eval "\"\$gradproof\" ${step#gradproof }" || fail "the next step does not work: $step"
cp "$folder/case.cpp" "$folder/out"; build next "$fake"
FAKE_FAULT='last column' shows 1 "$folder/next"; says 'WRONG'

FAKE_FAULT='last column' expect 1 verify --library "$fake" --profile "$folder/profile.json" --no-database --operator replication_pad2d_backward --property equivalence --cases 60
says "  run it without gradproof: gradproof emit --profile $folder/profile.json "

# A property that compares calls with each other does not fail in a program of one call.
expect 2 emit "$case_line property=linearity"; complains 'property linearity checks something else'; silent out
expect 0 emit "$case_line property=equivalence"
FAKE_FAULT='last column' expect 1 verify --library "$fake" --no-database --operator replication_pad2d_backward --property gradient-sum --cases 60
grep -q 'run it without gradproof' "$folder/out" && fail 'a program is offered that shows nothing'

expect 2 emit "$case_line misuse=null_executor"; complains 'gradproof repro'
expect 2 emit nonsense; silent out
exit $((failures > 0))
