#!/usr/bin/env bash
# manual.sh PREFIX: the manual page has every command and option that --help has, and man finds no mistake
# in it; the shells complete commands, options and values. Shells that are not installed are left out.
set -euo pipefail
export LC_ALL=C.UTF-8
prefix=$1
program=$prefix/bin/gradproof page=$prefix/share/man/man1/gradproof.1.gz
fail() { echo "$*"; exit 1; }

text=$(zcat "$page" | sed 's/\\-/-/g')
# The page's part on one command: from its heading to the next one.
part() { sed -n "/^\.SS \"gradproof $1\"/,/^\.S[HS]/p" <<<"$text"; }
names=$("$program" --help | sed '1,/^Subcommands:/d' | grep -oE '^  [a-z]+')
[ "$(wc -w <<<"$names")" -ge 8 ] || fail "found too few commands: $names"
for name in $names; do
  [ -n "$(part "$name")" ] || fail "the manual page has no section on $name"
  options=$("$program" "$name" --help | grep -oE '^  (-[a-z],)?--?[a-z-]+' | tr ',' '\n' | tr -d ' ')
  [ -n "$options" ] || fail "$name --help shows no options"
  for option in $options; do
    part "$name" | grep -qF -e "\\fB$option\\fR" || fail "the manual page lacks $name $option"
  done
done
if command -v man >/dev/null; then
  warnings=$(LC_ALL=C.UTF-8 MANROFFSEQ='' MANWIDTH=80 man --warnings -E UTF-8 -l -Tutf8 -Z "$page" 2>&1 >/dev/null)
  [ -z "$warnings" ] || fail "man: $warnings"
fi

# bash: what the completion function answers for a line of words.
complete_bash() {
  bash -c 'source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); compopt() { :; }; _gradproof
           printf "%s\n" "${COMPREPLY[@]}"' - "$prefix/share/bash-completion/completions/gradproof" "$@"
}
expect() { [ "$1" = "$2" ] || fail "completed to '$1' instead of '$2'"; }
expect "$(complete_bash gradproof ver)" verify
expect "$(complete_bash gradproof verify --sec)" --seconds
expect "$(complete_bash gradproof verify --operator adaptive_max_pool3d_b)" adaptive_max_pool3d_backward
expect "$(complete_bash gradproof exhaust --at-most '')" ""
expect "$(complete_bash gradproof list cel)" cells
expect "$(cd "$prefix" && complete_bash gradproof run bi)" bin
if command -v fish >/dev/null; then
  fish="source $prefix/share/fish/vendor_completions.d/gradproof.fish; complete -C"
  expect "$(HOME=$(mktemp -d) fish -c "$fish 'gradproof ver'" | cut -f 1)" verify
  expect "$(HOME=$(mktemp -d) fish -c "$fish 'gradproof verify --sec'" | cut -f 1)" --seconds
fi
if command -v zsh >/dev/null; then
  zsh -n "$(find "$prefix/share/zsh" -name _gradproof)"
fi
