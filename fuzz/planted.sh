#!/usr/bin/env bash
# How soon fuzzing alone finds faults that are planted in the library's validation, ten for each gradient
# (planted/CMakeLists.txt): with the inputs of corpus/ and with none. `./run fuzz --planted` calls it,
# after building, and docs/results/fuzzing.md has the table that it prints.
#
#   planted.sh BUILD
#
# A time is the median of three runs, in seconds of processor time up to the printed finding, so that other
# work on the machine does not count. Exit status: 1 if a fault was missed or a gradient's median is 30 s or
# more.
set -euo pipefail
root=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/.." && pwd)
build=$1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir "$scratch/nothing"
missed=999
. "$root/fuzz/engine.sh"
export TIMEFORMAT='%U %S' TMPDIR=$scratch
export UBSAN_OPTIONS=symbolize=0  # nobody reads the stacks, and they take longer than the fault

# Seconds until a program says that something is wrong, when it begins with the inputs of a folder.
seconds() {
  local program=$1 inputs=$2 seed
  for seed in 1 2 3; do
    rm -rf "$scratch/learnt"
    mkdir "$scratch/learnt"
    { time timeout -s KILL 180 "$program" "${flags[@]}" -seed=$seed -max_total_time=120 "-artifact_prefix=$scratch/" \
      "-dict=$(dictionary get_workspace_size)" "$scratch/learnt" "$inputs" >"$scratch/log" 2>&1 </dev/null || true; } 2>"$scratch/time"
    if grep -aq '^finding (' "$scratch/log"; then awk '{ print $1 + $2 }' "$scratch/time"; else echo $missed; fi
  done | sort -n | sed -n 2p
}

while IFS=. read -r operator fault; do
  program=$build/fuzz/planted/$operator.$fault
  times="$(seconds "$program" "$root/corpus/get_workspace_size_$operator") $(seconds "$program" "$scratch/nothing")"
  printf '%s %s %s\n' "$operator" "$fault" "$times"
  printf '   %-34s %-36s %s\n' "$operator" "$fault" "$times" >&2
done <"$build/fuzz/planted/list" >"$scratch/times"

awk -v missed=$missed '
  function median(values, n, i, j, v) {
    for (i = 2; i <= n; ++i)
      for (j = i; j > 1 && values[j - 1] > values[j]; --j) { v = values[j]; values[j] = values[j - 1]; values[j - 1] = v }
    return (values[int((n + 1) / 2)] + values[int(n / 2) + 1]) / 2
  }
  function shown(seconds) { return seconds == missed ? "missed" : sprintf("%.2f", seconds) }
  !($1 in count) { operators[++columns] = $1 }
  !($2 in seen) { seen[$2]; faults[++rows] = $2 }
  {
    cell[$2, $1] = shown($3) " / " shown($4)
    corpus[$1, ++count[$1]] = $3
    empty[$1, count[$1]] = $4
    if ($3 == missed || $4 == missed) bad = 1
  }
  END {
    printf "| fault"
    for (c = 1; c <= columns; ++c) printf " | `%s`", operators[c]
    printf " |\n|---"
    for (c = 1; c <= columns; ++c) printf "|---"
    print "|"
    for (r = 1; r <= rows; ++r) {
      printf "| `%s`", faults[r]
      for (c = 1; c <= columns; ++c) printf " | %s", ((faults[r], operators[c]) in cell) ? cell[faults[r], operators[c]] : "–"
      print " |"
    }
    printf "| median"
    for (c = 1; c <= columns; ++c) {
      n = count[operators[c]]
      for (i = 1; i <= n; ++i) { a[i] = corpus[operators[c], i]; b[i] = empty[operators[c], i] }
      from_corpus = median(a, n)
      from_empty = median(b, n)
      if (from_corpus >= 30 || from_empty >= 30) bad = 1
      printf " | %s / %s", shown(from_corpus), shown(from_empty)
    }
    print " |"
    exit bad
  }' "$scratch/times"
