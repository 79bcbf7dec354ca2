#!/usr/bin/env bash
# enter.sh CHECKOUTS PREFIX OUT COMMAND…: runs a command with mindtorch_v2 of CHECKOUTS/mindnlp, unchanged, on the installed
# tree PREFIX. The client looks for CANN only in /usr/local/Ascend/ascend-toolkit/latest, so the command runs in a separate
# mount namespace, where this path has PREFIX and stand-ins for the rest of CANN. Exit status 77 if the system allows no such
# namespace.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
package=$(realpath "$1")/mindnlp/src prefix=$(realpath "$2")
mkdir -p "$3"
out=$(realpath "$3")
shift 3
rm -rf "$out/local"
latest=$out/local/Ascend/ascend-toolkit/latest
mkdir -p "$latest"/{lib64,aarch64-linux,python/site-packages} "$out/tmp"
ln -s "$prefix"/lib64/*.so* "$latest/lib64"
ln -s ../lib64 "$latest/aarch64-linux/lib64"
ln -s "$here/standin/acl.py" "$latest/python/site-packages"
rm "$latest/lib64/libaclnn_ops_infer.so"
"${CC-cc}" -shared -fPIC "$here/standin/missing.c" -L"$prefix/lib64" -Wl,--no-as-needed -lopapi -Wl,-soname,libaclnn_ops_infer.so \
  -o "$latest/lib64/libaclnn_ops_infer.so"

apart=(unshare --mount)
[ "$(id -u)" -eq 0 ] || apart+=(--map-root-user)
# shellcheck disable=SC2016  # for the inner shell
overlay='mount -t overlay overlay -o lowerdir="$0":/usr/local /usr/local'
"${apart[@]}" bash -c "$overlay" "$out/local" 2>/dev/null ||
  { echo "skipped: this system allows no mounts, and mindtorch_v2 looks in /usr/local/Ascend alone"; exit 77; }
PYTHONPATH=$package PYTHONDONTWRITEBYTECODE=1 TMPDIR=$out/tmp exec "${apart[@]}" bash -c "$overlay"' && exec "$@"' "$out/local" "$@"
