#!/usr/bin/env bash
# What is printed where: findings while they are found, colours, narrow terminals, the summary.
# usage: output.sh GRADPROOF FAKE_LIBRARY
set -u
gradproof=$1 fake=$2
. "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/expect.sh"
case_line='replication_pad2d_backward gradOutput=FLOAT[1,1,2,3]:ND self=FLOAT[1,1,2,2]:ND padding=1,0,0,0 gradInput=FLOAT[1,1,2,2]:ND'
wrong=(verify --library "$fake" --no-database --property equivalence --cases 60)
found() { grep -c '^finding: ' "$folder/err"; }
export FAKE_FAULT='last column'

# A finding is printed to stderr when it is found, one line each; stdout is the report.
expect 1 "${wrong[@]}" --jobs 1; says_not 'finding: '
complains 'finding: wrong result: replication_pad2d_backward, equivalence, values'
[ "$(found)" -ge 1 ] || fail 'no finding was told'
for jobs in 1 2; do
  : >"$folder/err"  # the background process may empty it after it was looked into
  "$gradproof" verify --library "$fake" --no-database --property equivalence --seconds 100 --jobs $jobs >"$folder/out" 2>"$folder/err" &
  pid=$!
  last="verify --seconds 100 --jobs $jobs"
  for _ in $(seq 600); do grep -q '^finding: ' "$folder/err" && break; sleep 0.1; done
  kill -0 $pid && grep -q '^finding: ' "$folder/err" || fail 'the finding is not told while the command runs'
  kill -INT $pid
  wait $pid
done
expect 1 run <(echo "$case_line") --library "$fake"; complains 'finding: wrong result'; says ': failed: equivalence'
expect 1 exhaust --library "$fake" --operator replication_pad2d_backward --at-most 2; complains 'finding: wrong result'

# What a finding says and what it shows are of one run, also where the result differs from run to run.
same_run() {
  local said shown
  said=$(sed -nE 's/^ +gradInput\[0[,0]*\]: got ([^,]*),.*/\1/p' "$folder/out" | head -1)
  shown=$(sed -nE '/^got gradInput .*, \* wrong:/{n;s/^ *\*([^ ]*).*/\1/p}' "$folder/out" | head -1)
  [ -n "$said" ] && [ "$said" = "$shown" ] || fail "says '$said' and shows '$shown'"
}
for command in repro verify; do
  arguments=("$case_line" --library "$fake" --property equivalence)
  [ $command = verify ] && arguments=("${wrong[@]:1}" --type FLOAT --jobs 1)
  FAKE_FAULT=differs expect 1 $command "${arguments[@]}"; same_run; says 'the result differs from run to run: an earlier run was wrong, too'
  FAKE_FAULT='last column' expect 1 $command "${arguments[@]}"; says_not 'differs from run to run'
done
FAKE_FAULT='every other call' expect 1 repro "$case_line" --library "$fake" --property equivalence
says 'the result differs from run to run: the check passed when it was repeated'; says 'got gradInput FLOAT[1,1,2,2] in another run'

# Features that all cases have say nothing about a cause: neither when a finding is told nor in the report.
FAKE_FAULT='last column' expect 1 "${wrong[@]}" --jobs 1
grep -E '^(finding|in|wrong result):' "$folder/err" "$folder/out" | grep -E 'Ascend910B' && fail 'a cause needs the only product'

