#!/usr/bin/env bash
# find_mutant.sh GRADPROOF MUTANT SOUND OPERATOR: `verify` fails on the mutant with status 1, and the
# repro line that it prints, run alone, fails on the mutant and succeeds on the sound library.
set -euo pipefail
gradproof=$1 mutant=$2 sound=$3 operator=$4
PATH=$(dirname "$gradproof"):$PATH

# expect STATUS WHAT COMMAND…: runs the command, its output into $output.
expect() {
  local due=$1 what=$2 status=0
  shift 2
  output=$("$@" 2>&1) || status=$?
  [ "$status" -eq "$due" ] && return
  echo "$output"
  echo "$what: exit status $status instead of $due"
  exit 1
}

expect 1 "verify on the mutant" gradproof verify --library "$mutant" --operator "$operator" --cases 600 --seed 1
repro=$(grep -m 1 -oE 'gradproof repro .*' <<<"$output") || { echo "$output"; echo "no repro line"; exit 1; }
echo "$repro"
expect 1 "the repro line on the mutant" bash -c "$repro"
[[ $repro == *"$mutant"* ]] || { echo "the repro line does not name the library"; exit 1; }
expect 0 "the repro line on the sound library" bash -c "${repro//"$mutant"/$sound}"
