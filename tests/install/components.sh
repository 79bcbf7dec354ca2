#!/usr/bin/env bash
# components.sh BUILD WORK: each component installs what it promises and nothing of another's, and
# together they are the whole installation.
set -euo pipefail
build=$1 work=$2
rm -rf "$work"
for component in runtime dev tools python dropin; do
  cmake --install "$build" --prefix "$work/$component" --component "$component" >/dev/null
done
cmake --install "$build" --prefix "$work/all" >/dev/null

# has COMPONENT PATTERN…: a file or link that matches each pattern; has_not: none.
has() {
  local tree=$work/$1 pattern
  for pattern in "${@:2}"; do
    [ -n "$(find "$tree" -path "$tree/$pattern")" ] || { echo "$1 has no $pattern"; exit 1; }
  done
}
has_not() {
  local tree=$work/$1 pattern found
  for pattern in "${@:2}"; do
    found=$(find "$tree" -path "$tree/$pattern" 2>/dev/null)
    [ -z "$found" ] || { echo "$1 has $found"; exit 1; }
  done
}
has runtime 'lib*/libgradproof.so.?' 'lib*/libgradproof.so.?.*'
has_not runtime include bin '*.a' '*/libgradproof.so' lib64/libascendcl.so '*.cmake'
has dev include/acl/acl.h include/gradproof/aclnn.hpp include/gradproof/ref/exact.h '*/libgradproof.so' '*/libgradproof.a' \
  '*/libgradproof_ref.a' '*/gradproofConfig.cmake' '*/gradproofConfigVersion.cmake' '*/gradproof.pc' \
  '*/gradproof-subject.pc' '*/libgradproof_testing.a' '*/gradproof-testing.pc' '*/gradproof-ref.pc' \
  include/gradproof/testing.hpp include/gradproof/testing/case.hpp include/gradproof/subject.hpp include/gradproof/subject/view.hpp
has_not dev bin '*.so.*' set_env.sh
has tools bin/gradproof share/man/man1/gradproof.1.gz share/bash-completion/completions/gradproof \
  '*/_gradproof' '*/gradproof.fish'
has tools 'lib*/gradproof/libgradproof_'{pipe,tasks}.so share/gradproof/ci/{github.yml,gitlab.yml,slurm.sbatch} \
  share/gradproof/{README.md,CHANGELOG.md,docs/{index,profiles}.md,docs/zh/subjects.md,docs/profile.schema.json,examples/kernels/*.cpp}
has_not tools include 'lib*/libgradproof.so*' '*.a'
has python lib/python3/dist-packages/gradproof/{__init__,bridge,strategies}.py
has_not python bin include '*.so*' '*__pycache__*'
has dropin set_env.sh include/acl/acl.h include/aclnn/acl_meta.h {x86_64,aarch64}-linux/{lib64,include} \
  lib64/lib{ascendcl,nnopbase,opapi,opapi_nn,opapi_math,opapi_cv,aclnn_ops_infer,aclnn_ops_train,aclnn_math}.so
has_not dropin bin '*.a' '*.cmake' '*/libgradproof.so'

parts=$(for component in runtime dev tools python dropin; do (cd "$work/$component" && find . ! -type d); done | sort -u)
# The folders that Debian wants, share/doc/<package>, are for packages alone.
diff <(grep -v '^./share/doc/' <<<"$parts") <(cd "$work/all" && find . ! -type d | sort) ||
  { echo "< in a component, > in the whole"; exit 1; }
