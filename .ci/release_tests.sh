#!/usr/bin/env bash
# After ./run test, in a throw-away system: fails if a test was skipped for lack of a package that is in no list of
# packages which ./run test does without, or gave no reason; then installs packages-release.txt and runs the tests that
# wait for it.
set -euo pipefail
cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/.."
mapfile -t packages < <(sed 's/#.*//; s/[[:space:]]//g; /^$/d' packages-release.txt)
status=0
optional=$(sed 's/#.*//; s/[[:space:]]//g; /^$/d' packages-{release,bench,fuzz}.txt)
while read -r package; do
  grep -qxF "$package" <<<"$optional" ||
    { echo "Tests were skipped because packages.txt lacks $package."; status=1; }
done < <(sed -n 's/.*(Debian: \(.*\))$/\1/p' build/skips.txt | sort -u)
! grep ': no reason given$' build/skips.txt || { echo "These tests were skipped without a reason."; status=1; }
[ $status -eq 0 ] || exit 1

DEBIAN_FRONTEND=noninteractive apt-get -qq -o Dpkg::Use-Pty=0 install -y --no-install-recommends \
  "${packages[@]}" >/tmp/install.log 2>&1 || { cat /tmp/install.log; exit 1; }
ctest --preset dev -L release -j "$(nproc)" | tee /tmp/release.log
! grep -q '(Skipped)' /tmp/release.log || { echo "Skipped, though packages-release.txt is installed."; exit 1; }
