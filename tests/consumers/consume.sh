#!/usr/bin/env bash
# consume.sh PROJECT SOURCE BUILD PREFIX: builds and runs the consumer project tests/consumers/PROJECT in
# a folder of its own, against a copy of the installed tree PREFIX or of the library's sources. SOURCE
# and BUILD are empty folders to it, where the system allows that, so nothing can lead back there.
set -euo pipefail
project=$1 source=$2 build=$3 prefix=$4
unset LD_LIBRARY_PATH ASCEND_CUSTOM_PATH ASCEND_HOME_PATH

if [ -z "${CONSUMER_WORK-}" ]; then
  # CTest runs what needs a tree also where the test that makes it was skipped.
  [ -d "$prefix" ] || { echo "skipped: the test that makes $(basename "$(dirname "$prefix")") was skipped"; exit 77; }
  CONSUMER_WORK=$(mktemp -d)
  trap 'rm -rf "$CONSUMER_WORK"' EXIT
  export CONSUMER_WORK
  cp -a "$source/tests/consumers" "$CONSUMER_WORK/consumers"
  cp -a "$prefix" "$CONSUMER_WORK/prefix"
  mkdir "$CONSUMER_WORK/gradproof"
  cp -a "$source"/{CMakeLists.txt,cmake,include,opt,ref} "$CONSUMER_WORK/gradproof"
  cd "$CONSUMER_WORK"
  if unshare --map-root-user --mount true 2>/dev/null; then
    unshare --map-root-user --mount "$CONSUMER_WORK/consumers/consume.sh" "$@"
  else
    echo "no namespaces here: sources and build tree stay where they can be seen"
    CONSUMER_BARE=1 "$CONSUMER_WORK/consumers/consume.sh" "$@"
  fi
  exit
fi

if [ -z "${CONSUMER_BARE-}" ]; then
  mount -t tmpfs none "$build"
  mount -t tmpfs none "$source"
  [ ! -e "$build/CMakeCache.txt" ] && [ ! -e "$source/CMakeLists.txt" ] || exit 1
fi
cd "$CONSUMER_WORK"
! grep -rIlF -e "$source" -e "$build" prefix || { echo "these name the sources or the build tree"; exit 1; }

# -O0 without debug information: the projects that contain the sources compile them.
export CCACHE_BASEDIR=$CONSUMER_WORK CCACHE_NOHASHDIR=1
PKG_CONFIG_PATH=$(dirname "$(find "$CONSUMER_WORK/prefix" -name gradproof.pc)")
export PKG_CONFIG_PATH
launcher=$(command -v ccache || true)
cmake -S "consumers/$project" -B tree -G Ninja -DCMAKE_BUILD_TYPE=Debug -DCMAKE_CXX_FLAGS_DEBUG= \
  -DCMAKE_CXX_COMPILER_LAUNCHER="$launcher" -DCMAKE_PREFIX_PATH="$CONSUMER_WORK/prefix" \
  -DGRADPROOF_SOURCE="$CONSUMER_WORK/gradproof" --no-warn-unused-cli >/dev/null
cmake --build tree
for program in consumer consumer_static oracle properties; do
  [ ! -e "tree/$program" ] || { echo "running $program"; "tree/$program"; }
done

case $project in
  find_package)
    mkdir unknown
    printf '%s\n' 'cmake_minimum_required(VERSION 3.25)' 'project(unknown CXX)' \
      'find_package(gradproof REQUIRED COMPONENTS ref foo)' > unknown/CMakeLists.txt
    said=$(cmake -S unknown -B unknown/tree -DCMAKE_PREFIX_PATH="$CONSUMER_WORK/prefix" 2>&1 | tr -s ' \n' ' ') || true
    [[ $said == *"unknown component 'foo'; there are: shared, static, ref, subject, testing"* ]] ||
      { echo "of an unknown component: $said"; exit 1; }
    ;;
  add_subdirectory)
    [ "$(ctest --test-dir tree -N | tail -n 1)" = "Total Tests: 0" ] || { echo "there are tests"; exit 1; }
    cmake --install tree --prefix "$CONSUMER_WORK/own" >/dev/null
    [ "$(cd own && find . -type f)" = ./bin/consumer ] ||
      { echo "installed with the containing project:"; find own -type f; exit 1; }
    ;;
  pkg_config)
    # Without the packages of oneTBB and Highway, which programs that link the shared library do not need.
    PKG_CONFIG_LIBDIR=$PKG_CONFIG_PATH pkg-config --cflags --libs gradproof >/dev/null
    # The archive, as a program without CMake would link it.
    # shellcheck disable=SC2046  # pkg-config answers in words
    "$CXX" $(pkg-config --cflags gradproof) consumers/consumer.cpp -o static \
      -Wl,-Bstatic $(pkg-config --libs gradproof) -Wl,-Bdynamic \
      $(pkg-config --static --libs gradproof | sed 's/-lgradproof//')
    ./static
    ! ldd static | grep gradproof || { echo "the shared library was linked"; exit 1; }
    ;;
esac
