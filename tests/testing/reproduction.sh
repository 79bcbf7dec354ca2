#!/usr/bin/env bash
# reproduction.sh PROGRAM: a seed in RC_PARAMS gives one counterexample, and the line that RapidCheck prints after it
# repeats that one alone.
set -euo pipefail
program=$1
unset RC_PARAMS
output() { "$program" 2>&1 || [ $? -eq 1 ]; }
found() { grep '^found after' <<<"$1"; }

first=$(RC_PARAMS=seed=5 output)
again=$(RC_PARAMS=seed=5 output)
[ "$(found "$first")" = "$(found "$again")" ] || { echo "one seed, two counterexamples: $first $again"; exit 1; }

line=$(grep -oE 'RC_PARAMS="reproduce=[^"]*"' <<<"$first") || { echo "no way to reproduce: $first"; exit 1; }
line=${line#RC_PARAMS=\"}
repeated=$(RC_PARAMS=${line%\"} output)
for text in "$first" "$repeated"; do grep '^replication_pad2d_backward gradOutput=' <<<"$text"; done | sort -u |
  { read -r _ && ! read -r other || { echo "another counterexample: $other"; exit 1; }; }
! grep -q 'found after 0 cases' <<<"$first" && grep -q 'found after 0 cases' <<<"$repeated" || { echo "not found late, or not repeated at once: $first $repeated"; exit 1; }
