#!/usr/bin/env bash
# real.sh RUN PREFIX WORK: a real client, with checkouts in GRADPROOF_CLIENTS.
set -euo pipefail
[ -n "${GRADPROOF_CLIENTS-}" ] || { echo "skipped: GRADPROOF_CLIENTS names no folder of checkouts (docs/clients.md)"; exit 77; }
exec "$1" "$GRADPROOF_CLIENTS" "$2" "$3"
