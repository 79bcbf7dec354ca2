#!/usr/bin/env bash
# What fuzzing reaches of opt/ and ref/: replays corpus/ and what campaigns have learnt on programs that
# count, once as it is and once in strict device mode with a trace. `./run fuzz` calls it at its end.
#
#   coverage.sh BUILDS TARGET…
#
# Writes BUILDS/campaign/coverage/index.html, and BUILDS/campaign/coverage.txt, a line a file; prints how much
# it is of all and of the gradients' validation, and each line of that where a region never ran. Exit status:
# 1 if an input does not hold.
set -euo pipefail
root=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/.." && pwd)
builds=$1
shift
work=$builds/campaign
cov=${LLVM_COV:-llvm-cov}

objects=() profiles=() failed=0

# Replays a target's inputs with more in the environment.
replay() {
  local target=$1 profile=$work/$1/profile-$2
  env LLVM_PROFILE_FILE="$profile" "${@:3}" "$builds/fuzz-cover/fuzz/$target" "$root/corpus/$target" "$work/$target/corpus" \
    >"$work/$target/replay.log" 2>&1 || { failed=1; printf 'FINDING of %s, replayed (%s)\n' "$target" "$2"; tail -n 5 "$work/$target/replay.log"; }
  [ ! -s "$profile" ] || profiles+=("$profile")
}

for target in "$@"; do
  mkdir -p "$work/$target/corpus"
  rm -f "$work/$target"/profile*
  replay "$target" plain
  replay "$target" strict GRADPROOF_STRICT=1 GRADPROOF_TRACE=/dev/null
  objects+=(-object "$builds/fuzz-cover/fuzz/$target")
done
"${LLVM_PROFDATA:-llvm-profdata}" merge -o "$work/all.profdata" "${profiles[@]}"
seen=("${objects[@]:1}" -instr-profile="$work/all.profdata")
"$cov" show "${seen[@]}" -format=html -output-dir="$work/coverage" "$root/opt" "$root/ref" >/dev/null
"$cov" report "${seen[@]}" "$root/opt" "$root/ref" >"$work/coverage.txt"

# What the forwards alone have is no target's input but when it is valid.
validation=()
for file in "$root"/opt/ops/*; do
  [[ $file == *.txt || -e ${file%.cpp}_backward.cpp ]] || validation+=("$file")
done
"$cov" report "${seen[@]}" "${validation[@]}" >"$work/validation.txt"
regions() { awk '/^TOTAL/ { printf "%s of %d regions", $4, $2 }' "$1"; }
printf '\nCoverage: %s/coverage/index.html\n' "$work"
printf '  opt/ and ref/: %s\n' "$(regions "$work/coverage.txt")"
printf '  validation of the gradients in opt/ops: %s; never run:\n' "$(regions "$work/validation.txt")"
"$cov" export "${seen[@]}" -skip-expansions "${validation[@]}" | python3 "$root/fuzz/never_run.py" "$root"
exit $failed
