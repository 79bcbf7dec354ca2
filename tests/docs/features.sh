#!/usr/bin/env bash
# features.sh ROOT: each row of docs/features.md names a test that is there, or says "not yet" in both of its last columns.
cd "$1" || exit 1
bad=0 rows=0
while IFS= read -r row; do
  rows=$((rows + 1))
  here=$(awk -F '|' '{ print $(NF - 2) }' <<<"$row") shown=$(awk -F '|' '{ print $(NF - 1) }' <<<"$row")
  if [[ $shown == ' not yet ' ]]; then
    [[ $here == "$shown" ]] || { echo "nothing shows: $row"; bad=1; }
    continue
  fi
  # shellcheck disable=SC2016  # backticks of Markdown
  names=$(grep -oE '`[^`]+`' <<<"$shown" | tr -d '`')
  [ -n "$names" ] || { echo "no test is named: $row"; bad=1; }
  while IFS= read -r name; do
    [ -e "$name" ] || { echo "there is no $name: $row"; bad=1; }
  done <<<"$names"
done < <(grep -E '^\| ' docs/features.md | grep -v '^| feature ')
[ $rows -gt 30 ] || { echo "only $rows rows"; bad=1; }
exit $bad
