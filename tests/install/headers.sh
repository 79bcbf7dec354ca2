#!/usr/bin/env bash
# headers.sh PREFIX: each public header compiles by itself, as C++11, the language of CANN's samples.
set -euo pipefail
cd "$1/include"
for header in acl/*.h aclnn/*.h aclnnop/*.h; do
  printf '#include "%s"\n' "$header" |
    "$CXX" -x c++ -std=c++11 -Wall -Wextra -Wpedantic -Werror -fsyntax-only -I. -Iaclnn - ||
    { echo "$header does not stand alone"; exit 1; }
done
