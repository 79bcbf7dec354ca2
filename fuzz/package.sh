#!/usr/bin/env bash
# Builds the fuzz targets for an engine that others run, as OSS-Fuzz and ClusterFuzzLite ask for it:
# into $OUT each target, and beside it the zip of its seeds, its dictionary and its options.
#
# From the environment: SRC, where this project is a folder, and its dependencies may be; WORK, for what
# is built on the way; OUT; CXX, CXXFLAGS (sanitizers, coverage, standard library), LIB_FUZZING_ENGINE.
# Dependencies whose sources lie in SRC are built with the same flags, as archives; the system has the others.
set -euo pipefail
root=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/.." && pwd)
: "${SRC:?}" "${WORK:?}" "${OUT:?}" "${LIB_FUZZING_ENGINE:?}"
mkdir -p "$WORK" "$OUT"
# All flags come from CXXFLAGS.
common=(-G Ninja -DCMAKE_BUILD_TYPE=RelWithDebInfo -DCMAKE_CXX_FLAGS_RELWITHDEBINFO=
  -DCMAKE_PREFIX_PATH="$WORK/dependencies" -DBUILD_SHARED_LIBS=OFF -DBUILD_TESTING=OFF)

dependency() {
  local name=$1
  shift
  [ -d "$SRC/$name" ] || return 0
  cmake -S "$SRC/$name" -B "$WORK/$name" "${common[@]}" -DCMAKE_INSTALL_PREFIX="$WORK/dependencies" "$@"
  cmake --build "$WORK/$name" --target install
}
dependency oneTBB -DTBB_TEST=OFF -DTBB_STRICT=OFF -DTBBMALLOC_BUILD=OFF
dependency highway -DHWY_ENABLE_CONTRIB=OFF -DHWY_ENABLE_TESTS=OFF -DHWY_ENABLE_EXAMPLES=OFF
dependency json -DJSON_BuildTests=OFF
dependency CLI11 -DCLI11_BUILD_TESTS=OFF -DCLI11_BUILD_EXAMPLES=OFF -DCLI11_BUILD_DOCS=OFF

cmake -S "$root" -B "$WORK/gradproof" "${common[@]}" -DGRADPROOF_FUZZ=ON -DGRADPROOF_INSTALL=OFF \
  "-DGRADPROOF_FUZZING_ENGINE=$LIB_FUZZING_ENGINE"
cmake --build "$WORK/gradproof" --target fuzzers

for folder in "$root"/corpus/*/; do
  target=$(basename "$folder")
  [ "$target" != dictionaries ] || continue
  cp "$WORK/gradproof/fuzz/$target" "$OUT/"
  rm -f "$OUT/${target}_seed_corpus.zip"
  zip -q -j -r "$OUT/${target}_seed_corpus.zip" "$folder"
  dictionary=$root/corpus/dictionaries/$target.dict
  [ -f "$dictionary" ] || dictionary=$root/corpus/dictionaries/boundaries.dict
  cp "$dictionary" "$OUT/$target.dict"
  # Leaks: see engine.sh.
  printf '[libfuzzer]\nmax_len = 4096\ndetect_leaks = 0\ndict = %s.dict\n' "$target" >"$OUT/$target.options"
done
