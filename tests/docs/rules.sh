#!/usr/bin/env bash
# rules.sh PAGE GRADPROOF: the page of rules is what the reference's table says.
set -euo pipefail
diff "$1" <("$2" list rules --markdown) || {
  echo "< the page, > the table; write it anew: gradproof list rules --markdown > docs/rules.md"
  exit 1
}
