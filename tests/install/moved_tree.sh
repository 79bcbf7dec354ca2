#!/usr/bin/env bash
# moved_tree.sh PREFIX COPY: the tree works from anywhere: its programs and links hold no absolute path.
set -euo pipefail
prefix=$1 copy=$2
unset LD_LIBRARY_PATH
rm -rf "$copy"
cp -a "$prefix" "$copy"
"$copy/bin/gradproof" --help >/dev/null
for link in "$copy"/lib64/*.so*; do
  case $(readlink -f "$link") in
    "$(readlink -f "$copy")"/*) ;;
    *) echo "$link leads out of the tree: $(readlink -f "$link")"; exit 1 ;;
  esac
done
output=$("$copy/bin/gradproof" verify --cases 20 --operator replication_pad2d_backward 2>&1) ||
  { echo "$output"; exit 1; }
