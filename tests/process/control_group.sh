#!/usr/bin/env bash
# control_group.sh PROCESS_PROGRAM: in a mount namespace of its own, where files say that the process's control group
# has 64 MiB and half a processor, the library says so too. Version 1 or 2, as the system has it.
set -euo pipefail
if [ "${1-}" != inside ]; then
  unshare --map-root-user --mount true 2>/dev/null || { echo "skipped: no namespaces here"; exit 77; }
  exec unshare --map-root-user --mount "$0" inside "$1"
fi
mount -t tmpfs none /sys/fs/cgroup
group() { sed -nE "s/^[0-9]+:([^:]*,)?$1(,[^:]*)?:(.*)/\3/p" /proc/self/cgroup | head -n 1; }
give() { mkdir -p "/sys/fs/cgroup$1" && echo "$3" >"/sys/fs/cgroup$1/$2"; }
if [ -n "$(group memory)" ]; then
  give "/memory$(group memory)" memory.limit_in_bytes 67108864
  give "/cpu$(group cpu)" cpu.cfs_quota_us 50000
  give "/cpu$(group cpu)" cpu.cfs_period_us 100000
else
  own=$(sed -n 's/^0:://p' /proc/self/cgroup)
  give "$own" memory.max 67108864
  give "$own" cpu.max "50000 100000"
fi
exec "$2" child_in_a_control_group
