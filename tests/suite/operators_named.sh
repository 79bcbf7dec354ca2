#!/usr/bin/env bash
# operators_named.sh PROGRAM ROOT: that ref, props and fuzz ask an operator's row instead of telling
# operators apart. A file may name one operator as an example; one that names two, or any enumerator
# of ref::Operator, tells them apart, and only those listed here may: the operators' own files, and
# texts of calls that serve as examples.
set -euo pipefail
export LC_ALL=C
program=$1 root=$2

allowed=(
  fuzz/planted/CMakeLists.txt               # defects planted in each
  props/sequences/world.cpp                 # examples of calls that may fail on a stream
  props/services/descriptors.cpp            # examples of calls
  props/services/large_case.cpp             # likewise
  props/subject/invoke.cpp                  # the public headers
  ref/CMakeLists.txt
  ref/operator_list.h                       # the operators
)

# One pattern for an operator and its gradient: the stem or the C name.
names=()
own=()  # the reference has a file for each, the suite one for each family
while read -r stem api; do
  own+=("ref/$stem.cpp")
  stem=${stem%_backward} api=${api%V2}
  names+=("$stem|${api%Backward}")
done < <("$program" list operators | grep "^[^ ]")  # a sentence is indented
mapfile -t names < <(printf '%s\n' "${names[@]}" | sort -u)
mapfile -t -O "${#own[@]}" own < <(cd "$root" && printf '%s\n' props/cases/families/family_*.cpp)
[ "${#names[@]}" -ge 5 ] || { echo "the program lists no operators"; exit 1; }

files() {
  cd "$root" && grep -rlE "$1" ref props fuzz --include='*.cpp' --include='*.h' --include='*.sh' \
    --include='*.py' --include=CMakeLists.txt || true
}
mapfile -t found < <({
  files "Operator::[a-z]|Family::[a-z]|kOperatorCount */ *2"
  for pattern in "${names[@]}"; do files "$pattern"; done | sort | uniq -d
} | sort -u | grep -vxF -f <(printf '%s\n' "${own[@]}"))

failed=0
while read -r file; do
  echo "$file names operators one by one: ask its row (props/cases/traits.h, ref/row.h), and add there what no row says"
  failed=1
done < <(comm -23 <(printf '%s\n' "${found[@]}") <(printf '%s\n' "${allowed[@]}" | sort))
while read -r file; do  # the list gets shorter with the code
  echo "$file is allowed to name operators one by one and does not: take it off the list"
  failed=1
done < <(comm -13 <(printf '%s\n' "${found[@]}") <(printf '%s\n' "${allowed[@]}" | sort))
[ "$failed" -eq 0 ] && echo "${#found[@]} files of ref, props and fuzz name operators one by one"
exit "$failed"
