#!/usr/bin/env bash
# overflow.sh SITE: no page of the built site is wider than the window, and all have a dark look (overflow.py).
set -euo pipefail
[ -e "$1/index.html" ] || { echo "skipped: the site was not built (docs.site says why)"; exit 77; }
mapfile -t pages < <(find "$1" -name '*.html' ! -path "$1/index.html" | sort)  # that one only leads to another
[ ${#pages[@]} -gt 50 ] || { echo "only ${#pages[@]} pages"; exit 1; }
exec python3 "$(dirname "$(readlink -f "$0")")/overflow.py" "${pages[@]}"
