#!/usr/bin/env bash
# cann_project.sh SOURCE BUILD WORK: projects whose CMake files are in the forms that CANN's guides give build
# and run against the component `dropin` alone, found by sourcing its set_env.sh.
set -euo pipefail
source=$1 build=$2 work=$3
unset LD_LIBRARY_PATH ASCEND_{CUSTOM_PATH,HOME_PATH,TOOLKIT_HOME}
rm -rf "$work"
cmake --install "$build" --prefix "$work/installed" --component dropin >/dev/null
mv "$work/installed" "$work/a folder"  # it may be moved, and its name may be anything
for project in by_file by_name; do
  cp -r "$source/tests/install/cann_project/$project" "$work/$project"
  cp "$source"/examples/{replication_pad2d_backward.cpp,*.h} "$work/$project"
done
cd "$work"

set +u  # people source it with any options
source "$work/a folder/set_env.sh"
once=$LD_LIBRARY_PATH
source "$work/a folder/set_env.sh"
set -u
[ "$LD_LIBRARY_PATH" = "$once" ] || { echo "a second set_env.sh changes LD_LIBRARY_PATH again"; exit 1; }
for variable in ASCEND_{CUSTOM_PATH,HOME_PATH,TOOLKIT_HOME}; do
  [ "${!variable}" = "$work/a folder" ] || { echo "$variable is ${!variable}"; exit 1; }
done

for project in by_file by_name; do
  cmake -S $project -B $project/build -G Ninja >/dev/null
  cmake --build $project/build
  program=$(find $project -name opapi_test -type f)
  diff "$source/tests/install/expected/replication_pad2d_backward.txt" <("$program")
done

# A program that was linked with CANN's own libraries, here with stubs of their names, starts with this tree;
# and though it asks for six files, there is one library behind them.
mkdir elsewhere
libraries=(ascendcl nnopbase opapi opapi_nn opapi_math opapi_cv)
nm -D --defined-only "$ASCEND_HOME_PATH"/lib64/libgradproof.so.[0-9] | awk '{print "extern \"C\" void " $3 "() {}"}' > elsewhere/stub.cpp
for library in "${libraries[@]}"; do
  "$CXX" -shared -fPIC -Wl,-soname,lib$library.so elsewhere/stub.cpp -o elsewhere/lib$library.so
done
"$CXX" -I"$ASCEND_HOME_PATH"/include{,/aclnn} by_file/replication_pad2d_backward.cpp -o prebuilt -Lelsewhere \
  -Wl,--no-as-needed "${libraries[@]/#/-l}"
[ "$(readelf -d prebuilt | grep -cE 'NEEDED.*lib(ascendcl|nnopbase|opapi)')" -eq 6 ] || { echo "not six libraries"; exit 1; }
diff "$source/tests/install/expected/replication_pad2d_backward.txt" <(./prebuilt)
loaded=$(LD_DEBUG=files ./prebuilt 2>&1 >/dev/null | grep -c 'calling init:.*/libgradproof')
[ "$loaded" -eq 1 ] || { echo "loaded $loaded times"; exit 1; }
