#!/usr/bin/env bash
# hardening.sh PREFIX: the installed library has what docs/processes.md says that its build is hardened with.
set -euo pipefail
library=$(echo "$1"/lib64/libgradproof.so.[0-9])
dynamic=$(readelf -dW "$library") segments=$(readelf -lW "$library") symbols=$(nm -D --undefined-only "$library")
bad=0
demand() { grep -qE "$2" <<<"$3" || { echo "$library lacks: $1"; bad=1; }; }
demand "read-only relocations" GNU_RELRO "$segments"
demand "all symbols bound when loaded" 'FLAGS.*(BIND_NOW|NOW)' "$dynamic"
demand "a place in memory for good" 'FLAGS_1.*NODELETE' "$dynamic"
demand "a stack that is no code" 'GNU_STACK.* RW ' "$segments"
demand "stack protector" __stack_chk_fail "$symbols"
demand "checked copies and formats (FORTIFY)" '__[a-z]+_chk' "$(grep -v stack_chk <<<"$symbols")"
if [ "$(uname -m)" = x86_64 ]; then
  demand "shadow stacks" 'x86 feature:.*SHSTK' "$(readelf -nW "$library")"
  for function in aclInit aclrtMalloc aclnnReplicationPad2dBackward; do
    demand "the mark of indirect calls at $function" endbr64 \
      "$(objdump -d --no-show-raw-insn --disassemble=$function "$library" | sed -n '/>:$/{n;p}')"
  done
fi
exit $bad
