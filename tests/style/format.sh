#!/usr/bin/env bash
# format.sh ROOT: every C++ file is laid out as clang-format 14 lays it out by .clang-format. Not the public headers, whose
# tables of enumerators and long comments are laid out by hand.
set -euo pipefail
cd "$1"
source tests/needs.sh
needs clang-format clang-format
mapfile -t files < <(find bench examples fuzz opt pipe props ref tests \( -name '*.cpp' -o -name '*.h' -o -name '*.hpp' \) | sort)
[ ${#files[@]} -gt 700 ] || { echo "only ${#files[@]} files found"; exit 1; }
printf '%s\n' "${files[@]}" | xargs -P "$(nproc)" -n 50 clang-format --dry-run --Werror
echo "${#files[@]} files conform"
