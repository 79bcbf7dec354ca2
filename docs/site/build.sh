#!/usr/bin/env bash
# build.sh OUTPUT: the documentation site, in OUTPUT/html. A warning of Doxygen or Sphinx is an error.
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/../.."
mkdir -p "$1"
GRADPROOF_DOCS=$(readlink -f "$1")
GRADPROOF_VERSION=$(sed -n 's/^project(gradproof VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)
export GRADPROOF_DOCS GRADPROOF_VERSION GRADPROOF_XML=$GRADPROOF_DOCS/xml
doxygen docs/Doxyfile
sphinx-build -q -W --keep-going -b html -c docs/site -d "$1/doctrees" . "$1/html"
