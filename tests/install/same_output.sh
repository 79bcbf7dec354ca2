#!/usr/bin/env bash
# same_output.sh EXPECTED PROGRAM: the program succeeds and prints exactly the expected text.
set -euo pipefail
diff "$1" <("$2" || echo "exit status $?")
