#!/usr/bin/env bash
# framework.sh GRADPROOF SUBJECTS LIBRARY OPERATORS: a framework behind the kit. What was found in it is still there, each
# recorded case; of what it does otherwise its profile and its list of known findings say all, for the operators named.
gradproof=$1 subjects=$2 library=$3 operators=$4
. "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/../suite/expect.sh"
name=$(basename "$library" .so)
name=${name#lib}
cp "$library" "$subjects"/*.json "$folder"
cases=$(grep -vc '^#' "$subjects/$name.txt")
expect 1 run "$subjects/$name.txt" --library "./lib$name.so"
says "$cases failed"
[ -n "$operators" ] || { [ "$failures" -eq 0 ]; exit; }
chosen=()
for operator in $operators; do chosen+=(--operator "$operator"); done
expect 0 verify --library "./lib$name.so" "${chosen[@]}" --known "$name.known.json" --seconds 20 --no-database
says 'validation: by the kit'
[ "$failures" -eq 0 ]
