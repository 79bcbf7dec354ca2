#!/usr/bin/env bash
# client.sh FOLDER EXECUTORS END: runs client.py with these arguments.
set -euo pipefail
here=$(dirname "${BASH_SOURCE[0]}")
source "$here/../../needs.sh"
needs python3 python3
PYTHONDONTWRITEBYTECODE=1 python3 "$here/client.py" "$@"
