#!/usr/bin/env bash
# What fuzzing reaches of opt/ and ref/: replays corpus/ and what campaigns have learnt on programs that
# count. `./run fuzz` calls it at its end.
#
#   coverage.sh BUILDS TARGET…
#
# Writes BUILDS/campaign/coverage/index.html, and BUILDS/campaign/coverage.txt, a line a file; prints how much
# it is of all and of the gradients' validation, and each line of that where a region never ran.
set -euo pipefail
root=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/.." && pwd)
builds=$1
shift
work=$builds/campaign
cov=${LLVM_COV:-llvm-cov}

objects=() profiles=()
for target in "$@"; do
  program=$builds/fuzz-cover/fuzz/$target
  mkdir -p "$work/$target/corpus"
  LLVM_PROFILE_FILE=$work/$target/profile "$program" "$root/corpus/$target" "$work/$target/corpus" >/dev/null 2>&1 || true
  profiles+=("$work/$target/profile")
  objects+=(-object "$program")
done
"${LLVM_PROFDATA:-llvm-profdata}" merge -o "$work/all.profdata" "${profiles[@]}"
seen=("${objects[@]:1}" -instr-profile="$work/all.profdata")
"$cov" show "${seen[@]}" -format=html -output-dir="$work/coverage" "$root/opt" "$root/ref" >/dev/null
"$cov" report "${seen[@]}" "$root/opt" "$root/ref" >"$work/coverage.txt"

# What the forwards alone have is no target's input but when it is valid.
validation=()
for file in "$root"/opt/ops/*; do
  case $file in
    *_backward.cpp) validation+=("$file") ;;
    */adaptive_max_pool3d.cpp | */max_pool2d_with_mask.cpp | */max_pool3d_with_argmax.cpp) ;;
    */replication_pad2d.cpp | */upsample_bilinear2d.cpp | *.txt) ;;
    *) validation+=("$file") ;;
  esac
done
"$cov" report "${seen[@]}" "${validation[@]}" >"$work/validation.txt"
regions() { awk '/^TOTAL/ { printf "%s of %d regions", $4, $2 }' "$1"; }
printf '\nCoverage: %s/coverage/index.html\n' "$work"
printf '  opt/ and ref/: %s\n' "$(regions "$work/coverage.txt")"
printf '  validation of the gradients in opt/ops: %s; never run:\n' "$(regions "$work/validation.txt")"
"$cov" export "${seen[@]}" -skip-expansions "${validation[@]}" | python3 "$root/fuzz/never_run.py" "$root"