# Findings can end the command.
everything=(verify --library "$fake" --no-database --cases 60)
expect 1 "${everything[@]}"; [ "$(found)" -ge 5 ] || fail 'fewer than 5 findings'
expect 1 "${everything[@]}" -x --jobs 1; complains 'stopped after 1 finding (--max-failures)'
[ "$(found)" -eq 1 ] || fail "$(found) findings with -x"; [ "$(grep -c '^failed: ' "$folder/out")" -eq 1 ] || fail 'not one finding in the report'
expect 1 "${everything[@]}" --max-failures 3 --jobs 1; [ "$(found)" -eq 3 ] || fail "$(found) findings, not 3"
expect 1 "${everything[@]}" -x --jobs 2; [ "$(found)" -le 2 ] || fail "$(found) findings of two jobs with -x"
expect 2 "${everything[@]}" -x --max-failures 3; silent out
expect 1 exhaust --library "$fake" --operator replication_pad2d_backward --at-most 3 -x; [ "$(found)" -eq 1 ] || fail 'exhaust -x goes on'
expect 1 run <(printf '%s\n%s\n' "$case_line" "$case_line") --library "$fake" -x; says 'FAILED: 1 case, 1 failed'

# All findings have a line in the summary, the most severe first, whatever is printed in full.
severities() { grep -oE '^(memory or crash|hang|kernel failed|wrong result|wrong status|other): ' "$folder/out"; }
expect 1 "${everything[@]}" --jobs 1 --show all
total=$(grep -c '^failed: ' "$folder/out")
[ "$total" -ge 5 ] || fail "only $total findings in full"
[ "$(severities | wc -l)" -eq "$total" ] || fail "$total findings, but $(severities | wc -l) lines of the summary"
severities | uniq | diff - <(severities | awk '!seen[$0]++') || fail 'findings of one severity are not together'
[ "$(severities | head -1)" != 'wrong status: ' ] && [ "$(severities | grep -n 'wrong result' | head -1 | cut -d: -f1)" -lt \
  "$(severities | grep -n 'wrong status' | head -1 | cut -d: -f1)" ] || fail 'wrong statuses come before wrong results'
for shown in 1 0; do
  expect 1 "${everything[@]}" --jobs 1 --show $shown
  [ "$(grep -c '^failed: ' "$folder/out")" -eq $shown ] || fail "not $shown findings in full"
  [ "$(severities | wc -l)" -eq "$total" ] || fail "--show $shown hides findings in the summary"
done

# Findings that are told, saved and reported are counted apart where the numbers differ: those of one cause are joined at the end.
differed=0
for jobs in 1 2; do
  expect 1 "${everything[@]}" --jobs $jobs --show all --save "$folder/saved-$jobs"
  told=$(found) reported=$(grep -c '^failed: ' "$folder/out") saved=$(ls "$folder/saved-$jobs" | wc -l)
  [ "$told" -eq "$reported" ] && [ "$saved" -eq "$reported" ] && continue
  differed=1
  complains "$told findings printed while the command ran, $saved cases saved, $reported in the report: "
done
[ $differed -eq 1 ] || fail 'nothing was joined: the numbers are not tested'

# Quiet: the summary alone. Verbose: the properties too.
expect 1 "${wrong[@]}" --quiet; silent err
[ "$(grep -c '^wrong result: ' "$folder/out")" -eq "$(($(wc -l <"$folder/out") - 1))" ] || fail 'more than the summary'
tail -1 "$folder/out" | grep -q '^FAILED: 60 cases' || fail 'the last line is no verdict'
expect 1 run <(echo "$case_line") --library "$fake" -q; [ "$(wc -l <"$folder/out")" -eq 2 ] || fail 'run -q prints more than two lines'
expect 1 "${wrong[@]}" --verbose; grep -Eq '^equivalence +[1-9][0-9]* +[1-9]' "$folder/out" || fail 'no row of the property'
expect 2 "${wrong[@]}" --quiet --verbose; silent out
expect 0 verify --operator replication_pad2d_backward --profile documented --cases 40 --no-database --verbose
says 'of them because the profile does not specify or support the call'
total=$(sed -n 's/^skipped: \([0-9]*\) checks, .*/\1/p' "$folder/out")
[ "$total" = "$(awk '/^property /{on = 1; next} on && NF != 5 {on = 0} on {sum += $4} END {print sum}' "$folder/out")" ] ||
  fail "$total skipped checks, but another sum by property"
