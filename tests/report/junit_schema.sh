#!/usr/bin/env bash
# junit_schema.sh GRADPROOF FAKE_LIBRARY: the junit.xml of a campaign that holds and of one with
# violations fit the format's schema.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/../needs.sh"
needs xmllint libxml2-utils
schema=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/junit.xsd
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$1" verify --cases 20 --operator replication_pad2d --report "$folder/held" >/dev/null
status=0
FAKE_FAULT='last column' "$1" verify --library "$2" --cases 30 --property equivalence --report "$folder/violated" >/dev/null || status=$?
[ "$status" -eq 1 ] || { echo "exit status $status of a campaign with violations"; exit 1; }
grep -q '<failure' "$folder/violated/junit.xml"
"$1" verify --library "$2" --cases 5 --operator replication_pad2d_backward --property adjoint --no-database \
  --report "$folder/incomplete" >/dev/null && { echo "no forward, but the adjoint was checked"; exit 1; }
grep -q '<error message="no check ran: the library has no aclnnReplicationPad2d"' "$folder/incomplete/junit.xml"
xmllint --noout --schema "$schema" "$folder"/{held,violated,incomplete}/junit.xml
# What the schema is to catch: a suite without its time, a name that is no word.
sed '0,/ timestamp="[^"]*"/s///' "$folder/held/junit.xml" >"$folder/broken.xml"
if xmllint --noout --schema "$schema" "$folder/broken.xml" 2>/dev/null; then echo 'FAILED: the schema passes everything'; exit 1; fi
