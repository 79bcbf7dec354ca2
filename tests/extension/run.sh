#!/usr/bin/env bash
# run.sh LIBRARY PROGRAM ARGUMENTS…: a Python program on the extension, with Debian's Python, for whose PyTorch it was built.
# The environment chooses what would change results in a program for CANN; behind PyTorch it must not.
library=$1 program=$2
shift 2
[ -e "$library" ] || { echo "skipped: the test that builds the extension was skipped"; exit 77; }
for module in numpy torch; do
  /usr/bin/python3 -c "import $module" 2>/dev/null || { echo "skipped: no Python module $module (Debian: python3-$module)"; exit 77; }
done
export GRADPROOF_SOC=Ascend910 GRADPROOF_CONFORMANCE=cann
export PYTHONDONTWRITEBYTECODE=1 OMP_WAIT_POLICY=passive  # threads that spin would disturb other tests
exec /usr/bin/python3 "$program" "$library" "$@"
