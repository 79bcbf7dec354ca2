#!/usr/bin/env bash
# The fuzz targets on a library behind the API (fuzz/library.cpp), which here replay inputs of the corpus: a wrong library gets
# findings, a right one and one whose profile says that the calls are untested get none. usage: fuzz_library.sh PROGRAM FAKE_LIBRARY CORPUS
set -euo pipefail
program=$1 corpus=$3/execute_replication_pad2d_backward sequences=$3/api_sequence
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0  # sequences leave descriptors of the fake behind
export GRADPROOF_FUZZ_LIBRARY=$2 GRADPROOF_FUZZ_FINDINGS=$folder/findings
"$program" >"$folder/targets"
grep -qx 'execute_replication_pad2d_backward' "$folder/targets" || { cat "$folder/targets"; echo 'the target does not fit'; exit 1; }
! grep -q 'execute_upsample' "$folder/targets" || { echo 'an operator that the library lacks has a target'; exit 1; }
export GRADPROOF_FUZZ_TARGET=execute_replication_pad2d_backward
cat >"$folder/untested.json" <<'END'
{"profile": "mine", "says": "s", "entries": [
  {"id": "open", "when": {"operator": "replication_pad2d_backward", "rule": "none"}, "then": {"untested": true},
   "reason": "r", "source": {"repository": "r", "file": "f", "function": "f"}}]}
END
# findings FAULT PROFILE MOST LEAST
findings() {
  local count
  rm -rf "$folder/findings" && mkdir "$folder/findings"
  FAKE_FAULT=$1 GRADPROOF_FUZZ_PROFILE=$2 "$program" "$corpus" >"$folder/log" 2>&1 || { cat "$folder/log"; echo "the program fails with fault '$1'"; exit 1; }
  count=$(find "$folder/findings" -type f | wc -l)
  [ "$count" -le "$3" ] && [ "$count" -ge "$4" ] || { cat "$folder/log"; echo "$count findings with fault '$1' and profile '$2'"; exit 1; }
}
findings none documented 0 0
findings 'last column' documented 1000 1
grep -rq '^replication_pad2d_backward .* property=equivalence' "$folder/findings" || { echo 'no finding is a case line'; exit 1; }
findings 'last column' "$folder/untested.json" 0 0

# Sequences of any operator are of one that the library has: the functions of another one are null.
rm -rf "$folder/findings" && mkdir "$folder/findings"
FAKE_FAULT=none GRADPROOF_FUZZ_TARGET=api_sequence "$program" "$sequences" >"$folder/log" 2>&1 || { cat "$folder/log"; echo 'a sequence ends the program'; exit 1; }
GRADPROOF_FUZZ_TARGET=api_sequence GRADPROOF_FUZZ_KEEP=1 "$program" "$sequences" >"$folder/log" 2>&1
ls "$folder"/findings/*/replication_pad2d_backward-life-cycle-* >/dev/null || { echo 'no sequence was kept'; exit 1; }
if ls "$folder"/findings/*/* | grep -v /replication_pad2d_backward-; then echo 'findings of operators that the library lacks'; exit 1; fi
