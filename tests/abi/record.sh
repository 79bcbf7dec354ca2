#!/usr/bin/env bash
# record.sh BUILD: writes the interface of the library in the build tree to libgradproof.abi beside this
# script. When that is right, docs/versions.md says.
set -euo pipefail
folder=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
"$folder/dump.sh" "$1/opt/libgradproof.so" "$folder/../../include" > "$folder/libgradproof.abi.new"
mv "$folder/libgradproof.abi.new" "$folder/libgradproof.abi"
