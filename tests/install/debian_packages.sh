#!/usr/bin/env bash
# debian_packages.sh BUILD WORK: CPack makes four packages; they declare what they need, and WORK/unpacked, where
# all are unpacked, holds a tool that finds its library. Those of a tree that is not configured for /usr differ in
# folders only.
set -euo pipefail
build=$1 work=$2
rm -rf "$work"
source "$(dirname "${BASH_SOURCE[0]}")/../needs.sh"
needs dpkg-shlibdeps dpkg-dev
cpack --config "$build/CPackConfig.cmake" -B "$work" >/dev/null
packages=("$work"/*.deb)
[ ${#packages[@]} -eq 4 ] || { echo "there are ${#packages[@]} packages: ${packages[*]}"; exit 1; }

# depends PACKAGE WORD…: its dependencies name each word.
depends() {
  local field word
  field=$(dpkg-deb -f "$work/$1"_*.deb Depends)
  echo "$1: $field"
  for word in "${@:2}"; do
    grep -qF -- "$word" <<<"$field" || { echo "$1 does not depend on $word"; exit 1; }
  done
}
runtime=$(basename "$(ls "$work"/libgradproof[0-9]*.deb)" | cut -d _ -f 1)
depends "$runtime" libc6 libstdc++6 libtbb12
needed=$(dpkg-deb -f "$work/$runtime"_*.deb Depends)
[[ $needed != *libhwy* ]] || { echo "$runtime loads libhwy, which takes 8 ms"; exit 1; }
depends libgradproof-dev "$runtime (=" libtbb-dev libhwy-dev
depends gradproof-tools "$runtime (=" libc6
depends python3-gradproof python3-numpy gradproof-tools
[ "$(dpkg-deb -f "$work"/python3-gradproof_*.deb Architecture)" = all ] || { echo "python3-gradproof is for one architecture"; exit 1; }

# Each is described in words of its own: a line, and more behind it, which CPack moves in by one space.
descriptions=$(for package in "${packages[@]}"; do dpkg-deb -f "$package" Description; done)
[ "$(grep -c '^[^ ]' <<<"$descriptions")" -eq 4 ] && [ "$(grep '^[^ ]' <<<"$descriptions" | sort -u | wc -l)" -eq 4 ] &&
  grep -q '^ [^ ]' <<<"$descriptions" && ! grep -q '^  ' <<<"$descriptions" || { echo "$descriptions"; exit 1; }

for package in "${packages[@]}"; do dpkg-deb -x "$package" "$work/unpacked"; done
env -u LD_LIBRARY_PATH "$work/unpacked/usr/bin/gradproof" verify --cases 20 --operator replication_pad2d_backward
