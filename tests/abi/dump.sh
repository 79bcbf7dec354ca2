#!/usr/bin/env bash
# dump.sh LIBRARY INCLUDE: prints the library's public interface as libabigail's XML, without anything
# that depends on where it was built. Needs debug information in the library.
set -euo pipefail
abidw --exported-interfaces-only --headers-dir "$2" --drop-private-types --no-elf-needed --type-id-style hash \
  --no-parameter-names --no-corpus-path --no-comp-dir-path --no-show-locs "$1" |
  sed "s,path='[^']*/opt/,path='opt/,"
