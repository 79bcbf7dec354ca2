#!/usr/bin/env bash
# fuzz_coverage.sh SOURCE PREFIX WORK: gradproof_fuzz_coverage() of the CMake package compiles a subject for `./run fuzz --library`
# with clang, and says what it needs with another compiler.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/../needs.sh"
source=$1 prefix=$2 work=$3
rm -rf "$work"
mkdir -p "$work/project"
cat >"$work/project/CMakeLists.txt" <<END
cmake_minimum_required(VERSION 3.25)
project(mine CXX)
find_package(gradproof REQUIRED COMPONENTS subject)
add_library(mine MODULE $source/examples/kernels/replication_pad2d_backward.cpp)
target_link_libraries(mine PRIVATE gradproof::subject)
gradproof_fuzz_coverage(mine)
END
configure() { cmake -S "$work/project" -B "$work/$1" -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_CXX_COMPILER="$1" >"$work/$1.log" 2>&1; }
if configure g++; then echo 'g++ is accepted'; exit 1; fi
grep -q 'gradproof_fuzz_coverage(mine): coverage for fuzzing needs clang' "$work/g++.log" || { cat "$work/g++.log"; exit 1; }
clang=$(command -v clang++-19 || command -v clang++ || true)
[ -n "$clang" ] || needs clang++-19 clang-19
clang=$(basename "$clang")
configure "$clang" && cmake --build "$work/$clang" >>"$work/$clang.log" 2>&1 || { cat "$work/$clang.log"; exit 1; }
nm -D "$work/$clang"/libmine.so >"$work/names"
for name in __sanitizer_cov_ __asan_; do
  grep -q "$name" "$work/names" || { echo "the library has no $name: it is not instrumented"; exit 1; }
done
