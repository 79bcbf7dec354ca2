#!/usr/bin/env bash
# headers.sh PREFIX: each public header compiles by itself, as C++11 (the language of CANN's samples)
# and as C11; those of the C++ layer as C++17 and C++20.
set -euo pipefail
cd "$1/include"
for header in acl/*.h aclnn/*.h aclnnop/*.h gradproof/*.h; do
  for language in "c++ -std=c++11" "c -std=c11"; do
    # shellcheck disable=SC2086  # two words
    printf '#include "%s"\n' "$header" |
      "$CXX" -x $language -Wall -Wextra -Wpedantic -Werror -fsyntax-only -I. -Iaclnn - ||
      { echo "$header does not stand alone as $language"; exit 1; }
  done
done
for header in gradproof/*.hpp gradproof/subject/*.hpp gradproof/testing/*.hpp; do
  for standard in 17 20; do
    printf '#include "%s"\n' "$header" |
      "$CXX" -x c++ -std=c++$standard -Wall -Wextra -Wpedantic -Wshadow -Werror -fsyntax-only \
        -I. -Iaclnn - ||
      { echo "$header does not stand alone as C++$standard"; exit 1; }
  done
done
