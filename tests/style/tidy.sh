#!/usr/bin/env bash
# tidy.sh ROOT BUILD headers|changed|all: what clang-tidy finds by .clang-tidy.
#   headers  all headers, in two translation units: seconds
#   changed  the sources that differ from origin/main, or from the last commit but one where that is the same
#   all      every source: about 2.5 s of one core each
set -euo pipefail
root=$1 build=$2 what=$3
source "$root/tests/needs.sh"
needs clang-tidy clang-tidy
cd "$root"
# The headers of the folders as one unit; not those that Highway compiles once for each instruction set.
headers() {
  find "$@" \( -name '*.h' -o -name '*.hpp' \) ! -name '*-inl.h' | sort |
    sed 's|^include/||; s|.*|#include "&"|' >"$unit"
  [ "$(wc -l <"$unit")" -ge 80 ] || { echo "only $(wc -l <"$unit") headers found in $*"; exit 1; }
  clang-tidy --quiet --config-file="$root/.clang-tidy" --header-filter="$root/" "$unit" -- -std=c++20 -I"$root" -I"$root/include" -I"$root/include/aclnn" \
    2>/dev/null
  echo "$(wc -l <"$unit") headers of $* pass"
}
if [ "$what" = headers ]; then
  unit=$(mktemp --suffix=.cpp)
  trap 'rm -f "$unit"' EXIT
  headers opt  # apart, as it shares nothing with the others
  headers include/gradproof pipe props ref
  exit
fi
sources=$(sed -n 's|^ *"file": "\(.*\)",\{0,1\}$|\1|p' "$build/compile_commands.json" | sort -u |
  grep -E "^$root/(bench|fuzz|opt|pipe|props|ref|tests)/" | grep -v '_tile\.cpp$' || true)
if [ "$what" = changed ]; then
  base=$(git merge-base HEAD origin/main 2>/dev/null || git rev-parse HEAD~1)
  [ "$base" != "$(git rev-parse HEAD)" ] || base=$(git rev-parse HEAD~1)
  sources=$(comm -12 <(printf '%s\n' "$sources") <(git diff --name-only "$base" | sed "s|^|$root/|" | sort))
fi
[ -n "$sources" ] || { echo "no source to check"; exit 0; }
printf '%s\n' "$sources" | xargs -P "$(nproc)" -n 4 clang-tidy --quiet -p "$build" \
  --extra-arg=-Wno-unknown-warning-option 2>/dev/null
echo "$(printf '%s\n' "$sources" | wc -l) sources pass"
