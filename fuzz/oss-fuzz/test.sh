#!/usr/bin/env bash
# Calls fuzz/oss-fuzz/build.sh as OSS-Fuzz's base image does: compiler, flags, engine and folders in the
# environment. Each target must start, find its seeds and run a hundred inputs, with its own options.
# `./run fuzz --package` calls it.
#
#   test.sh SOURCE_DIR WORK_DIR
set -euo pipefail
CXX=$(command -v clang++-19 || command -v clang++ || { echo "no clang++ here" >&2; exit 2; })
mkdir -p "$2/src" "$2/tmp"
export CXX SRC=$2/src WORK=$2/work OUT=$2/out
export CC=${CXX/clang++/clang} SANITIZER=address FUZZING_ENGINE=libfuzzer ARCHITECTURE=x86_64
export CFLAGS="-O1 -fno-omit-frame-pointer -gline-tables-only -fsanitize=address -fsanitize-address-use-after-scope -fsanitize=fuzzer-no-link"
export CXXFLAGS=$CFLAGS LIB_FUZZING_ENGINE=-fsanitize=fuzzer
ln -sfn "$1" "$SRC/gradproof"
rm -rf "$OUT"
mkdir -p "$WORK" "$OUT"
bash -eu "$1/fuzz/oss-fuzz/build.sh" >"$2/log" 2>&1 || { tail -n 40 "$2/log"; exit 1; }

cd "$OUT"  # as the runners do
count=0
for seeds in *_seed_corpus.zip; do
  target=${seeds%_seed_corpus.zip}
  rm -rf "$2/tmp/seeds"
  mkdir "$2/tmp/seeds"
  unzip -q "$seeds" -d "$2/tmp/seeds"
  [ -n "$(ls "$2/tmp/seeds")" ] || { echo "$seeds is empty"; exit 1; }
  mapfile -t options < <(sed -n 's/^\([a-z_]*\) = /-\1=/p' "$target.options")
  "./$target" -runs=100 "${options[@]}" "$2/tmp/seeds" >"$2/log" 2>&1 || { tail -n 20 "$2/log"; exit 1; }
  grep -q "^Done" "$2/log" || { echo "$target did not finish"; exit 1; }
  count=$((count + 1))
done
[ "$count" -eq "$(find "$1/corpus" -mindepth 1 -maxdepth 1 -type d ! -name dictionaries | wc -l)" ]
echo "$count targets built and started"
