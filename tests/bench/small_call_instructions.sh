#!/usr/bin/env bash
# Counts the instructions of the smallest calls and holds them against their ceilings; they must
# allocate nothing. Arguments: PROGRAM CONFIGURATIONS LIBRARY CEILINGS PRELOADED.
set -euo pipefail
calls=500
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

source "$(dirname "${BASH_SOURCE[0]}")/../needs.sh"
needs valgrind valgrind
# Threads apart: how often the stream's own thread wakes up depends on time.
LD_PRELOAD=$5 valgrind --quiet --tool=callgrind --separate-threads=yes --callgrind-out-file="$folder/out" \
  "$1" "$2" "$3" "$calls" | tee "$folder/said" || { echo "the calls failed, or allocated"; exit 1; }
if grep -q '^compiled without' "$folder/said"; then
  echo "skipped: this build counts nothing (Debian: valgrind)"
  exit 77
fi

counted=0 status=0
while read -r name ceiling; do
  file=$(grep -l "Client Request: $name\$" "$folder"/out.*-01) || { echo "$name was not counted"; status=1; continue; }
  total=$(sed -n 's/^totals: //p' "$file")
  each=$((total / calls))
  printf '%-18s %6d of at most %6d\n' "$name" "$each" "$ceiling"
  [ "$each" -le "$ceiling" ] || { echo "$name takes too many instructions"; status=1; }
  counted=$((counted + 1))
done < <(grep -v '^#' "$4")
[ $counted -gt 0 ] || { echo "$4 has no ceiling"; status=1; }
exit $status
