#!/usr/bin/env bash
# conformance_page.sh PAGE PROGRAM: the page of differences is what the library's tables say.
set -euo pipefail
diff "$1" <("$2") || {
  echo "< the page, > the tables; write it anew: conformance_page > docs/conformance.md"
  exit 1
}
