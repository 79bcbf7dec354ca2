#!/usr/bin/env bash
# operators_named.sh PROGRAM ROOT: that props and fuzz ask an operator's row of traits instead of
# telling operators apart. A file may name one operator as an example; one that names two, any
# enumerator of ref::Operator, or a family's row, tells them apart, and only those listed here may.
# They are the tables that a new operator gets a row in, and texts of calls that serve as examples.
set -euo pipefail
export LC_ALL=C
program=$1 root=$2

allowed=(
  fuzz/CMakeLists.txt              # a fuzz target each
  fuzz/planted/CMakeLists.txt      # defects planted in each
  props/cases/families.h           # the families' rows
  props/cases/family_adaptive.cpp  #
  props/cases/family_pad.cpp       #
  props/cases/family_pools.cpp     #
  props/cases/family_upsample.cpp  #
  props/cases/traits.cpp           # the operators' rows
  props/sequences/world.cpp        # examples of calls that may fail on a stream
  props/services/descriptors.cpp   # examples of calls
  props/subject/invoke.cpp         # the C signatures
)

# One pattern for an operator and its gradient: the stem or the C name.
names=()
while read -r stem api; do
  stem=${stem%_backward} api=${api%V2}
  names+=("$stem|${api%Backward}")
done < <("$program" list operators)
mapfile -t names < <(printf '%s\n' "${names[@]}" | sort -u)
[ "${#names[@]}" -ge 5 ] || { echo "the program lists no operators"; exit 1; }
family=$(grep -oE '\bk[A-Z][A-Za-z0-9]+' "$root/props/cases/families.h" | paste -sd'|')

files() {
  cd "$root" && grep -rlE "$1" props fuzz --include='*.cpp' --include='*.h' --include='*.sh' \
    --include='*.py' --include=CMakeLists.txt || true
}
mapfile -t found < <({
  files "Operator::[a-z]|Family::[a-z]|\b($family)\b|kOperatorCount */ *2"
  for pattern in "${names[@]}"; do files "$pattern"; done | sort | uniq -d
} | sort -u)

failed=0
while read -r file; do
  echo "$file names operators one by one: ask props/cases/traits.h, and add there what no row says"
  failed=1
done < <(comm -23 <(printf '%s\n' "${found[@]}") <(printf '%s\n' "${allowed[@]}" | sort))
while read -r file; do  # the list gets shorter with the code
  echo "$file is allowed to name operators one by one and does not: take it off the list"
  failed=1
done < <(comm -13 <(printf '%s\n' "${found[@]}") <(printf '%s\n' "${allowed[@]}" | sort))
[ "$failed" -eq 0 ] && echo "${#found[@]} files of props and fuzz name operators one by one"
exit "$failed"
