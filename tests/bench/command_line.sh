#!/usr/bin/env bash
# Runs gradproof_bench on tiny calls and looks at what it says. Arguments: PROGRAM LIBRARY.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
fail() { echo "FAILED: $*"; exit 1; }

filter="tiny_pad2d|size_pad2d_1024|isn't~there"
"$1" --filter "$filter" --rounds 3 --threads 1,2 --output="$folder/out" \
  >"$folder/table" 2>/dev/null || fail "status $?"
[ "$(grep -c '^tiny_pad2d ' "$folder/table")" -eq 2 ] || fail "two rows of the tiny call"
grep -q '^tiny_pad2d .* copies and edges$' "$folder/table" || fail "no name of the kernel"
grep -q '^tiny, FLOAT, 1 thread$' "$folder/table" || fail "no table of tiny calls"
! grep -q '^.\{101\}' "$folder/table" || fail "a line of more than 100 columns"
for file in results.json table.txt sizes_replication_pad2d_backward_1.svg; do
  [ -s "$folder/out/$file" ] || fail "no $file"
done
grep -q '"configuration": "size_pad2d_1024"' "$folder/out/results.json" || fail "no result in the JSON"
# No name of the machine is among what describes it.
grep -qF "\"system\": \"$(uname -s), $(uname -m)\"" "$folder/out/results.json" || fail "the JSON has another system"
facts=$(sed -n '/"machine": {/,/}/ s/^  "\([^"]*\)": .*/\1/p' "$folder/out/results.json" | grep -v '^L[0-9] cache$' | tr '\n' ,)
[ "$facts" = 'processor,cores,memory,system,huge pages,compiler,' ] || fail "the JSON describes the machine by $facts"
recorded=$(sed -n '1s/^\.\/run bench //p' "$folder/out/table.txt")
[ "$(eval "printf '<%s>' $recorded")" = "<--filter><$filter><--rounds><3><--threads><1,2>" ] || fail "not the command: $recorded"

echo '{"configurations": [{"name": "wide", "network": "", "operator": "replication_pad2d_backward",
  "input": [1, 2, 4, 4], "padding": [1, 1, 1, 1], "types": ["DOUBLE", "COMPLEX64", "COMPLEX128"]}]}' >"$folder/wide.json"
"$1" --configurations "$folder/wide.json" --rounds 1 --threads 1 >"$folder/table" 2>/dev/null || fail "status $? of other types"
[ "$(grep -c '^wide ' "$folder/table")" -eq 3 ] || fail "a type of padding is missing"

cp -L "$2" "$folder/other.so"
"$1" compare "$2" "$folder/other.so" --filter tiny_pad2d --rounds 3 --threads 1 >"$folder/pair" \
  2>/dev/null || fail "status $? of compare"
grep -q '^tiny_pad2d/FLOAT/1 ' "$folder/pair" || fail "no row that compares"

"$1" ablate --filter 'size_pad2d_1024|tiny_upsample' --rounds 3 --instruction-sets scalar >"$folder/gains" 2>/dev/null ||
  fail "status $? of ablate"
grep -q '^| size_pad2d_1024 FLOAT | scalar | copies and edges | gather rows | [0-9.]* |$' "$folder/gains" ||
  fail "no gain of a kernel"
! grep -q '^| tiny_upsample' "$folder/gains" || fail "the gain of a kernel that nothing can replace"

refused() { # TEXT ARGUMENT…
  local text=$1
  shift
  local status=0
  "${program[@]}" "$@" >"$folder/said" 2>&1 || status=$?
  [ $status -eq 2 ] || fail "status $status for $*"
  grep -q -- "$text" "$folder/said" || fail "nothing about '$text' for $*"
}
program=("$1")
refused 'no configuration fits' --filter nothing_like_this
refused "'0' is neither" --threads 0
refused "'FLOAT31' is no type" --types FLOAT31
refused 'limit,aten,onednn,onednn_best,ref,contiguous' --peers limit,atne
refused '--output' compare "$2" "$folder/other.so" --output "$folder/none"
refused '--output' ablate --output "$folder/none"
refused 'not-there.json: cannot be read' --configurations not-there.json
refused 'not-there.so' compare "$2" not-there.so
refused '--bogus' --bogus
echo '{"configurations": [{"name": "odd", "network": "", "operator": "replication_pad2d_backward",
  "input": [1, 1, 2, 2], "pading": [0]}]}' >"$folder/odd.json"
refused "odd: unknown key 'pading'" --configurations "$folder/odd.json"
echo '{"configurations": [{"name": "odd", "network": "", "operator": "replication_pad2d_backward",
  "input": [1, 1, 2, 2], "padding": [2, 0, 0, 0]}]}' >"$folder/odd.json"
"$1" --configurations "$folder/odd.json" >/dev/null 2>"$folder/said" && fail "an invalid call was measured"
grep -q 'odd: no valid call: padding' "$folder/said" || fail "nothing about the invalid call"
