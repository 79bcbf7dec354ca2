#!/usr/bin/env bash
# explained.sh GRADPROOF ADDS_ZERO_TIMES_INFINITY NARROW_SUMS STRIDES_IGNORED: what a profile entry describes is one
# finding of the operator, which names the entry; so is what passes with contiguous tensors.
gradproof=$1
. "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/../suite/expect.sh"
# says_once LINE
says_once() { [ "$(grep -cxF -- "$1" "$folder/out")" -eq 1 ] || fail "not once: $1"; }
for jobs in 1 2; do
  expect 1 verify --library "$2" --cases 150 --jobs $jobs --no-database --report "$folder/report"
  [ "$(grep -c '^failed: ' "$folder/out")" -eq 1 ] || fail "not one finding of 0 * Inf with $jobs jobs"
  says_once 'passes with the profile entry "zero_times_infinity": "NaN" (docs/profile-format.md)'
  for file in report.json report.html junit.xml; do
    grep -q 'passes with the profile entry .*zero_times_infinity' "$folder/report/$file" || fail "$file lacks the entry"
  done
done
expect 1 verify --library "$4" --cases 150 --jobs 1 --no-database
[ "$(grep -c '^failed: ' "$folder/out")" -eq 1 ] || fail 'not one finding of strides'
says_once 'passes with contiguous tensors: correct the strides, or add GRADPROOF_CONTIGUOUS'

# A case alone says so, too.
expect 1 verify --library "$3" --cases 150 --jobs 1 --no-database --type FLOAT16
says_once 'passes with the profile entry "accumulation": "FLOAT16" (docs/profile-format.md)'
case=$(sed -n "s/^repro: gradproof repro '\([^']*\)'.*/\1/p" "$folder/out" | head -n 1)
expect 1 repro "$case" --library "$3" --property equivalence
says_once 'passes with the profile entry "accumulation": "FLOAT16" (docs/profile-format.md)'
[ "$failures" -eq 0 ]
