#!/usr/bin/env bash
# moved_tree.sh PREFIX COPY: the tree works from anywhere: its programs and links hold no absolute path.
set -euo pipefail
prefix=$1 copy=$2
unset LD_LIBRARY_PATH
rm -rf "$copy"
cp -a "$prefix" "$copy"
"$copy/bin/gradproof" --help >/dev/null
while read -r link; do
  case $(readlink -e "$link") in
    "$(readlink -f "$copy")"/*) ;;
    *) echo "$link leads out of the tree: '$(readlink "$link")'"; exit 1 ;;
  esac
done < <(find "$copy" -type l)
output=$("$copy/bin/gradproof" verify --cases 20 --operator replication_pad2d_backward 2>&1) ||
  { echo "$output"; exit 1; }

# What its set_env.sh tells CMake and pkg-config is about the copy.
found=$(source "$copy/set_env.sh" && [[ :$CMAKE_PREFIX_PATH: == *":$copy:"* ]] &&
  pkg-config --exists gradproof-subject && pkg-config --variable=prefix gradproof) ||
  { echo "set_env.sh does not lead CMake and pkg-config to $copy"; exit 1; }
[ "$(readlink -f "$found")" = "$(readlink -f "$copy")" ] || { echo "pkg-config finds gradproof in $found"; exit 1; }
