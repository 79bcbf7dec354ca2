#!/usr/bin/env bash
# slurm.sh JOB GRADPROOF CORRECT WRONG: the job array of examples/ci, its tasks started as Slurm starts them: a lost task runs
# again by itself as the same shard, and a task in which a check failed fails.
set -uo pipefail
job=$1 correct=$3 wrong=$4
export GRADPROOF=$2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
failures=0
fail() { printf 'FAILED: %s\n' "$*"; tail -n 20 log; failures=$((failures + 1)); }
# task STATUS ID LAST LIBRARY OUT: one task of --array=…-LAST
task() {
  local got=0
  SLURM_ARRAY_TASK_ID=$2 SLURM_ARRAY_TASK_MAX=$3 bash "$job" "$5" 3 --library "$4" --cases 30 --seed 7 --property equivalence >log 2>&1 || got=$?
  [ "$got" -eq "$1" ] || fail "task $2 of $5 ends with $got instead of $1"
}
merge() {
  local got=0
  "$GRADPROOF" merge "$2"/shard* --report "$2/all" >log 2>&1 || got=$?
  [ "$got" -eq "$1" ] || fail "merge of $2 ends with $got instead of $1"
}

task 0 1 3 "$correct" out
task 0 3 3 "$correct" out
merge 2 out # shard 2 is missing
task 0 2 2 "$correct" out # sbatch --array=2
merge 0 out
grep -q '"shards": 3' out/all/report.json || fail 'three shards were not joined'

task 1 1 3 "$wrong" bad
[ -e bad/shard1/junit.xml ] || fail 'the failed task left no report'
SLURM_ARRAY_TASK_ID=4 bash "$job" out 3 --library "$correct" >log 2>&1 && fail 'task 4 of 3 shards passed'
bash "$job" out 3 --library "$correct" >log 2>&1 && fail 'a job without an array passed'
[ "$failures" -eq 0 ]
