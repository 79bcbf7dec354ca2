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
grep -q 'direct accesses of the program to device memory are not checked' <<<"$said" && keys=no

try host_data LIVED 'phase 2: 161002 aclnnReplicationPad2d: strict: the data of out \(.*\) is not in a live block'
try short_block LIVED 'the data of out needs 16 bytes at .*, but its block of aclrtMalloc has 8 there'
try freed_data LIVED 'the data of self \(.*\) is not in a live block of aclrtMalloc: it was freed'
try touch_freed DIED 'strict: 0x[0-9a-f]{16}: access to device memory that was freed$'
try run_on_freed DIED 'was freed, by aclnnReplicationPad2d on stream [1-9][0-9]*$'
try copy_from_freed DIED 'was freed, by aclrtMemcpyAsync on stream [1-9][0-9]*$'
try copies LIVED '^to the stack: 100000 aclrtMemcpy: strict: dst \(.*\) is not in a live block of aclrtMalloc$' \
  '^from the stack: 100000 .*src \(.*\) is not in a live block' \
  '^as if to the host: 100000 .*dst \(.*\) is in device memory, but kind says host memory' \
  '^as if from the host: 100000 .*src \(.*\) is in device memory' \
  '^by its addresses: 0 ' '^later: 100000 aclrtMemcpyAsync: strict: dst' '^fill: 100000 aclrtMemset: strict: devPtr' \
  '^from what was freed: 100000 .*src \(.*\) is not in a live block of aclrtMalloc: it was freed' \
  '^by the addresses of what was freed: 100000 .*src \(.*\) is in device memory that was freed'
try red_zone LIVED 'synchronise: 500001 .*byte 24 of the 24-byte block .* was written' '^again: 0' \
  'free: 500001 .*byte -1 of the 24-byte block'
try red_zone_timeout LIVED 'synchronise: 500001 .*byte 24 of the 24-byte block .* was written'
try arguments LIVED '^gradproof strict: phase 1 returns 161001: .*out is an aclIntArray.*executor is a null' \
  '^  self: aclTensor FLOAT\[1,1,2\] NCHW$' '^  padding: aclIntArray \{1, 1, 0, 0\}$' '^  out: aclIntArray \(0x' \
  '^  workspaceSize: uint64_t\*$' '^  executor: null$' '^  out: null$' \
  '^  padding: aclIntArray that is not alive \(0x'
try leaks LIVED 'strict: aclTensor \(.*\) was never destroyed; created by .*\+0x' \
  '24 bytes of aclrtMalloc \(.*\) were never freed; created by leaky_allocation\+0x[0-9a-f]+ \(.*strict_program\+0x' \
  'strict: aclrtStream \(' 'strict: aclrtEvent \(' 'aclFinalize: 0' \
  'strict: 1,603 × aclIntArray were never destroyed; created by .*\(.*strict_program\+0x'
[ "$(grep -Ec 'was never|were never' <<<"$said")" -eq 5 ] || { echo "leaks: not five lines: $said"; failures=1; }
# addr2line leads from such a line to the source, where there is debug information.
while read -r place; do
  line=$(addr2line -e "$program" "$place" | sed 's/.*://; s/ .*//')
  [ "$line" = '?' ] || grep -Eq 'acl(rt)?(Malloc|Create)' <<<"$(sed -n "${line}p" "$(dirname "$0")/strict_program.cpp")" ||
    { echo "leaks: $place is line $line, where nothing is made"; failures=1; }
done < <(sed -nE 's/.*(was|were) never.*\+(0x[0-9a-f]+)\)$/\2/p' <<<"$said")
if [ $keys = yes ]; then
  try host_touch DIED 'a thread of the program accesses device memory directly'
  try kernel_touch LIVED 'read: Bad address'
else
  try host_touch LIVED 'now: 1'
fi

# Off: the same programs are none of the library's business, as far as they are defined.
unset GRADPROOF_STRICT
try host_data LIVED 'phase 2: 0'
try leaks LIVED
never 'strict'
exit $failures
