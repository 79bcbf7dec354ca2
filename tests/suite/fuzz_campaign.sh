#!/usr/bin/env bash
# fuzz_campaign.sh SOURCE: `./run fuzz` fails where a target cannot start or inputs cannot be merged, and starts a target
# again only after a finding. The targets are stand-ins for programs with libFuzzer.
set -euo pipefail
source=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir -p "$folder"/fuzz "$folder"/corpus/{some,dictionaries} "$folder"/build/{fuzz-fast,fuzz}/fuzz
cp "$source/fuzz/engine.sh" "$source/fuzz/campaign.sh" "$folder/fuzz"
printf '#!/bin/sh\n' >"$folder/fuzz/coverage.sh"
cat >"$folder/target" <<'END'
#!/usr/bin/env bash
echo "$0" >>"$FAKE_STARTS"
case "$FAKE $*" in
  unmerged*-set_cover_merge*) echo 'cannot merge'; exit 1 ;;
  'cannot start'*) [[ $0 != */fuzz/fuzz/some ]] || { echo 'no sanitizer here'; exit 1; } ;;
esac
echo 'stat::number_of_executed_units: 60'
END
chmod +x "$folder/fuzz/coverage.sh" "$folder/target"
cp "$folder/target" "$folder/build/fuzz-fast/fuzz/some"
mv "$folder/target" "$folder/build/fuzz/fuzz/some"
export FAKE_STARTS=$folder/starts

# campaign FAKE STATUS TEXT STARTS
campaign() {
  local status=0 starts
  rm -f "$FAKE_STARTS"
  FAKE=$1 bash -c 'set -euo pipefail; build() { :; }
    sleep() { command sleep 0.1; }  # between two looks at the processes
    root=$1 minutes=0.1 jobs=1 keep=no engine=libfuzzer targets=(some); . "$root/fuzz/campaign.sh"' \
    campaign "$folder" >"$folder/out" 2>&1 || status=$?
  starts=$(wc -l <"$FAKE_STARTS")
  [ $status -eq "$2" ] && grep -q "$3" "$folder/out" && [ "$starts" -eq "$4" ] ||
    { cat "$folder/out"; echo "$1: exit status $status, $starts starts, or no '$3'"; exit 1; }
}
campaign works 0 '^some  *120 ' 3
campaign 'cannot start' 1 'some of fuzz executed no input' 3
grep -qx 'no sanitizer here' "$folder/out" || { cat "$folder/out"; echo 'no log of the target that cannot start'; exit 1; }
campaign unmerged 1 '^cannot merge' 3
