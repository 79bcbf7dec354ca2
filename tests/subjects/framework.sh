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
verified() { # OPERATORS OPTION…
  local chosen=() operator
  for operator in $1; do chosen+=(--operator "$operator"); done
  [ ${#chosen[@]} -gt 0 ] || return 0
  # A framework may take longer to load than a check may take.
  expect 0 verify --library "./lib$name.so" "${chosen[@]}" --known "$name.known.json" --seconds 20 --timeout 120 --no-database "${@:2}"
  says 'validation: by the kit'
}
if [ "$name" = aten_out ]; then
  # Three of its gradients write between the elements of a strided result. Damage to memory is never a known finding.
  damaged=(--operator max_pool3d_with_argmax_backward --operator adaptive_max_pool3d_backward --operator replication_pad2d_backward)
  expect 1 verify --library "./lib$name.so" "${damaged[@]}" --class strided-output --known "$name.known.json" --seconds 10 --timeout 120 --no-database
  says 'memory or crash: '
  verified max_pool2d_with_mask_backward --class strided-output
  verified "$4" --class '^strided-output'
else
  verified "$4"
fi
verified "${5-}" --type '^BF16'
[ "$failures" -eq 0 ]
