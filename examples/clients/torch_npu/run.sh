#!/usr/bin/env bash
# run.sh CHECKOUTS PREFIX OUT: builds torch_npu's operator plugin from CHECKOUTS/op-plugin and CHECKOUTS/pytorch on the
# installed tree PREFIX, and compares it with ATen in both conformances and each of the three modes of its task queue.
# Exit status 77 if something is missing, 1 if a call differs.
set -euo pipefail
here=$(dirname "${BASH_SOURCE[0]}")
source "$here/../common.sh"
checkouts=$1 prefix=$2 out=$3
checkout "$checkouts" op-plugin op_plugin/utils/op_api_common.h github.com/Ascend/op-plugin
checkout "$checkouts" pytorch torch_npu/csrc/core/npu/NpuVariables.h github.com/Ascend/pytorch
echo '#include <ATen/ATen.h>' | "${CXX-c++}" -std=c++17 -E -x c++ - >/dev/null 2>&1 ||
  { echo "skipped: libtorch is not installed (Debian: libtorch-dev)"; exit 77; }
"$here/build.sh" "$checkouts" "$prefix" "$out"

set +u
source "$prefix/set_env.sh"
set -u
status=0
for conformance in documented cann; do
  for queue in 0 1 2; do
    GRADPROOF_CONFORMANCE=$conformance TASK_QUEUE_ENABLE=$queue "$out/compare" || status=1
  done
done > "$out/rows"
counts < "$out/rows"
for conformance in documented cann; do
  printf '\n| input, conformance %s | ATen | torch_npu on gradproof |\n|---|---|---|\n' $conformance
  GRADPROOF_CONFORMANCE=$conformance "$out/compare" differences | sed 's/|/\\|/g; s/\t/ | /g; s/^/| /; s/$/ |/' || status=1
done
exit $status
