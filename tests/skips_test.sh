#!/usr/bin/env bash
# skips_test.sh SKIPS: on a CTest project with tests that pass, fail and are skipped in both ways, skips.sh tells
# what was skipped and why, stage after stage, right before CTest's closing lines.
set -euo pipefail
skips=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cat >"$work/CTestTestfile.cmake" <<'TEXT'
add_test(good true)
add_test(bad false)
add_test(script sh -c "echo 'skipped: no such tool (Debian: tool)'; exit 77")
set_tests_properties(script PROPERTIES SKIP_RETURN_CODE 77)
add_test(mute sh -c "exit 77")
set_tests_properties(mute PROPERTIES SKIP_RETURN_CODE 77)
add_test(google.test sh -c "echo 'a/b.cpp:78: Skipped'; echo 'no tracing here'; echo '[  SKIPPED ]'")
set_tests_properties(google.test PROPERTIES SKIP_REGULAR_EXPRESSION "\\[  SKIPPED \\]")
TEXT
for stage in first second; do
  test=.
  [ $stage = first ] || test='^good$'
  (ctest --test-dir "$work" -R "$test" 2>&1 || true) |
    "$skips" $stage "$work/Testing/Temporary/LastTest.log" "$work/skips" >"$work/$stage"
done

# between FILE: what was said between the last test's line and CTest's closing lines.
between() { sed -nE '/^ *[0-9]+\/[0-9]+ Test/d; /^Skipped in/,/tests passed/p' "$1" | sed '/^$/d'; }
diff - <(between "$work/first") <<'TEXT'
Skipped in first, 3 of 5 tests:
  script: no such tool (Debian: tool)
  mute: no reason given
  google.test: no tracing here
80% tests passed, 1 tests failed out of 5
TEXT
diff - <(between "$work/second") <<'TEXT'
Skipped in first, 3 of 5 tests:
  script: no such tool (Debian: tool)
  mute: no reason given
  google.test: no tracing here
Skipped in second: none of 1 tests.
100% tests passed, 0 tests failed out of 1
TEXT
grep -q 'Total Test time' "$work/second" || { echo "CTest's closing lines are cut off"; exit 1; }
