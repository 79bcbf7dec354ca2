#!/usr/bin/env bash
# figures.sh PROGRAM ROUNDS LIBRARY…: what processes cost with several builds of the library (paths of libgradproof.so.0),
# which take turns in each of ROUNDS rounds. Prints a table of Markdown, for each library the median of its rounds and,
# in brackets, the least and the greatest. Kernels run on one thread.
set -euo pipefail
program=$1 rounds=$2
shift 2
figures=$(mktemp -d)
trap 'rm -rf "$figures"' EXIT
for ((round = 1; round <= rounds; ++round)); do
  number=0
  for library in "$@"; do
    number=$((number + 1))
    echo "round $round, $library; load $(cut -d' ' -f1-3 /proc/loadavg)" >&2
    GRADPROOF_NUM_THREADS=1 LD_LIBRARY_PATH=$(dirname "$library") "$program" | sed "s/^/$number\t/" >>"$figures/all"
  done
done
LC_ALL=C sort -t$'\t' -k1,1n -k3,3g "$figures/all" |
  awk -F '\t' -v libraries=$# -v rounds="$rounds" -v all="$figures/all" '
    { value[$1, $2, ++count[$1, $2]] = $3 }
    END {
      while ((getline line < all) > 0) {  # in the order in which the program prints them
        split(line, field, "\t")
        if (seen[field[2]]++) continue
        row = "| " field[2]
        for (l = 1; l <= libraries; ++l)
          row = row sprintf(" | %s (%s–%s)", value[l, field[2], int((rounds + 1) / 2)], value[l, field[2], 1],
                            value[l, field[2], rounds])
        print row " |"
      }
    }'
