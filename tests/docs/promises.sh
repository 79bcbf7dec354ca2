#!/usr/bin/env bash
# promises.sh PAGE BUILD SOURCE: each promise of docs/processes.md names what shows it, which is a test of this build or
# a file of tests/; and each test process.* is named there.
set -euo pipefail
page=$1 build=$2 source=$3
# What CTest reads: to ask it in the middle of a run would overwrite that run's log.
tests=$(find "$build" \( -name CTestTestfile.cmake -o -name '*_tests.cmake' \) -exec cat {} + |
  sed -nE 's/^add_test\((\[=+\[|")?([^] "]+).*/\2/p')
process=$(sed -n 's/^process\.//p' <<<"$tests")
[ "$(wc -l <<<"$process")" -ge 20 ] || { echo "the tests process.* were not found"; exit 1; }
bad=0
# shellcheck disable=SC2016  # backticks of Markdown
while IFS= read -r row; do
  shown=$(awk -F '|' '{ print $(NF - 1) }' <<<"$row" | grep -oE '`[^`]+`' | tr -d '`' || true)
  [ -n "$shown" ] || { echo "nothing shows: $row"; bad=1; }
  while IFS= read -r name; do
    if [[ $name == tests/* ]]; then
      [ -e "$source/$name" ] || { echo "there is no $name: $row"; bad=1; }
    else
      grep -qE "(^|\.)${name//./\\.}$" <<<"$tests" || { echo "no test $name: $row"; bad=1; }
    fi
  done <<<"$shown"
done < <(sed -n '/^| promise /,/^$/p' "$page" | grep -E '^\| ' | grep -v '^| promise ')
while IFS= read -r name; do
  grep -qF "\`$name\`" "$page" || { echo "the page does not name the test $name"; bad=1; }
done <<<"$process"
exit $bad
