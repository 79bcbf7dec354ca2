#!/usr/bin/env bash
# hardening.sh PREFIX: what is installed has what docs/processes.md says that its build is hardened with.
set -euo pipefail
bad=0
demand() { grep -qE "$2" <<<"$3" || { echo "$file lacks: $1"; bad=1; }; }
every() { # FILE: what libraries and programs have
  file=$1 dynamic=$(readelf -dW "$1") segments=$(readelf -lW "$1")
  demand "read-only relocations" GNU_RELRO "$segments"
  demand "all symbols bound when loaded" 'FLAGS.*(BIND_NOW|NOW)' "$dynamic"
  demand "a stack that is no code" 'GNU_STACK.* RW ' "$segments"
}

count=0
for library in "$1"/lib64/*.so; do
  every "$library"
  count=$((count + 1))
done
[ $count -ge 9 ] || { echo "only $count libraries"; bad=1; }
every "$1/bin/gradproof"
demand "a load address of its own" 'Flags:.* PIE' "$dynamic"

every "$(echo "$1"/lib64/libgradproof.so.[0-9])"
symbols=$(nm -D --undefined-only "$file")
demand "a place in memory for good" 'FLAGS_1.*NODELETE' "$dynamic"
demand "checked copies and formats (FORTIFY)" '__[a-z]+_chk' "$(grep -v stack_chk <<<"$symbols")"
# One function of each kind of file; the sources of a folder are hardened all together.
for function in $(nm -D --defined-only "$file" | sed -nE 's/.* T (aclnn.*GetWorkspaceSize)$/\1/p') \
    aclInit aclCreateTensor aclrtMalloc aclrtMemcpy; do
  demand "stack protector in $function" 'call.*<__stack_chk_fail@plt>|bl.*<__stack_chk_fail@plt>' \
    "$(objdump -d --no-show-raw-insn --disassemble="$function" "$file")"
done
if [ "$(uname -m)" = x86_64 ]; then
  demand "shadow stacks" 'x86 feature:.*SHSTK' "$(readelf -nW "$file")"
  for function in aclInit aclrtMalloc aclnnReplicationPad2dBackward; do
    demand "the mark of indirect calls at $function" endbr64 \
      "$(objdump -d --no-show-raw-insn --disassemble=$function "$file" | sed -n '/>:$/{n;p}')"
  done
fi
exit $bad
