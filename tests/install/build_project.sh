#!/usr/bin/env bash
# build_project.sh SOURCE BUILD [OPTION…]: configures and builds a CMake project from nothing.
set -euo pipefail
source=$1 build=$2
shift 2
rm -rf "$build"
cmake -S "$source" -B "$build" -G Ninja "$@" >/dev/null
cmake --build "$build"
