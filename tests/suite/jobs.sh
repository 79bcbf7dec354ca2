#!/usr/bin/env bash
# Commands in several processes: the same report as with one, and an end of all.
# usage: jobs.sh GRADPROOF FAKE_LIBRARY
set -u
gradproof=$1 fake=$2
. "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/expect.sh"

# What was printed, but times.
untimed() { sed -E 's/ +[0-9]+\.[0-9]$//; s/[0-9]+\.[0-9] s/TIME/' "$folder/out"; }
same() { diff "$folder/out1" "$folder/out$1" >"$folder/difference" || fail "$1 jobs print otherwise than one: $(head -8 "$folder/difference")"; }

# exhaust: every finding in full and in the summary, and totals; which case of a cause is shown may differ.
summary() { untimed | grep -E '^(wrong|memory|hang|other|FAILED|replication)'; }
for jobs in 1 3; do
  FAKE_FAULT='last column' expect 1 exhaust --library "$fake" --operator replication_pad2d_backward --at-most 3 --jobs $jobs
  summary >"$folder/out$jobs"
  [ "$(grep -c '^failed: ' "$folder/out")" = 4 ] || fail 'not four findings in full'
done
same 3
grep -q 'failing checks' "$folder/out1" || fail 'no failing checks to compare'
says_not 'more of this kind'
FAKE_FAULT='last column' expect 1 exhaust --library "$fake" --operator replication_pad2d_backward --at-most 3 --jobs 2 --show 1
[ "$(grep -c '^failed: ' "$folder/out")" = 1 ] || fail '--show 1 shows more or less than one finding'
says '3 more findings only in the summary'
[ "$(grep -c '^wrong' "$folder/out")" = 4 ] || fail 'the summary leaves findings out'
for jobs in 1 3; do
  expect 0 exhaust --at-most 3 --jobs $jobs
  untimed >"$folder/out$jobs"
done
same 3

# run: cases that pass, fail, hang and are left out, in the order of the files.
line='replication_pad2d_backward gradOutput=FLOAT[1,1,2,EXTENT]:ND self=FLOAT[1,1,2,EXTENT]:ND padding=0,0,0,0 gradInput=FLOAT[1,1,2,EXTENT]:ND'
for extent in {1..20}; do echo "${line//EXTENT/$(((extent - 1) % 7 + 1))}"; done >"$folder/first.txt"
{ echo "${line//EXTENT/2} property=instruction-sets"; echo "${line//EXTENT/5}"; echo "${line//EXTENT/1} property=no-leak"; } >"$folder/second.txt"
for fault in 'aborts at call 40' 'abort in phase 2' 'last column' none; do
  for jobs in 1 3; do
    got=0
    FAKE_FAULT=$fault "$gradproof" run "$folder/first.txt" "$folder/second.txt" --library "$fake" --profile gradproof --jobs $jobs \
      --report "$folder/report$jobs" >"$folder/out" 2>"$folder/err" || got=$?
    last="run with $fault, $jobs jobs"
    { echo "status $got"; untimed; } >"$folder/out$jobs"
    grep -vE '"(seconds|started|share|worst|case)":|^   "' "$folder/report$jobs/report.json" >"$folder/json$jobs"
  done
  same 3
  diff "$folder/json1" "$folder/json3" >"$folder/difference" || fail "report.json of 3 jobs: $(head -8 "$folder/difference")"
done
FAKE_FAULT='last column' expect 1 run "$folder/first.txt" --library "$fake" --property equivalence --jobs 2 --max-failures 1
complains 'stopped after 1 finding'

# A case that runs into the time limit is one finding, whoever runs it; the other jobs go on.
for extent in 1 3 2; do echo "${line//EXTENT/$extent}" >"$folder/slow$extent.txt"; done
for jobs in 1 3; do
  FAKE_FAULT=hang expect 1 run "$folder"/slow{1,3,2}.txt --library "$fake" --property equivalence --timeout 0.5 --jobs $jobs
  says 'no response for'; says 'FAILED: 3 cases, 1 failed'
  untimed >"$folder/out$jobs"
done
same 3
FAKE_FAULT=hang expect 1 verify --library "$fake" --no-database --property equivalence --operator replication_pad2d_backward --cases 30 --timeout 0.5 --jobs 3
says 'no response for'
FAKE_FAULT=hang expect 1 exhaust --library "$fake" --operator replication_pad2d_backward --property equivalence --at-most 3 --timeout 0.5 --jobs 3
says 'no response for'

# An interrupt ends all, with a report.
for command in "exhaust" "run $folder/many.txt"; do
  for extent in $(seq 1 20000); do echo "${line//EXTENT/4}"; done >"$folder/many.txt"
  # shellcheck disable=SC2086
  "$gradproof" $command --jobs 3 >"$folder/out" 2>"$folder/err" &
  pid=$!
  last="interrupted: ${command%% *}"
  has_workers $pid 6
  kill -INT $pid
  got=0
  wait $pid || got=$?
  [ $got = 130 ] || [ $got = 1 ] || fail "exit status $got instead of 130 or 1"
  says '(interrupted)'
done

[ $failures -eq 0 ] && echo 'all as expected'
[ $failures -eq 0 ]
