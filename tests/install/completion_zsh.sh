#!/usr/bin/env bash
# completion_zsh.sh PREFIX: zsh can read the completions. (What it completes to it says on a terminal alone.)
set -euo pipefail
prefix=$1
source "$(dirname "${BASH_SOURCE[0]}")/../needs.sh"
needs zsh zsh
zsh -n "$(find "$prefix/share/zsh" -name _gradproof)"
