#!/usr/bin/env bash
# cpp_docstrings.sh INCLUDE: each class and each public member of the C++ layer has a docstring, as Doxygen,
# which knows C++, sees it.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/../needs.sh"
needs doxygen doxygen
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# XML is the cheapest thing for it to make; without a product it looks at nothing.
doxygen - >/dev/null 2>"$work/warnings" <<TEXT
INPUT = $1/gradproof
OUTPUT_DIRECTORY = $work
FILE_PATTERNS = *.hpp
RECURSIVE = YES
EXCLUDE_SYMBOLS = gradproof::aclnn::detail gradproof::subject::detail gradproof::testing::detail gradproof::props
QUIET = YES
WARN_IF_UNDOCUMENTED = YES
WARN_IF_INCOMPLETE_DOC = NO
GENERATE_HTML = NO
GENERATE_LATEX = NO
GENERATE_XML = YES
TEXT
functions=$(cat "$work"/xml/*.xml | grep -c 'kind="function"')
[ "$functions" -gt 50 ] || { echo "Doxygen saw $functions functions only"; exit 1; }
# element_type has one, before its specialisations.
! grep 'is not documented' "$work/warnings" | grep -v 'Member element_type<'
