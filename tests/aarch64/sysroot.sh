#!/usr/bin/env bash
# sysroot.sh FOLDER: unpacks the arm64 Debian packages that the project builds against into FOLDER.
# apt works on lists of its own in there, so neither root nor a foreign architecture is needed.
set -euo pipefail
folder=$(realpath -m "$1")
packages=(libtbb-dev libtbb12 libtbbbind-2-5 libtbbmalloc2 nlohmann-json3-dev libcli11-dev librapidcheck-dev
          libgtest-dev libgmock-dev libhwy-dev libhwy1)
stamp=$folder/packages
[ "$(cat "$stamp" 2>/dev/null)" != "${packages[*]}" ] || exit 0

rm -rf "$folder"
mkdir -p "$folder"/apt/{state/lists/partial,cache/archives/partial,download}
: > "$folder/apt/status"
apt() {
  apt-get -qq -o APT::Architecture=arm64 -o APT::Architectures=arm64 -o Dir::State="$folder/apt/state" \
    -o Dir::State::status="$folder/apt/status" -o Dir::Cache="$folder/apt/cache" \
    -o APT::Sandbox::User="$(id -un)" "$@"
}
apt update
cd "$folder/apt/download"
apt download "${packages[@]}"
for package in *.deb; do dpkg-deb --extract "$package" "$folder"; done
cd "$folder"
rm -rf "$folder/apt"
echo "${packages[*]}" > "$stamp"
