#!/usr/bin/env bash
# ci.sh ARGUMENT...: ci.py by a Python that has the module yaml, Debian's own if the first one lacks it.
python=python3
python3 -c 'import yaml' 2>/dev/null || python=/usr/bin/python3
exec $python "$(dirname "$(readlink -f "$0")")/ci.py" "$@"
