#!/usr/bin/env bash
# Writes the seeds of corpus/ anew: generated cases and boundary cases, and the smallest set of them (and of
# what is written by hand, case_json) that reaches everything that they reach together. Past findings
# stay. `./run fuzz --seeds` calls it.
#
#   seeds.sh BUILDS TARGET…
#
# BUILDS is the folder of the builds release (for the command line) and fuzz-fast (for the targets).
set -euo pipefail
root=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/.." && pwd)
builds=$1
shift
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
"$builds/release/props/cli/gradproof" corpus "$scratch/all"
for target in "$@"; do
  mkdir -p "$root/corpus/$target" "$scratch/chosen/$target"
  if [ ! -d "$scratch/all/$target" ]; then continue; fi
  "$builds/fuzz-fast/fuzz/$target" -max_len=4096 -set_cover_merge=1 "$scratch/chosen/$target" "$scratch/all/$target" >"$scratch/log" 2>&1 ||
    { tail -n 5 "$scratch/log" >&2; exit 1; }
  find "$root/corpus/$target" -maxdepth 1 -type f -delete
  cp "$scratch/chosen/$target"/* "$root/corpus/$target/"
  printf '%-52s %5d of %d seeds\n' "$target" "$(ls "$scratch/chosen/$target" | wc -l)" "$(ls "$scratch/all/$target" | wc -l)"
done
du -sh "$root/corpus"
