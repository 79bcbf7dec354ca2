#!/usr/bin/env bash
# build.sh CHECKOUTS PREFIX OUT: compiles op-plugin's operator files, unchanged, from CHECKOUTS/op-plugin, with the
# stand-in for torch_npu and three files of CHECKOUTS/pytorch, against Debian's libtorch and the installed tree PREFIX; then
# links OUT/compare. CXXFLAGS has more flags. An object that is older than its source is compiled again.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
plugin=$(realpath "$1")/op-plugin torch_npu=$(realpath "$1")/pytorch prefix=$(realpath "$2")
mkdir -p "$3"
cd "$3"
operators=()
for name in {AdaptiveMaxPool3d,MaxPool2dWithIndices,MaxPool3dWithIndices,UpsampleBilinear2d}{,Backward}; do
  operators+=("$plugin/op_plugin/ops/opapi/${name}KernelNpuOpApi.cpp")
done

# torch_npu's headers: its own for macros and chips; every other included header is one line that includes the stand-in.
own=torch_npu/csrc/core/npu
mkdir -p "headers/$own"
cp "$torch_npu/$own"/{NPUMacros.h,NpuVariables.h,NpuVariables.cpp} "headers/$own"
grep -rhoE --exclude-dir=custom_functions '#include ["<]torch_npu/[^">]+' "$plugin/op_plugin/utils" "${operators[@]}" headers |
  sed 's/.*["<]//' | sort -u | while read -r header; do
  [ -e "headers/$header" ] || { mkdir -p "headers/$(dirname "$header")"; echo '#include "standin.h"' > "headers/$header"; }
done

flags=(-std=c++17 -O1 -w -fPIC -DCURRENT_VERSION=0 -I"$here/standin" -Iheaders -I"$plugin" -I"$plugin/op_plugin/utils"
  -I"$prefix/include" -I"$prefix/include/aclnn")
# shellcheck disable=SC2206  # words
flags+=(${CXXFLAGS-})
objects=() waiting=()
for source in "${operators[@]}" "$plugin"/op_plugin/utils/{op_api_common,KernelNpuOutputSize,OpUtils,op_log}.cpp \
    "headers/$own/NpuVariables.cpp" "$here"/standin/*.cpp "$here"/compare/*.cpp; do
  object=$(basename "$source" .cpp).o
  objects+=("$object")
  [ "$object" -nt "$source" ] || waiting+=("$source" "$object")
done
printf '%s\n' "${waiting[@]}" | xargs -r -d '\n' -n2 -P"$(nproc)" bash -c \
  'flags=("${@:1:$#-2}"); exec "${CXX-c++}" "${flags[@]}" -c "${@: -2:1}" -o "${@: -1}"' bash "${flags[@]}"
"${CXX-c++}" "${flags[@]}" "${objects[@]}" -o compare -L"$prefix/lib64" -lascendcl -ltorch -ltorch_cpu -lc10 -lglog -ldl -pthread
