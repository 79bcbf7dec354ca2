#!/usr/bin/env bash
# How many inputs a second each target runs while it fuzzes, from corpus/, in each arm of a campaign.
# `./run fuzz --speed` calls it, after building, and docs/results/fuzzing.md has the table that it prints.
#
#   speed.sh BUILDS TARGET…
#
# A second is one of processor time of one process, so that other work on the machine does not count.
# Exit status: 1 if a target under the sanitizers is slower than it must be.
set -euo pipefail
root=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/.." && pwd)
builds=$1
shift
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
. "$root/fuzz/engine.sh"
export TIMEFORMAT='%U %S' TMPDIR=$scratch

# What a program ran, and the seconds that it took: "<inputs> <seconds>".
measure() {
  local program=$1 target=$2
  shift 2
  rm -rf "$scratch/learnt"
  mkdir "$scratch/learnt"
  { time "$program" "${flags[@]}" "-dict=$(dictionary "$target")" -seed=1 "$@" "-artifact_prefix=$scratch/" \
    "$scratch/learnt" "$root/corpus/$target" >"$scratch/log" 2>&1 || { tail -n 3 "$scratch/log" >&2; exit 1; }; } 2>"$scratch/time"
  awk '/^stat::number_of_executed_units/ { runs = $2 } FILENAME != ARGV[1] { seconds = $1 + $2 } END { print runs, seconds }' \
    "$scratch/log" "$scratch/time"
}

# Inputs a second in one arm, once it has started and read corpus/.
speed() {
  local start all
  start=$(measure "$@" -runs=1) && all=$(measure "$@" -max_total_time=20) || exit 1
  awk '{ print int(($3 - $1) / ($4 - $2)) }' <<<"$start $all"
}

demanded() {
  case $1 in
    get_workspace_size_*) echo 20000 ;;
    execute_*) echo 3000 ;;
    *) echo 0 ;;
  esac
}

slow=0
printf '| target | sanitizers | none |\n|---|---|---|\n'
for target in "$@"; do
  sanitized=$(speed "$builds/fuzz/fuzz/$target" "$target") && plain=$(speed "$builds/fuzz-fast/fuzz/$target" "$target") ||
    { printf 'speed.sh: %s ended early\n' "$target" >&2; exit 1; }
  printf '| `%s` | %d | %d |\n' "$target" "$sanitized" "$plain"
  [ "$sanitized" -ge "$(demanded "$target")" ] || slow=1
done
exit $slow
