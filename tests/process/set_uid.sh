#!/usr/bin/env bash
# set_uid.sh PROGRAM: variables of the environment mean nothing to a set-uid program (PROGRAM, linked
# with the archive): a trace that they name is not written. 77, a skip, where that cannot be tried.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/../needs.sh"
[ "$(id -u)" = 0 ] || { echo "skipped: only root can try it"; exit 77; }
needs setpriv util-linux
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
chmod 755 "$folder"
cp "$1" "$folder/program"
chmod 4755 "$folder/program"
trace=$folder/trace.json
as_nobody() { setpriv --reuid=65534 --regid=65534 --clear-groups env GRADPROOF_TRACE="$trace" "$@"; }
GRADPROOF_TRACE=$trace "$1"
[ -s "$trace" ] || { echo "without set-uid the variable does nothing"; exit 1; }
rm "$trace"
[ "$(as_nobody "$folder/program" effective-user)" = 0 ] ||
  { echo "skipped: $folder is on a file system that is mounted nosuid"; exit 77; }
as_nobody "$folder/program"
[ ! -e "$trace" ] || { echo "the variable made a set-uid program write a file"; exit 1; }
