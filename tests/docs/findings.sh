#!/usr/bin/env bash
# findings.sh SOURCE: each program that shows a defect of a framework is on the page of findings and in its evidence.
root=$1 failures=0
fail() { printf 'FAILED: %s\n' "$*"; failures=$((failures + 1)); }
for program in "$root"/examples/subjects/findings/*.cpp; do
  name=$(basename "$program" .cpp)
  grep -q "findings/$name\.cpp" "$root/docs/findings.md" || fail "docs/findings.md does not name $name.cpp"
  grep -q "^## $name\$" "$root/docs/results/findings.md" || fail "docs/results/findings.md has no evidence of $name: ./run findings"
done
for name in $(sed -n 's/^## //p' "$root/docs/results/findings.md"); do
  [ -e "$root/examples/subjects/findings/$name.cpp" ] || fail "docs/results/findings.md tells of $name, which is no program"
done
grep -A3 '^The program ends' "$root/docs/results/findings.md" | grep -q 'status [^0]' && fail "a program no longer shows its defect"
grep -q 'not within' "$root/docs/results/findings.md" && fail "a defect was no longer found in time"
for library in libtorch libdnnl; do
  version=$(tr '\n' ' ' <"$root/docs/findings.md" | sed -n "s/.*Debian's $library \([0-9.]*[0-9]\).*/\1/p")
  tr '\n' ' ' <"$root/docs/results/findings.md" | grep -qF "$library ${version:-?}" || fail "the evidence is not of $library $version, which the page names"
done
[ "$failures" -eq 0 ]
