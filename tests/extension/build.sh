#!/usr/bin/env bash
# build.sh SOURCE PREFIX BUILD: builds the example as another project would, from a copy, against the installed tree PREFIX.
set -euo pipefail
source=$1 prefix=$2 build=$3
rm -rf "$build"
[ -d "$prefix" ] || { echo "skipped: the test that makes $prefix was skipped"; exit 77; }
mkdir -p "$build"
cp -r "$source" "$build/source"
cmake -S "$build/source" -B "$build/build" -G Ninja -DCMAKE_PREFIX_PATH="$prefix" >/dev/null
cmake --build "$build/build"
