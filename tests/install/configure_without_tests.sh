#!/usr/bin/env bash
# configure_without_tests.sh SOURCE BUILD: with BUILD_TESTING=OFF the project configures without the
# test libraries, and knows library, reference and command line.
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
