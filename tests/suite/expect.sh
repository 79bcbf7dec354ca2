# Runs $gradproof in a folder of its own and compares exit status and output. Sourced by the scripts here.
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export TMPDIR=$folder
cd "$folder" || exit 1  # where findings of earlier runs are kept
failures=0

fail() { printf 'FAILED: %s\n' "$*"; sed 's/^/  | /' "$folder/out" "$folder/err"; failures=$((failures + 1)); }
# expect STATUS ARGUMENTS…: runs gradproof, stdout and stderr kept apart.
expect() {
  local status=$1 got=0
  shift
  last="$*"
  "$gradproof" "$@" >"$folder/out" 2>"$folder/err" || got=$?
  [ "$got" -eq "$status" ] || fail "exit status $got instead of $status: gradproof $*"
}
says() { grep -qF -- "$1" "$folder/out" || fail "stdout of '$last' lacks: $1"; }
complains() { grep -qF -- "$1" "$folder/err" || fail "stderr of '$last' lacks: $1"; }
silent() { [ ! -s "$folder/$1" ] || fail "$1 of '$last' is not silent"; }
says_not() { if grep -qF -- "$1" "$folder/out"; then fail "stdout of '$last' has: $1"; fi; }
descendants() {
  local child
  for child in $(cat "/proc/$1/task/$1/children" 2>/dev/null); do echo "$child"; descendants "$child"; done
}
# has_workers PID COUNT: waits until so many processes come from this one, for a signal may reach it before it is ready.
has_workers() {
  local workers
  for _ in $(seq 200); do
    workers=$(descendants "$1")
    [ "$(wc -w <<<"$workers")" -ge "$2" ] && return
    sleep 0.1
  done
  fail "fewer than $2 processes of '$last': $workers"
}
