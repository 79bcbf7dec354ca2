#!/usr/bin/env bash
# dropin.sh SOURCE PREFIX WORK: the libraries by CANN's names are found and work in each way that programs take:
# by path in each folder, by SONAME after another loaded them by path, by the linker, by LD_PRELOAD, by `gradproof`.
set -euo pipefail
source=$1 prefix=$2 work=$3
unset LD_LIBRARY_PATH
rm -rf "$work"
mkdir -p "$work/cann"
cd "$work"
names=(ascendcl nnopbase opapi opapi_{nn,math,cv} aclnn_{ops_infer,ops_train,math})
fail() { echo "$*"; exit 1; }
exported() { nm -D --defined-only "$1" | awk '{print $3}' | sort; }

exported "$prefix"/lib64/libgradproof.so.[0-9] > functions
for name in "${names[@]}"; do
  file=$prefix/lib64/lib$name.so
  grep -q "SONAME.*\[lib$name.so\]" <<<"$(readelf -d "$file")" || fail "$file has another SONAME"
  diff functions <(exported "$file") || fail "> in $file, but not in libgradproof"
done

# What was linked with CANN asks for libascendcl.so. Here CANN is a stub of that name.
sed 's/.*/extern "C" void &() {}/' functions > stub.cpp
"$CXX" -shared -fPIC -Wl,-soname,libascendcl.so stub.cpp -o cann/libascendcl.so
cat > plugin.cpp <<'TEXT'
#include "acl/acl.h"
extern "C" const char* soc_name() { return aclInit(nullptr) == ACL_SUCCESS ? aclrtGetSocName() : aclGetRecentErrMsg(); }
TEXT
"$CXX" -shared -fPIC -I"$prefix/include" plugin.cpp -Lcann -lascendcl -o plugin.so
"$CXX" -std=c++17 -Wall -Wextra "$source/tests/install/dropin_program.cpp" -o program -ldl

for folder in lib64 x86_64-linux/lib64 aarch64-linux/lib64; do
  files=()
  for name in "${names[@]}"; do files+=("$prefix/$folder/lib$name.so"); done
  [ "$(PLUGIN=./plugin.so ./program functions "${files[@]}")" = Ascend910B3 ] || fail "by path in $folder"
done
! PLUGIN=./plugin.so ./program functions > none || fail "the plug-in does not ask for libascendcl.so"
[ "$(PLUGIN=./plugin.so LD_PRELOAD="$prefix/lib64/libascendcl.so" ./program functions)" = Ascend910B3 ] || fail "by LD_PRELOAD"

# The linker takes any of the names, and the program asks for that name.
cat > main.cpp <<'TEXT'
#include <cstdio>
extern "C" const char* soc_name();
int main() { std::puts(soc_name()); }
TEXT
for name in "${names[@]}"; do
  "$CXX" -I"$prefix/include" main.cpp plugin.cpp -L"$prefix/lib64" "-l$name" -o linked
  grep -q "NEEDED.*\[lib$name.so\]" <<<"$(readelf -d linked)" || fail "a program linked with -l$name asks for another file"
  [ "$(LD_LIBRARY_PATH=$prefix/x86_64-linux/lib64 ./linked)" = Ascend910B3 ] || fail "-l$name"
done

cd "$prefix/lib64"
"$prefix/bin/gradproof" verify --cases 20 --operator replication_pad2d_backward \
  --library libascendcl.so --library libnnopbase.so --library libopapi.so
