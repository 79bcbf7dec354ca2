#!/usr/bin/env bash
# site.sh ROOT WORK: builds the documentation site in WORK, without a warning, and checks its links, anchors and images.
set -euo pipefail
. "$1/tests/needs.sh"
needs doxygen doxygen
needs sphinx-build python3-sphinx
for module in furo:furo myst_parser:python3-myst-parser breathe:python3-breathe; do
  /usr/bin/python3 -c "import ${module%:*}" 2>/dev/null ||
    { echo "skipped: Python has no module ${module%:*} (Debian: ${module#*:})"; exit 77; }
done
rm -rf "$2"
"$1/docs/site/build.sh" "$2"
python3 "$1/tests/docs/site.py" "$2/html"
