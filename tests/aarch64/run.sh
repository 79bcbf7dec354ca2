#!/usr/bin/env bash
# run.sh SOURCE WORK PROCESSOR: cross-builds library, suite and tests for aarch64 in WORK and runs them under
# qemu as a PROCESSOR: neon (no SVE at all), sve256 or sve512 (SVE with vectors of that many bits). The
# library chooses among its kernels by what the processor has. Exit status 77 where a tool is missing.
set -euo pipefail
source=$(realpath "$1") work=$(realpath -m "$2") processor=$3
source "$source/tests/needs.sh"
needs aarch64-linux-gnu-g++ g++-aarch64-linux-gnu
needs qemu-aarch64 qemu-user
needs apt-get apt
case $processor in
  neon) QEMU_CPU=max,sve=off ;;
  sve256) QEMU_CPU=max,sve256=on ;;
  sve512) QEMU_CPU=max,sve512=on ;;
  *) echo "there is no processor '$processor'"; exit 2 ;;
esac
export QEMU_CPU
build=$work/build

"$source/tests/aarch64/sysroot.sh" "$work/sysroot"
cmake -S "$source" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release \
  -DCMAKE_TOOLCHAIN_FILE="$source/cmake/aarch64.cmake" -DGRADPROOF_SYSROOT="$work/sysroot" \
  -DCMAKE_GTEST_DISCOVER_TESTS_DISCOVERY_MODE=PRE_TEST >/dev/null
tests=(test_kernels test_ops test_runtime test_ref)
cmake --build "$build" --target gradproof gradproof_cli "${tests[@]}"

emulate() { qemu-aarch64 -L /usr/aarch64-linux-gnu "$@"; }

# Is the emulated processor the one that was asked for?
bits=$([ "$processor" = neon ] && echo 0 || echo "${processor#sve}")
cat > "$build/vector_bits.cpp" <<'TEXT'
#include <cstdio>
#include <sys/auxv.h>
#include <sys/prctl.h>
int main() { std::printf("%d\n", getauxval(AT_HWCAP) & (1 << 22) ? (prctl(PR_SVE_GET_VL) & 0xffff) * 8 : 0); }
TEXT
aarch64-linux-gnu-g++ "$build/vector_bits.cpp" -o "$build/vector_bits"
[ "$(emulate "$build/vector_bits")" = "$bits" ] ||
  { echo "the processor has SVE of $(emulate "$build/vector_bits") bits, not $bits"; exit 1; }

# Each test in a process of its own, as under ctest: some leave traces or a runtime that is initialised.
each_test() {
  local all=0 failed=0 test output
  while read -r test; do
    all=$((all + 1))
    output=$(emulate "$1" --gtest_brief=1 --gtest_filter="$test" 2>&1) || { failed=$((failed + 1)); printf '%s\n' "$output"; }
  done < <(emulate "$1" --gtest_list_tests | awk '{ sub(/ +#.*/, "") } /^[^ ].*\.$/ { suite = $1 } /^  / { print suite $1 }')
  echo "$all tests, $failed failed"
  [ $failed -eq 0 ] && [ $all -gt 0 ]
}
for test in "${tests[@]}"; do
  echo "== $processor: $test"
  each_test "$(find "$build/tests" -name "$test" -type f)"
done
# Without a process of its own for the library: the kernel of this machine cannot start an aarch64 program. And
# without `process`: a forked child of qemu copies most of its memory before it ends, for longer than that waits.
echo "== $processor: gradproof verify"
emulate "$build/props/cli/gradproof" verify --no-fork --property '^process' --cases "${GRADPROOF_AARCH64_CASES:-100}"
