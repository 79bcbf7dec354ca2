#!/usr/bin/env bash
# Fuzzes a library behind the API from another build: every target that fits it, one after the
# other, then one judgement of all that was found. `./run fuzz --library` calls it, after building.
#
#   library.sh PROGRAM WORK MINUTES JOBS PROFILE TARGETS LIBRARY…
#
# PROGRAM is fuzz_library, or fuzz_library_sanitized for a library with clang's sanitizers. WORK gets a folder
# for each of the TARGETS (words in one argument; empty: all that fit) with its inputs, crashes and log, and
# `findings`, a case line a finding. A process that the library ends
# is replaced (libFuzzer's fork mode), and the input becomes a finding. Exit status: 1 if this run has a finding, 2 if
# it has none and a target executed no input.
set -euo pipefail
root=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/.." && pwd)
program=$1 work=$2 minutes=$3 jobs=$4
export GRADPROOF_FUZZ_PROFILE=$5
wanted=$6
shift 6
. "$root/fuzz/engine.sh"
GRADPROOF_FUZZ_LIBRARY=$(IFS=:; echo "$*")
export GRADPROOF_FUZZ_LIBRARY GRADPROOF_FUZZ_FINDINGS=$work/findings TMPDIR=$work/tmp
mkdir -p "$work/tmp" "$work/findings"
mapfile -t targets < <("$program" 2>"$work/start.log")
[ ${#targets[@]} -gt 0 ] || { cat "$work/start.log" >&2; printf 'library.sh: no target fits the library\n' >&2; exit 2; }
[ -z "$wanted" ] || read -ra targets <<<"$wanted"
seconds=$(awk -v m="$minutes" -v n=${#targets[@]} 'BEGIN { s = int(m * 60 / n); print s < 1 ? 1 : s }')
begin=$(date +%s) idle=0
touch "$work/begin"  # files of earlier runs are older

# The newest figure of that name in a log of fork mode.
figure() { grep -aoE "$2[ :]+[0-9]+" "$work/$1/log" 2>/dev/null | tail -n 1 | grep -oE '[0-9]+$' || echo 0; }

# A row of the table, on stderr too. `findings` counts new case lines: of the inputs that crash or hang, and of wrong
# statuses and results.
row() { printf '%-52s %12s %9s %8s %10s %9s\n' "$@" | tee -a "$work/campaign.txt" >&2; }
files() { find "$@" -type f | wc -l; }

: >"$work/campaign.txt"
row target executions 'a second' edges crash/hang findings
for target in "${targets[@]}"; do
  mkdir -p "$work/$target/corpus" "$work/$target/crashes"
  findings=$(files "$work/findings") crashes=$(files "$work/$target/crashes")
  seeds=$root/corpus/$target
  [ -d "$seeds" ] || seeds=
  GRADPROOF_FUZZ_TARGET=$target "$program" "${flags[@]}" "-fork=$jobs" -ignore_crashes=1 -ignore_timeouts=1 \
    -ignore_ooms=1 "-dict=$(dictionary "$target")" "-max_total_time=$seconds" \
    "-artifact_prefix=$work/$target/crashes/" "$work/$target/corpus" $seeds >"$work/$target/log" 2>&1 || true
  while read -r file; do
    GRADPROOF_FUZZ_TARGET=$target GRADPROOF_FUZZ_KEEP=1 "$program" "$file" >/dev/null 2>&1 || true
  done < <(find "$work/$target/crashes" -type f -newer "$work/begin")
  executed=$(grep -aoE '^#[0-9]+' "$work/$target/log" | tail -n 1 | tr -d '#' || true)
  row "$target" "${executed:-0}" $((${executed:-0} / seconds)) "$(figure "$target" cov)" \
    $(($(files "$work/$target/crashes") - crashes)) $(($(files "$work/findings") - findings))
  [ "${executed:-0}" -gt 0 ] || {
    tail -n 5 "$work/$target/log" >&2
    printf 'library.sh: %s executed no input; its log: %s\n' "$target" "$work/$target/log" >&2
    idle=2
  }
done
rm -rf "$work/tmp"  # of processes that the library ended
first=$(find "$work"/findings "$work"/*/crashes -type f -newer "$work/begin" -printf '%T@\n' | sort -n | sed -n 1p)
[ -n "$first" ] || { [ $idle -ne 0 ] || printf 'No findings.\n'; exit $idle; }
printf 'First finding after %d s. Cases: %s\n' "$((${first%.*} - begin))" "$work/findings"
exit 1
