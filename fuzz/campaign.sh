#!/usr/bin/env bash
# Runs fuzz targets one after the other for a given time, minimises what they find and merges what
# they learnt. `./run fuzz` calls it, after building.
#
#   campaign.sh BUILDS MINUTES JOBS KEEP TARGET…
#
# BUILDS is the folder of the builds fuzz (sanitizers), fuzz-fast (none) and fuzz-cover (for the
# coverage report); what the campaign makes goes into BUILDS/campaign. Each target gets an equal part
# of MINUTES, half of it without sanitizers. KEEP=yes folds the result into corpus/.
# Every input that reaches something new is written at once, so an interrupt loses nothing, and the
# next campaign begins with it. Exit status: 1 if anything was found.
set -euo pipefail
root=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/.." && pwd)
builds=$1 minutes=$2 jobs=$3 keep=$4
shift 4
work=$builds/campaign
mkdir -p "$work/tmp"
export TMPDIR=$work/tmp  # for what a process that dies leaves behind
most_findings=20  # of one target in one campaign; more of them are mostly the same one
seconds=$(awk -v m="$minutes" -v n=$# 'BEGIN { s = int(m * 60 / n / 2); print s < 1 ? 1 : s }')
found=0 stopped=no
# Traces of every allocation cost two thirds of the speed; what is found is run again with them. Leaks
# are the property no-leak's to find: threads that come and go mislead libFuzzer's count of allocations.
export ASAN_OPTIONS=detect_leaks=0:malloc_context_size=0:quarantine_size_mb=16 UBSAN_OPTIONS=print_stacktrace=1

flags=(-timeout=10 -rss_limit_mb=2048 -malloc_limit_mb=512 -print_final_stats=1 -reload=5)

# A process that fuzzes one target until its time is over, and starts anew after each finding.
fuzz() {
  local program=$1 target=$2 log=$3 until=$((SECONDS + seconds)) left
  local dictionary=$root/corpus/dictionaries/$target.dict
  [ -f "$dictionary" ] || dictionary=$root/corpus/dictionaries/boundaries.dict
  : >"$log"
  while left=$((until - SECONDS)) && [ $left -gt 0 ]; do
    "$program" "${flags[@]}" "-dict=$dictionary" -max_len=4096 -max_total_time=$left \
      -artifact_prefix="$work/$target/findings/" "$work/$target/corpus" "$root/corpus/$target" \
      >>"$log" 2>&1 && break
    [ "$(find "$work/$target/findings" -type f | wc -l)" -lt $most_findings ] || break
  done
}

# "cov ft corpus exec/s" of the newest line of a log that has them.
newest() {
  grep -a 'cov: ' "$1" 2>/dev/null | tail -n 1 |
    sed -E 's/^#([0-9]+).* cov: ([0-9]+) ft: ([0-9]+) corp: ([0-9]+).* exec\/s: ([0-9]+).*/runs \1, edges \2, features \3, inputs \4, \5\/s/' || true
}

# Runs $jobs processes of one arm and shows how they get on.
arm() {
  local build=$1 target=$2 pids=() job pid
  for ((job = 0; job < jobs; ++job)); do
    fuzz "$builds/$build/fuzz/$target" "$target" "$work/$target/$build-$job.log" &
    pids+=($!)
  done
  # First those that would start a fuzzer anew, then the fuzzers.
  trap 'stopped=yes; children=$(pgrep -P "$(IFS=,; echo "${pids[*]}")" || true); kill "${pids[@]}" 2>/dev/null || true; [ -z "$children" ] || kill -INT $children 2>/dev/null || true' INT TERM
  for pid in "${pids[@]}"; do
    while kill -0 "$pid" 2>/dev/null; do
      sleep 5 &
      wait $! || true
      printf '   %-10s %-52s %s; findings %s\n' "$build" "$target" "$(newest "$work/$target/$build-0.log")" \
        "$(find "$work/$target/findings" -type f | wc -l)" >&2
    done
  done
  wait "${pids[@]}" 2>/dev/null || true
  trap - INT TERM
}

# Makes a finding small and prints it as a case with the line that repeats it.
explain() {
  local target=$1 file=$2 program small
  program=$builds/fuzz/fuzz/$target
  small=$work/$target/small-$(basename "$file")
  "$program" -minimize_crash=1 -max_total_time=20 -exact_artifact_path="$small" "$file" >/dev/null 2>&1 || true
  [ -s "$small" ] || cp "$file" "$small"
  printf '\nFINDING of %s: %s\n' "$target" "$small"
  ASAN_OPTIONS=detect_leaks=0 GRADPROOF_FUZZ_SHOW=1 "$program" "$small" 2>&1 |
    grep -aE -A3 '^finding|^case: |^repro: |ERROR: |runtime error|^SUMMARY' | awk '!seen[$0]++' | head -40 || true
}

executed() { cat "$work/$1"/*.log | sed -n 's/^stat::number_of_executed_units: *//p' | awk '{ n += $1 } END { print n + 0 }'; }

# The smallest set of inputs that reaches everything that old and new ones do.
merge() {
  local target=$1
  rm -rf "$work/$target/minimal"
  mkdir "$work/$target/minimal"
  "$builds/fuzz-fast/fuzz/$target" -set_cover_merge=1 "$work/$target/minimal" "$root/corpus/$target" \
    "$work/$target/corpus" >"$work/$target/merge.log" 2>&1 || { tail -n 5 "$work/$target/merge.log" >&2; return; }
  [ "$keep" = yes ] || return 0
  find "$root/corpus/$target" -maxdepth 1 -type f -delete
  cp "$work/$target/minimal"/* "$root/corpus/$target/"
}

coverage() {
  local target objects=() profiles=()
  for target in "$@"; do
    local program=$builds/fuzz-cover/fuzz/$target
    LLVM_PROFILE_FILE=$work/$target/profile "$program" "$root/corpus/$target" "$work/$target/corpus" >/dev/null 2>&1 || true
    [ ! -f "$work/$target/profile" ] || { profiles+=("$work/$target/profile"); objects+=(-object "$program"); }
  done
  [ ${#profiles[@]} -gt 0 ] || return 0
  "${LLVM_PROFDATA:-llvm-profdata}" merge -o "$work/all.profdata" "${profiles[@]}"
  "${LLVM_COV:-llvm-cov}" show "${objects[@]:1}" -instr-profile="$work/all.profdata" -format=html \
    -output-dir="$work/coverage" "$root/opt" "$root/ref" >/dev/null
  "${LLVM_COV:-llvm-cov}" report "${objects[@]:1}" -instr-profile="$work/all.profdata" "$root/opt" "$root/ref" >"$work/coverage.txt"
  printf '\nCoverage: %s/coverage/index.html, %s/coverage.txt\n' "$work" "$work"
  tail -n 1 "$work/coverage.txt"
}

printf '%-52s %12s %8s %8s %8s\n' target executions edges inputs findings >"$builds/campaign.txt.new" 2>/dev/null ||
  { mkdir -p "$builds"; printf '%-52s %12s %8s %8s %8s\n' target executions edges inputs findings >"$builds/campaign.txt.new"; }
for target in "$@"; do
  mkdir -p "$work/$target/corpus" "$work/$target/findings"
  rm -f "$work/$target"/*.log
  for build in fuzz-fast fuzz; do
    [ $stopped = yes ] || arm $build "$target"
  done
  [ $stopped = yes ] || merge "$target"
  findings=$(find "$work/$target/findings" -type f | sort)
  number=$(printf '%s' "$findings" | grep -c . || true)
  edges=$(newest "$work/$target/fuzz-0.log" | sed -nE 's/.*edges ([0-9]+).*/\1/p')
  printf '%-52s %12s %8s %8s %8s\n' "$target" "$(executed "$target")" "${edges:--}" \
    "$(find "$work/$target/minimal" -type f 2>/dev/null | wc -l)" "$number" >>"$builds/campaign.txt.new"
  while read -r file; do
    [ -n "$file" ] || continue
    found=1
    explain "$target" "$file"
  done <<<"$findings"
  [ $stopped = no ] || break
done
mv "$builds/campaign.txt.new" "$work/campaign.txt"
printf '\n'
cat "$work/campaign.txt"
[ $stopped = yes ] || coverage "$@"
exit $found
