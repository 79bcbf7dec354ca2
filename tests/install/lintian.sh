#!/usr/bin/env bash
# lintian.sh WORK: lintian finds no error in the packages that debian_packages.sh left in WORK.
set -euo pipefail
work=$1
source "$(dirname "${BASH_SOURCE[0]}")/../needs.sh"
needs lintian lintian
needs dpkg-shlibdeps dpkg-dev
lintian --fail-on error --tag-display-limit 0 "$work"/*.deb
