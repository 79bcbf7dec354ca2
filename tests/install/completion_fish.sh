#!/usr/bin/env bash
# completion_fish.sh PREFIX: fish completes commands and options.
set -euo pipefail
export LC_ALL=C.UTF-8
prefix=$1
source "$(dirname "${BASH_SOURCE[0]}")/../needs.sh"
needs fish fish
HOME=$(mktemp -d)
export HOME
trap 'rm -rf "$HOME"' EXIT
expect() {
  local given
  given=$(fish -c "source '$prefix/share/fish/vendor_completions.d/gradproof.fish'; complete -C '$1'" | cut -f 1)
  [ "$given" = "$2" ] || { echo "'$1' completed to '$given' instead of '$2'"; exit 1; }
}
expect 'gradproof ver' verify
expect 'gradproof verify --sec' --seconds
