#!/usr/bin/env bash
# inside.sh TREE CCACHE SHARED COMMAND…: runs a command in TREE/project with TREE as the root. It is to be
# started in name spaces of its own for mounts and processes; see minimal_debian.sh.
set -euo pipefail
tree=$1 ccache=$2 shared=$3
shift 3
mount --bind "$tree" "$tree"  # what becomes the root must be a mount
mount -t proc proc "$tree/proc"
mount --rbind /sys "$tree/sys"
mount -t tmpfs -o mode=755,size=1m dev "$tree/dev"
for node in null zero full random urandom tty; do
  [ -e "/dev/$node" ] || continue
  touch "$tree/dev/$node"
  mount --bind "/dev/$node" "$tree/dev/$node"
done
ln -s /proc/self/fd "$tree/dev/fd"
for stream in 0:stdin 1:stdout 2:stderr; do ln -s "fd/${stream%:*}" "$tree/dev/${stream#*:}"; done
mkdir "$tree/dev/shm"
mount -t tmpfs -o mode=1777,nosuid,nodev shm "$tree/dev/shm"
mkdir "$tree/dev/pts"
mount -t devpts -o newinstance,ptmxmode=0666 devpts "$tree/dev/pts"  # tests make terminals
ln -s pts/ptmx "$tree/dev/ptmx"
mount --bind "$ccache" "$tree/ccache"
# Beside the clone, as on a machine that has it; some checks use it, and are skipped where it is empty.
[ ! -d "$shared" ] || mount -o bind,ro "$shared" "$tree/shared"

# What a fresh login has, and no more. ccache: what was compiled in another folder counts too, and so does what was
# compiled with other warnings, because `dev`, where they are errors, is compiled first.
environment=(HOME=/root PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin CI=true
  CCACHE_DIR=/ccache CCACHE_BASEDIR=/project CCACHE_NOHASHDIR=1 "CCACHE_IGNOREOPTIONS=-W*")
for name in http_proxy https_proxy no_proxy; do
  [ -z "${!name-}" ] || environment+=("$name=${!name}")
done
# Not chroot, within which no name spaces for users can be made; tests make some.
mkdir "$tree/machine"
pivot_root "$tree" "$tree/machine"
cd /
umount -l /machine
rmdir /machine
cd /project
# This shell stays, as the first process there is: it collects those whose parents ended before them.
env -i "${environment[@]}" "$@"
