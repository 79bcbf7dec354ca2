#!/usr/bin/env bash
# run.sh CHECKOUTS PREFIX OUT: runs mindtorch_v2's NPU backend of CHECKOUTS/mindnlp on the installed tree PREFIX, and compares
# it with ATen. Exit status 77 if something is missing, 1 if a call differs.
set -euo pipefail
here=$(dirname "${BASH_SOURCE[0]}")
source "$here/../common.sh"
checkouts=$1 prefix=$2 out=$3
checkout "$checkouts" mindnlp src/mindtorch_v2/_backends/npu/aclnn.py github.com/mindspore-lab/mindnlp
python=
for candidate in python3 /usr/bin/python3; do
  ! "$candidate" -c 'import numpy, torch' 2>/dev/null || { python=$candidate; break; }
done
[ -n "$python" ] || { echo "skipped: Python has no numpy or no torch (Debian: python3-torch)"; exit 77; }

set +u
source "$prefix/set_env.sh"
set -u
mkdir -p "$out"
status=0
"$here/enter.sh" "$checkouts" "$prefix" "$out" "$python" "$here/compare.py" > "$out/rows" || status=$?
if [ $status -eq 77 ]; then cat "$out/rows"; else counts < "$out/rows"; fi
exit $status
