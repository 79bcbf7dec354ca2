#!/usr/bin/env bash
# kernel_project.sh PREFIX PAGE KERNEL WORK: the CMake lines of the page make a library of the kernel, and a test that passes.
set -euo pipefail
prefix=$1 page=$2 kernel=$3 work=$4
rm -rf "$work"
mkdir -p "$work"
cp "$kernel" "$work/mine.cpp"
{
  echo 'cmake_minimum_required(VERSION 3.25)'
  echo 'project(mine LANGUAGES CXX)'
  sed -n '/^```cmake$/,/^```$/p' "$page" | grep -v '^```'
} >"$work/CMakeLists.txt"
cmake -S "$work" -B "$work/build" -G Ninja -DCMAKE_PREFIX_PATH="$prefix" >/dev/null
cmake --build "$work/build"
ctest --test-dir "$work/build" --output-on-failure | tee "$work/log"
grep -q '100% tests passed.* out of 1' "$work/log"
