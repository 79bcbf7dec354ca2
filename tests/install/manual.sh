#!/usr/bin/env bash
# manual.sh PREFIX: the manual page has every command and option that --help has, and man finds no mistake in it.
set -euo pipefail
export LC_ALL=C.UTF-8
source "$(dirname "${BASH_SOURCE[0]}")/../needs.sh"
needs man man-db
prefix=$1
program=$prefix/bin/gradproof page=$prefix/share/man/man1/gradproof.1.gz
fail() { echo "$*"; exit 1; }

text=$(zcat "$page" | sed 's/\\-/-/g')
# The page's part on one command: from its heading to the next one.
part() { sed -n "/^\.SS \"gradproof $1\"/,/^\.S[HS]/p" <<<"$text"; }
names=$("$program" --help | grep -oE '^  [a-z]+  ' | tr -d ' ')
[ "$(wc -w <<<"$names")" -ge 8 ] || fail "found too few commands: $names"
for name in $names; do
  [ -n "$(part "$name")" ] || fail "the manual page has no section on $name"
  options=$("$program" "$name" --help | grep -oE '^  (-[a-z],)?--?[a-z-]+' | tr ',' '\n' | tr -d ' ')
  [ -n "$options" ] || fail "$name --help shows no options"
  for option in $options; do
    part "$name" | grep -F -e "\\fB$option\\fR" >/dev/null ||  # not -q: sed would end by a broken pipe
      fail "the manual page lacks $name $option"
  done
done
warnings=$(MANROFFSEQ='' MANWIDTH=80 man --warnings -E UTF-8 -l -Tutf8 -Z "$page" 2>&1 >/dev/null)
[ -z "$warnings" ] || fail "man: $warnings"
