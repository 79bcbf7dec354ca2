#!/usr/bin/env bash
# features.sh GRADPROOF KERNEL: findings of a bug that needs no feature name none, though the smallest case has some.
gradproof=$1 kernel=$2
. "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/../suite/expect.sh"
for seed in 1 3 5; do  # without a trial of each feature, findings named exact-division, first-extent-1 and extent-1
  expect 1 verify --library "$kernel" --cases 500 --seed "$seed" --jobs 1 --no-database
  says 'wrong result: '; says_not ' with '
done
[ "$failures" -eq 0 ]
