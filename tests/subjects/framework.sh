#!/usr/bin/env bash
# framework.sh GRADPROOF SUBJECTS LIBRARY OPERATORS [OPERATORS]: a framework behind the kit. What was found in it is still there, each
# recorded case; of what it does otherwise its profile and its list of known findings say all, for the operators named. The
# second list is of operators that end the process with BF16, so that nothing is said of the cases that follow: without that type.
gradproof=$1 subjects=$2 library=$3
. "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/../suite/expect.sh"
name=$(basename "$library" .so)
name=${name#lib}
cp "$library" "$subjects"/*.json "$folder"
cases=$(grep -vc '^#' "$subjects/$name.txt")
expect 1 run "$subjects/$name.txt" --library "./lib$name.so" --timeout 120
says "$cases failed"
# Damage to memory cannot be known: a library that writes between the elements of a strided result is not given one.
without=()
[ "$name" != aten_out ] || without=(--class '^strided-output')
verified() { # OPERATORS OPTION…
  local chosen=() operator
  for operator in $1; do chosen+=(--operator "$operator"); done
  [ ${#chosen[@]} -gt 0 ] || return 0
  # A framework may take longer to load than a check may take.
  expect 0 verify --library "./lib$name.so" "${chosen[@]}" --known "$name.known.json" --seconds 20 --timeout 120 --no-database "${without[@]}" "${@:2}"
  says 'validation: by the kit'
}
verified "$4"
verified "${5-}" --type '^BF16'
[ "$failures" -eq 0 ]
