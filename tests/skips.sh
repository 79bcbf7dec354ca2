#!/usr/bin/env bash
# skips.sh STAGE LOG SKIPS: hands on what CTest prints (stdin), and before its closing lines tells which tests of
# this stage and of those before were skipped, and why. LOG is CTest's LastTest.log, where the reasons are;
# SKIPS keeps what is told from stage to stage.
#
# A script's reason is its line "skipped: …"; a googletest's is the line after "FILE:LINE: Skipped".
set -euo pipefail
stage=$1 log=$2 skips=$3
closing=()
while IFS= read -r line; do
  if [ ${#closing[@]} -gt 0 ] || [[ $line =~ ^[0-9]+%\ tests\ passed, ]]; then
    closing+=("$line")
  else
    printf '%s\n' "$line"
  fi
done

# CTest writes "NUMBER - NAME (Skipped)".
names=$(printf '%s\n' "${closing[@]}" | sed -nE 's/^[[:space:]]+[0-9]+ - (.*) \(Skipped\)$/\1/p')
total=$(printf '%s\n' "${closing[@]}" | sed -nE 's/^[0-9]+% tests passed.* out of ([0-9]+)$/\1/p')
if [ -n "$names" ]; then
  printf 'Skipped in %s, %d of %d tests:\n' "$stage" "$(wc -l <<<"$names")" "$total" >>"$skips"
  names=$names awk '
    BEGIN { count = split(ENVIRON["names"], order, "\n") }
    /^[0-9]+\/[0-9]+ Test: / { sub(/^[^:]*: /, ""); test = $0; next }
    after { reason[test] = $0; after = 0; next }
    /^skipped: / && !(test in reason) { reason[test] = substr($0, 10) }
    /:[0-9]+: Skipped$/ && !(test in reason) { after = 1 }
    END { for (i = 1; i <= count; ++i)
            print "  " order[i] ": " (order[i] in reason ? reason[order[i]] : "no reason given") }' "$log" >>"$skips"
elif [ -n "$total" ]; then
  printf 'Skipped in %s: none of %d tests.\n' "$stage" "$total" >>"$skips"
fi
[ ! -e "$skips" ] || { echo; cat "$skips"; }
[ ${#closing[@]} -eq 0 ] || { echo; printf '%s\n' "${closing[@]}"; }
