#!/usr/bin/env bash
# Prints the page docs/results/causes.md: how findings stand for causes where several are planted at once, and for
# kernels with one bug.
# usage: causes_table.sh GRADPROOF FAKE_LIBRARY KERNELS_FOLDER SECONDS SEED…
# A cause is represented if the case of a finding fails with that cause alone.
set -euo pipefail
gradproof=$1 fake=$2 kernels=$3 seconds=$4
shift 4
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

causes=('coarse FLOAT16' 'NaN if cropped' 'doubles asymmetric' 'forgets views'
        'behind DOUBLE' 'refuses empty' 'negates COMPLEX64' 'NaN if broadcast'
        'aborts if cropped to 1' 'leaks COMPLEX128' 'forgets NHWC' 'coarse rank 3')
# Those that the library passes without a cause: it knows no rules, and is no runtime of ours.
properties=(equivalence gradient-sum poison quiet no-leak layout support special-values linearity
            powers-of-two low-precision batch-order channel-order axis-order rank identity)

judge() {  # FAULTS OPTION…
  local status=0
  FAKE_FAULT=$1 "$gradproof" "${@:2}" >"$folder/out" 2>"$folder/err" || status=$?
  [ "$status" -le 1 ] || { cat "$folder/err" >&2; exit 1; }
  return "$status"
}

# row COUNT SEED: a line of the table.
row() {
  local planted=("${causes[@]:0:$1}") findings=0 repros=() represented=0 cause repro missing=
  judge "$(IFS=';'; echo "${planted[*]}")" verify --library "$fake" --operator replication_pad2d_backward \
    "${properties[@]/#/--property=}" --seconds "$seconds" --seed "$2" --no-database --show all || true
  findings=$(grep -c '^failed: ' "$folder/out") || true
  grep '^failed: \|^in: \|^repro: ' "$folder/out" | sed "s/^/$1 causes, seed $2: /" >&2 || true
  mapfile -t repros < <(sed -n 's/^repro: gradproof //p' "$folder/out")
  for cause in "${planted[@]}"; do
    for repro in "${repros[@]}"; do
      eval "judge \"\$cause\" $repro" && continue
      represented=$((represented + 1))
      continue 2
    done
    missing="${missing:+$missing, }$cause"
  done
  printf '| %d | %d | %d | %s | %d | %s |\n' "$1" "$2" "$represented" "${missing:-–}" "$findings" \
    "$(awk "BEGIN { printf \"%.2f\", $findings / $1 }")"
}

# kernel LIBRARY SEED…: a line of the table of kernels with one bug.
kernel() {
  local library=$1 seed name found
  shift
  name=${library##*/libbug_}
  printf '| `%s` |' "${name%.so}"
  for seed in "$@"; do
    judge '' verify --library "$library" --seconds 10 --seed "$seed" --no-database && found=0 ||
      found=$(grep -c '^failed: ' "$folder/out")
    printf ' %d |' "$found"
  done
  echo
}

machine() {
  local flags set=baseline known
  flags=" $(lscpu | sed -n 's/^Flags: *//p') "
  for known in avx2 avx512f amx_tile; do
    case $flags in *" $known "*) set=$known ;; esac
  done
  printf '%s, %s, %s processors, instruction sets up to %s' "$(lscpu | sed -n 's/^Model name: *//p' | head -1)" \
    "$(uname -m)" "$(nproc)" "$set"
}

cat <<TEXT
# Findings and causes

Made by \`./run causes\`: a small library with one operator and several defects planted at once
(\`tests/suite/fake_operator.cpp\`) is judged by \`gradproof verify --seconds $seconds\`. A cause is represented if the case
of a finding fails with that cause alone in the library. The goal: every cause, and at most 1.5 findings a cause.
Campaigns have the default number of jobs, one a processor, whose findings are grouped together.

Measured on $(date +%F): $(machine).

| causes present | seed | represented | not represented | findings | findings a cause |
|---|---|---|---|---|---|
TEXT
for count in 2 4 8 12; do
  for seed in "$@"; do row "$count" "$seed"; done
done
cat <<TEXT

Load average of the machine at the end: $(cut -d' ' -f1 /proc/loadavg).

The causes, in the order in which they are planted: $(printf '%s, ' "${causes[@]:0:11}")${causes[11]}.

## Kernels with one bug

The kernels of examples/kernels behind the subject kit, each with one bug (\`tests/subjects/bugs.cmake\`), judged by
\`gradproof verify --seconds 10\`: findings by seed. Sums that are rounded to the result's type (\`narrow_sums\`) are two causes,
one for FLOAT16 and one for BF16, where the operator has both.

| kernel and bug |$(printf ' seed %s |' "$@")
|---|$(printf -- '---|%.0s' "$@")
TEXT
for library in "$kernels"/libbug_*.so; do kernel "$library" "$@"; done
