#!/usr/bin/env bash
# run.sh GRADPROOF MODULES PROGRAM ARGUMENTS…: a Python program of the tests, with the module in python/, by the first
# Python that has all of MODULES ("numpy torch"). Debian's is the second that is asked.
gradproof=$1 modules=$2
shift 2
here=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")
export GRADPROOF=$gradproof PYTHONPATH=$here/../../python PYTHONDONTWRITEBYTECODE=1
for python in python3 /usr/bin/python3; do
  "$python" -c "import ${modules// /, }" 2>/dev/null && exec "$python" "$@"
done
for module in $modules; do
  /usr/bin/python3 -c "import $module" 2>/dev/null && continue
  echo "skipped: no Python has all of the modules $modules (Debian: python3-$module)"
  exit 77
done
echo "no Python can import all of the modules $modules at once"
exit 1
