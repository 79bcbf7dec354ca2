#!/usr/bin/env bash
# That each of several defects has a finding, and that there are at most half as many more.
# usage: causes.sh GRADPROOF FAKE_LIBRARY FAKE_REFERENCE
set -u
gradproof=$1 fake=$2 reference=$3
. "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/expect.sh"

# findings FAULTS COUNT TEXT…: a campaign over a library with so many defects says each text, and has
# at most half as many findings more.
findings() {
  local faults=$1 count=$2
  shift 2
  FAKE_FAULT=$faults expect 1 verify --library "$fake" --no-database --operator replication_pad2d_backward \
    --property equivalence --property gradient-sum --property layout --property linearity --property rank \
    --cases 300 --seed 7
  local found
  found=$(grep -c '^failed: ' "$folder/out")
  [ "$found" -ge "$count" ] && [ "$found" -le $((count * 3 / 2)) ] ||
    fail "$found findings of $count defects: $faults"
  for text in "$@"; do
    says "$text"
  done
}
findings 'coarse FLOAT16' 1 'FLOAT16'
findings 'doubles asymmetric' 1 'padding-asymmetric'
findings 'NaN if cropped' 1 'padding-negative'
findings 'forgets views' 1 'offset-output'
findings 'coarse FLOAT16;doubles asymmetric;NaN if cropped;forgets views' 4 'FLOAT16' 'padding-asymmetric' 'padding-negative' 'offset-output'
# Nearly every cropped case is asymmetric, so that most NaN lie among doubled numbers.
findings 'doubles asymmetric;NaN if cropped' 2 'padding-asymmetric' 'padding-negative'

# The library is lost at most twice over a case, however many properties there are.
FAKE_FAULT='aborts if cropped to 1' expect 1 verify --library "$fake" --no-database --operator replication_pad2d_backward \
  --property equivalence --property gradient-sum --property layout --property linearity --property rank --property poison \
  --cases 600 --jobs 1
read -r losses cases < <(sed -nE 's/^in: ([0-9]+) failing checks.*\(([0-9]+) of equivalence.*/\1 \2/p' "$folder/out")
[ "${losses:-0}" -ge 2 ] && [ "$losses" -le $((2 * cases)) ] || fail "${losses:-no} losses over ${cases:-no} cases"

# What shows in the same way on any type and argument is one finding; another status, or a leak of another size, is
# one of its own.
echo '{"profile": "test", "says": "For the test.", "promises": ["phase-2-checks"], "entries": []}' >"$folder/checks.json"
symptoms() {  # FAULTS FINDINGS OPTION…
  FAKE_FAULT=$1 expect 1 verify --library "$fake" --no-database --operator replication_pad2d_backward --jobs 1 "${@:3}"
  [ "$(grep -c '^failed: ' "$folder/out")" -eq "$2" ] || fail "not $2 findings: $1"
}
misuse=(--profile "$folder/checks.json" --property misuse --cases 600)
symptoms 'executor status' 1 "${misuse[@]}"
symptoms 'executor status;workspace status' 2 "${misuse[@]}"
symptoms 'workspace status;another of DOUBLE' 2 "${misuse[@]}"
symptoms 'leaks if null' 1 --property no-leak --cases 1000
symptoms 'leaks if null;leaks without padding' 2 --property no-leak --cases 1000
symptoms 'workspace by 4' 1 --property equivalence --property no-leak --property life-cycle --cases 60
says 'bytes 40 to 43 of the workspace were written; phase 1 required 40'

# A crash is tried again in a new process.
campaign() {
  FAKE_FAULT=$1 expect 1 verify --library "$fake" --no-database --operator replication_pad2d_backward --property equivalence --cases 60 --jobs 1
}
campaign 'aborts at call 40'; says 'does not fail in a new process: an earlier call, or chance, may be the cause'
campaign 'aborts if cropped to 1'; says 'died of SIGABRT'; says_not 'does not fail in a new process'

# So are wrong values.
campaign 'from call 40 on'; says 'does not fail in a new process'
campaign 'coarse FLOAT16'; says_not 'does not fail in a new process'

# What needs an earlier call is one finding, whose command makes that call, too.
FAKE_FAULT='remembers cropping' expect 1 verify --library "$fake" --no-database --operator replication_pad2d_backward \
  --property equivalence --property gradient-sum --property layout --cases 200 --jobs 1
[ "$(grep -c '^failed: ' "$folder/out")" -eq 1 ] || fail 'not one finding of data that are kept between calls'
says 'depends on an earlier call: it fails after the first case of the command, but not in a new process'
repro=$(sed -n 's/^repro: gradproof //p' "$folder/out" | head -n 1)
[ "$(grep -o 'gradOutput=' <<<"$repro" | wc -l)" -eq 2 ] || fail "not two cases: $repro"
export FAKE_FAULT='remembers cropping'
eval "expect 1 $repro"

# A file of such a finding has both calls, so that the next run finds it again.
expect 1 verify --library "$fake" --database "$folder/kept" --operator replication_pad2d_backward --property equivalence --cases 200 --jobs 1
file=$(ls "$folder"/kept/*/*.txt)
[ "$(grep -c gradOutput= "$file")" -eq 2 ] || fail "not two calls in $(cat "$file")"
expect 1 run "$file" --library "$fake" --jobs 2
expect 1 verify --library "$fake" --database "$folder/kept" --operator replication_pad2d_backward --property equivalence --cases 1 --jobs 1
[ -e "$file" ] || fail 'a finding that needs an earlier call is dropped'

# Of bits that differ from those of another run, the finding names the entry that allows it.
bits() {  # FAULT FILL TEXT
  FAKE_FAULT=$1 expect 1 repro "replication_pad2d_backward gradOutput=FLOAT[1,1,4,4]:ND:strides(252,252,28,2):fill($2) self=FLOAT[1,1,2,2]:ND padding=1,1,1,1 gradInput=FLOAT[1,1,2,2]:ND" \
    --library "$reference" --property layout
  says "passes with the profile entry $3 (docs/profile-format.md)"
}
bits 'other bits when strided' 'uniform,-1,1' '"bits": ["layout"]'
bits 'other NaNs when strided' 'constant,nan' '"nan_bits": "any"'
exit $((failures > 0))
