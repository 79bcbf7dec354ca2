#!/usr/bin/env bash
# passes.sh GRADPROOF KERNEL: a correct kernel behind the kit passes, and is not praised for what the kit answers.
gradproof=$1 kernel=$2
. "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/../suite/expect.sh"
expect 0 verify --library "$kernel" --seconds 10 --no-database --report "$folder/report"
says 'validation: by the kit'
says ', 0 failures'
says_not ', a dependency;'
says_not 'self-null-data'; says_not 'indices-one_bad'  # no kernel can be called with these
properties=$(tr -d '\n' <"$folder/report/report.json" | grep -o '"property": "[^"]*", *"runs": [1-9]')
grep -q '"equivalence"' <<<"$properties" || fail 'equivalence did not run'
grep -qE '"(error-codes|messages|misuse|life-cycle|services)"' <<<"$properties" && fail "the kit was judged: $properties"
expect 5 verify --library "$kernel" --seconds 1 --no-database --property error-codes
[ "$failures" -eq 0 ]
