#!/usr/bin/env bash
# install_tree.sh BUILD PREFIX: installs the build tree and checks that everything promised is there.
set -euo pipefail
build=$1 prefix=$2
rm -rf "$prefix"
cmake --install "$build" --prefix "$prefix" >/dev/null
missing=0
for file in bin/gradproof include/acl/acl.h include/aclnn/acl_meta.h \
    {,x86_64-linux/,aarch64-linux/}lib64/lib{ascendcl,nnopbase,opapi,opapi_nn,opapi_math,opapi_cv}.so; do
  # -e follows links: a dangling one is missing too
  [ -e "$prefix/$file" ] || { echo "not installed: $file"; missing=1; }
done
[ "$(find "$prefix" -name gradproofConfig.cmake | wc -l)" -eq 1 ] || { echo "no CMake package"; missing=1; }
exit $missing
