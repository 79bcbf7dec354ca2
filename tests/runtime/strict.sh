#!/usr/bin/env bash
# strict.sh PROGRAM: lets the program break each rule of strict mode and reads what it is told.
set -uo pipefail
program=$1
export GRADPROOF_STRICT=1
failures=0

# try MODE DIED|LIVED TEXT…: runs the mode; its stderr must hold each text (an extended expression).
try() {
  local mode=$1 fate=$2
  shift 2
  said=$("$program" "$mode" 2>&1)
  local status=$?
  if [ "$fate" = DIED ] && [ $status -ne 139 ] || [ "$fate" = LIVED ] && [ $status -ne 0 ]; then
    echo "$mode: exit status $status"; failures=1
  fi
  for text; do
    grep -Eq -- "$text" <<<"$said" || { echo "$mode: nothing like '$text' in:"; echo "$said"; failures=1; }
  done
}
never() { ! grep -Eq -- "$1" <<<"$said" || { echo "unexpected '$1' in: $said"; failures=1; }; }

try good LIVED 'phase 2: 0' 'synchronise: 0' 'aclFinalize: 0'
never 'was never'
never 'was written'
keys=yes
grep -q 'whether the program touches device memory itself is unchecked' <<<"$said" && keys=no

try host_data LIVED 'phase 2: 161002 aclnnReplicationPad2d: strict: the data of out \(.*\) lies in no live block'
try short_block LIVED 'the data of out needs 16 bytes at .*, where its block of aclrtMalloc has 8'
try freed_data LIVED 'the data of self \(.*\) lies in no live block of aclrtMalloc: it was freed'
try touch_freed DIED 'strict: 0x[0-9a-f]{16}: device memory that was freed is touched'
try red_zone LIVED 'synchronise: 500001 .*byte 24 of the 24-byte block .* was written' \
  'free: 500001 .*byte -4 of the 24-byte block'
try leaks LIVED 'strict: aclTensor \(.*\) was never destroyed; made by .*\+0x' \
  '24 bytes of aclrtMalloc \(.*\) was never freed; made by leaky_allocation\+0x[0-9a-f]+ \(.*strict_program\+0x' \
  'aclFinalize: 0'
[ "$(grep -c 'was never' <<<"$said")" -eq 3 ] || { echo "leaks: not three lines: $said"; failures=1; }
if [ $keys = yes ]; then
  try host_touch DIED 'a thread of the program touches device memory itself'
else
  try host_touch LIVED 'now: 1'
fi

# Off: the same programs are none of the library's business, as far as they are defined.
unset GRADPROOF_STRICT
try host_data LIVED 'phase 2: 0'
try leaks LIVED
never 'strict'
exit $failures
