#!/usr/bin/env bash
# pipes.sh ROOT: no script with `pipefail` pipes into `grep -q`, which ends at the first match: a program that still writes
# then dies of SIGPIPE, and the test fails at random. `grep -q … <<<"$(program)"` waits for the program.
set -euo pipefail
cd "$1"
mapfile -t scripts < <(grep -rIlE --exclude-dir=build --exclude-dir=.git '^set -[a-z]*o pipefail' .)
[ ${#scripts[@]} -gt 70 ] || { echo "only ${#scripts[@]} scripts found"; exit 1; }
status=0
grep -nE '[^|]\| *grep -[A-Za-z]*q' "${scripts[@]}" fuzz/campaign.sh fuzz/afl.sh || status=$?
[ $status -eq 1 ] || exit 1  # 2: a file is gone
echo "${#scripts[@]} scripts conform"
