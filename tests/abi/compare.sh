#!/usr/bin/env bash
# compare.sh RECORDED LIBRARY INCLUDE: the library's interface is the recorded one. docs/versions.md says
# what to do when it is not.
set -euo pipefail
recorded=$1 library=$2 include=$3
source "$(dirname "${BASH_SOURCE[0]}")/../needs.sh"
needs abidiff abigail-tools
readelf -S "$library" | grep '\.debug_info' >/dev/null || { echo "skipped: no debug information in $library"; exit 77; }
machine=$(readelf -h "$library" | sed -n 's/.*Machine: *//p')
[[ $machine == *X86-64 ]] || { echo "skipped: the recorded interface is x86-64's, this is $machine"; exit 77; }

dump=$(mktemp)
trap 'rm -f "$dump"' EXIT
"$(dirname "${BASH_SOURCE[0]}")/dump.sh" "$library" "$include" > "$dump"
status=0
abidiff "$recorded" "$dump" || status=$?
# Bits of abidiff's answer: 1 and 2 an error, 4 a difference, 8 one that breaks programs for certain.
((status & 3)) && { echo "abidiff failed"; exit 1; }
((status & 8)) && { echo "Programs that were linked before would break."; exit 1; }
((status & 4)) && { echo "The interface is not the recorded one."; exit 1; }
exit 0
