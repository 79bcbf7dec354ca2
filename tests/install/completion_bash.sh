#!/usr/bin/env bash
# completion_bash.sh PREFIX: bash completes commands, options and values.
set -euo pipefail
prefix=$1
# What the completion function answers for a line of words.
complete_bash() {
  bash -c 'source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); compopt() { :; }; _gradproof
           printf "%s\n" "${COMPREPLY[@]}"' - "$prefix/share/bash-completion/completions/gradproof" "$@"
}
expect() { [ "$1" = "$2" ] || { echo "completed to '$1' instead of '$2'"; exit 1; }; }
expect "$(complete_bash gradproof ver)" verify
expect "$(complete_bash gradproof verify --sec)" --seconds
expect "$(complete_bash gradproof verify --operator adaptive_max_pool3d_b)" adaptive_max_pool3d_backward
expect "$(complete_bash gradproof exhaust --at-most '')" ""
expect "$(complete_bash gradproof list poi)" points
expect "$(cd "$prefix" && complete_bash gradproof run bi)" bin
