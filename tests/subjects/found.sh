#!/usr/bin/env bash
# found.sh GRADPROOF KERNEL [MOST]: within 10 s the kernel's bug is found, in a case whose tensors have at most 64
# elements, or MOST (a mask of bits aside, whose size the contract fixes).
gradproof=$1 kernel=$2 most=${3:-64}
. "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/../suite/expect.sh"
expect 1 verify --library "$kernel" --seconds 10 -x --no-database
cases=$(sed -n "s/^repro: gradproof repro '\([^']*\)'.*/\1/p" "$folder/out")
smallest=$(while read -r line; do
  grep -oE '=[A-Z0-9]+\[[0-9,]*\]' <<<"$line" | grep -v '=INT8' | tr -d ']' | cut -d '[' -f 2 |
    awk -F, '{ n = 1; for (i = 1; i <= NF; ++i) n *= $i; if (n > most) most = n } END { print most }'
done <<<"$cases" | sort -n | head -n 1)
[ -n "$smallest" ] || fail 'no case is shown'
[ "${smallest:-$((most + 1))}" -le "$most" ] || fail "the smallest case has a tensor of $smallest elements"
echo "smallest counterexample: $smallest elements"
[ "$failures" -eq 0 ]