expect 0 verify --operator replication_pad2d --cases 20 --no-database --verbose
grep -Eq '^operator, kernel and type .*scalar' "$folder/out" || fail 'no instruction sets of kernels'
grep -Eq '^replication_pad2d, rows, FLOAT16 .* [1-9]' "$folder/out" || fail 'no runs of the kernel rows'

# The end: the summary, next steps that work as they are printed, the verdict; where the time went.
expect 1 "${wrong[@]}" --durations 3; says 'next steps:'; says '  keep the cases: --save DIR'
grep -Eq '^equivalence +replication_pad2d_backward +[0-9]+ +[0-9.]+$' "$folder/out" || fail 'no slowest property'
[ "$(sed -n '/^slowest checks/,/^[^ s]/p' "$folder/out" | grep -c ' s  equivalence: ')" -eq 3 ] || fail 'not three slowest checks'
for step in repeat 'debug: gdb --args'; do
  command=$(sed -n "s/^  ${step%%:*}: //p" "$folder/out")
  got=0; eval "\"\$gradproof\" ${command#*gradproof }" >"$folder/step" 2>&1 || got=$?
  [ $got -eq 1 ] || fail "exit status $got of the next step $step: $command"
done
expect 1 "${wrong[@]}" --save "$folder/kept"; says_not 'keep the cases'
expect 1 run <(echo "$case_line") --library "$fake" --durations 1; says ' s  equivalence: '; says '  debug: gdb --args gradproof repro'

# Colours on request, and never into a file unasked.
escape=$(printf '\033')
expect 1 "${wrong[@]}"; grep -q "$escape" "$folder/out" "$folder/err" && fail 'colours in a file'
expect 1 "${wrong[@]}" --color always; says "$escape[1;31mFAILED$escape[0m"; complains "$escape[1;31mfinding: $escape[0m"
NO_COLOR=1 expect 1 "${wrong[@]}" --color always; says "$escape[1;31mFAILED"
expect 2 "${wrong[@]}" --color pink; complains '--color'; silent out
expect 2 "${wrong[@]}" --color ALWAYS; complains '--color'; silent out
if script -qec true /dev/null </dev/null >/dev/null 2>&1; then  # there are terminals
  terminal() { env "$@" script -qec "$gradproof ${wrong[*]}" /dev/null </dev/null >"$folder/out" 2>"$folder/err"; last="terminal: $*"; }
  terminal TERM=xterm COLUMNS=80; says "$escape[1;31mFAILED"
  terminal TERM=dumb; grep -q "$escape\[1" "$folder/out" && fail 'colours on a dumb terminal'
  terminal TERM=xterm NO_COLOR=1; grep -q "$escape\[1" "$folder/out" && fail 'colours in spite of NO_COLOR'
fi

# 80 columns are enough, but for words that are longer; a command that is broken up is the same command.
expect 1 "${wrong[@]}"; repro=$(grep -m 1 '^repro: ' "$folder/out")
COLUMNS=80 expect 1 "${wrong[@]}"
sed 's/…/./' "$folder/out" | awk 'length($0) > 80 && / [^ ].* /' | grep . && fail 'lines of more than 80 characters'
broken=$(awk '/^repro: / { on = 1 } on { print } on && !/\\$/ { exit }' "$folder/out")
[ "$(wc -l <<<"$broken")" -gt 1 ] || fail 'the command is not broken up'
words() { eval "set -- ${1#repro: }"; printf '<%s>' "$@"; }
[ "$(words "$repro")" = "$(words "$broken")" ] || fail "another command: $(words "$broken")"
COLUMNS=40 expect 1 "${wrong[@]}"; grep -q '^operator .*worst error' "$folder/out" && fail 'the table is not narrower'
grep -q '^operator .*cases$' "$folder/out" || fail 'the narrow table lacks the cases'

[ $failures -eq 0 ] && echo 'all as expected'
[ $failures -eq 0 ]
