#!/usr/bin/env bash
# Help that people read: every command in a group, 80 columns, no syntax of the library behind it, examples that are
# commands of this program; every class, property and rule explained. usage: help.sh GRADPROOF
set -u
gradproof=$1
. "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/expect.sh"
for_people() {
  silent err
  ! grep -qE '\{(false|true)\}| in \[|:(INT|UINT|FLOAT|TEXT)\b|[a-z]=[0-9.e+]+ |Excludes:|REQUIRED' "$folder/out" || fail "'$last' shows the library's syntax"
  ! LC_ALL=C.UTF-8 grep -qE '^.{81}' "$folder/out" || fail "'$last' has more than 80 columns"
}

expect 0 --help; for_people; says 'Exit status'; says 'Judge a library:'; says 'Examples:'
commands=$(grep -oE '^  [a-z]+  ' "$folder/out" | tr -d ' ')
described=$("$gradproof" --describe bash | grep -c .)
[ "$(wc -w <<<"$commands")" -ge 12 ] && [ "$described" -gt 0 ] || fail 'commands are missing in --help'
examples() { grep -oE '^    gradproof [a-z]+' "$folder/out" | sed 's/.*gradproof //'; }
for one in $(examples); do grep -qx "$one" <<<"$commands" || fail "the example of an unknown command: $one"; done
for command in $commands; do
  expect 0 "$command" --help; for_people; says "usage: gradproof $command"
  cp "$folder/out" "$folder/same"
  expect 0 help "$command"; cmp -s "$folder/out" "$folder/same" || fail "help $command is not $command --help"
  case $command in merge | corpus | reference | help | selftest) ;; *) expect 0 "$command" --help; says 'Examples:' ;; esac
done
expect 0 verify --help; says 'Selection:'; says 'Duration:'; says '--threads N'; says 'Default: 60'

# What an example selects exists.
selecting=$(grep -oE "^    gradproof verify --(operator|type|class) .*" "$folder/out" | sed 's/.*gradproof verify //; s/ --seconds [^ ]*//')
[ -n "$selecting" ] || fail 'no example selects anything'
eval "expect 0 verify $selecting --list-cases --cases 20"

expect 0 help; cp "$folder/out" "$folder/same"; expect 0 --help; cmp -s "$folder/out" "$folder/same" || fail 'help is not --help'
for topic in cases selecting status findings; do expect 0 help $topic; for_people; done
expect 2 help nonsense; complains "unknown topic 'nonsense'"; complains '  selecting'

# Every name of a list has a sentence under it.
for list in classes properties rules profiles operators; do
  expect 0 list $list; ! LC_ALL=C.UTF-8 grep -vE '^    |^$' "$folder/out" | grep -qE '^.{121}' || fail "long names in list $list"
  ! grep -qE '^ *$' <(grep -A1 -E '^[^ ].*[^:]$' "$folder/out" | grep '^    ') || fail "list $list has a name without a sentence"
  names=$(grep -cE '^[^ ].*[^:]$' "$folder/out"); said=$(grep -A1 -E '^[^ ].*[^:]$' "$folder/out" | grep -cE '^    [^ ]')
  [ "$names" -eq "$said" ] || fail "list $list: $names names, $said with a sentence"
done
exit $((failures > 0))
