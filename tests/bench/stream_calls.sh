#!/usr/bin/env bash
# The benchmark of calls from several threads runs to its end and prints its percentiles. Argument: PROGRAM.
set -euo pipefail
said=$("$1" --benchmark_min_time=0.01 2>&1) || { echo "$said"; exit 1; }
grep 'calls/side:160/real_time/threads:16 .*p50_us=' <<<"$said" ||
  { echo "$said"; echo "no percentiles of 16 threads"; exit 1; }
