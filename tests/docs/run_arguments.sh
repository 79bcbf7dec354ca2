#!/usr/bin/env bash
# `./run test` passes what was chosen to CTest, and refuses what it does not know. No build: cmake and ctest are stubs.
# usage: run_arguments.sh ROOT
set -u
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir -p "$folder/bin" "$folder/tree/tests"
cp "$1/run" "$folder/tree/"
printf '#!/bin/sh\ncat >/dev/null\n' >"$folder/tree/tests/skips.sh"
: >"$folder/tree/packages.txt"
printf '#!/bin/sh\nexit 0\n' >"$folder/bin/cmake"
printf '#!/bin/sh\nprintf "%%s " "$@" >>%s/asked\necho >>%s/asked\n' "$folder" "$folder" >"$folder/bin/ctest"
chmod +x "$folder/bin/"* "$folder/tree/tests/skips.sh"
bad=0
fail() { echo "FAILED: $*"; bad=1; }
asks() { # STATUS LINES TEXT ARGUMENT…: ctest is called so many times, and its options have TEXT
  local status=$1 lines=$2 text=$3 got=0
  shift 3
  : >"$folder/asked"
  PATH=$folder/bin:$PATH "$folder/tree/run" "$@" >"$folder/said" 2>&1 || got=$?
  [ $got -eq "$status" ] || { fail "status $got, not $status: $*"; cat "$folder/said"; }
  [ "$(wc -l <"$folder/asked")" -eq "$lines" ] || { fail "not $lines stages: $*"; cat "$folder/asked"; }
  grep -qF -e "$text" "$folder/asked" "$folder/said" || { fail "no '$text': $*"; cat "$folder/asked" "$folder/said"; }
}
asks 0 3 '--preset tsan' test
! grep -qE -e ' -(R|L|LE) ' "$folder/asked" || fail 'the whole run leaves out tests'
asks 0 1 '-LE ^(install|docs' test --quick
asks 0 1 '-R EveryProperty|Chart' test EveryProperty Chart
asks 2 0 "no option '--fast'" test --fast
asks 2 0 'not both' test --quick Chart
exit $bad
