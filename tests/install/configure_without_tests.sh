#!/usr/bin/env bash
# configure_without_tests.sh SOURCE BUILD: with BUILD_TESTING=OFF the project configures without the
# test libraries, and knows library, reference and command line; so do other choices that tests cannot do without.
set -euo pipefail
source=$1 build=$2
rm -rf "$build"
cmake -S "$source" -B "$build" -G Ninja -DBUILD_TESTING=OFF \
  --no-warn-unused-cli -DCMAKE_DISABLE_FIND_PACKAGE_GTest=ON -DCMAKE_DISABLE_FIND_PACKAGE_rapidcheck=ON >/dev/null
targets=$(ninja -C "$build" -t targets all)
for target in gradproof gradproof_ref gradproof_cli; do
  grep -q "^$target: phony" <<<"$targets" || { echo "no target $target"; exit 1; }
done
! grep -q '^test_' <<<"$targets" || { echo "there are test programs"; exit 1; }

for option in -DGRADPROOF_TOOLS=OFF -DGRADPROOF_INSTALL=OFF; do
  rm -rf "$build"
  cmake -S "$source" -B "$build" -G Ninja "$option" >"$build.log" 2>&1 || { cat "$build.log"; exit 1; }
  grep -q 'No tests: they need' "$build.log" || { echo "$option: nothing says that there are no tests"; exit 1; }
done
rm -rf "$build"
! cmake -S "$source" -B "$build" -G Ninja -DGRADPROOF_TOOLS=OFF -DGRADPROOF_BENCH=ON >"$build.log" 2>&1 &&
  grep -q 'GRADPROOF_BENCH needs GRADPROOF_TOOLS' "$build.log" || { echo "benchmarks without the suite"; exit 1; }

# As a part of another project, whose variables are its own.
mkdir -p "$build.parent"
cat >"$build.parent/CMakeLists.txt" <<END
cmake_minimum_required(VERSION 3.25)
project(parent LANGUAGES CXX)
set(fuzz ON)
set(GRADPROOF_TOOLS ON)
add_subdirectory($source gradproof)
if(TARGET fuzzers)
  message(FATAL_ERROR "a variable of the parent chooses the fuzz targets")
endif()
END
cmake -S "$build.parent" -B "$build.parent/build" -G Ninja >"$build.log" 2>&1 || { cat "$build.log"; exit 1; }
