# Builds fuzz targets and runs them one after the other for a given time, minimises what they find and merges
# what they learnt. `./run fuzz` reads this file, with the variables of its function fuzz().
#
# The builds are fuzz-fast (no sanitizers), fuzz (sanitizers), fuzz-cover (for the coverage report) and, with
# engine afl, fuzz-afl. Each is built when it is needed: fuzzing starts with the first one, and the coverage
# report's comes last. What the campaign makes goes into build/campaign. Each target gets an equal part of the
# minutes. With libfuzzer half of it goes without sanitizers, with afl (afl.sh) all of it. keep=yes folds the
# result into corpus/.
# Every input that reaches something new is written at once, so an interrupt loses nothing, and the
# next campaign begins with it. Exit status: 1 if anything was found, if a target executed no input in one of
# the builds, or if inputs could not be merged.
builds=$root/build
. "$root/fuzz/engine.sh"
case $engine in
  libfuzzer) arms=(fuzz-fast fuzz) ;;
  afl) arms=(fuzz-afl) ; . "$root/fuzz/afl.sh" ;;
esac
work=$builds/campaign
mkdir -p "$work/tmp"
export TMPDIR=$work/tmp  # for what a process that dies leaves behind
most_findings=20  # of one target in one campaign; more of them are mostly the same one
seconds=$(awk -v m="$minutes" -v n=$((${#targets[@]} * ${#arms[@]})) 'BEGIN { s = int(m * 60 / n); print s < 1 ? 1 : s }')
found=0 stopped=no pids=() prepared=
declare -A executed=()
trap interrupt INT TERM

findings() { find "$work/$1/findings" -type f; }

# A process that fuzzes one target until its time is over, and starts anew after each finding. One that ends without
# a finding would end so again. It is ended from outside should it hang: libFuzzer's own alarm may then wait for the
# allocator.
libfuzzer() {
  local program=$1 target=$2 log=$3 until=$((SECONDS + seconds)) left written=0 before
  while left=$((until - SECONDS)) && [ $left -gt 0 ]; do
    timeout -k 10 $((left + 60)) "$program" "${flags[@]}" -reload=5 "-dict=$(dictionary "$target")" -max_total_time=$left \
      -artifact_prefix="$work/$target/findings/" "$work/$target/corpus" "$root/corpus/$target" \
      >>"$log" 2>&1 && break
    [ $? -ne 72 ] || break  # interrupted
    before=$written written=$(grep -ac 'Test unit written to' "$log" || true)
    [ "$written" -gt "$before" ] || { tail -n 5 "$log" >&2; break; }
    [ "$(findings "$target" | wc -l)" -lt $most_findings ] || break
  done
}

# How the first process of an arm gets on, from the newest line of its log that says so.
libfuzzer_newest() {
  local target=$1 build=$2
  grep -a 'cov: ' "$work/$target/$build-0.log" 2>/dev/null | tail -n 1 |
    sed -E 's/^#([0-9]+).* cov: ([0-9]+) ft: ([0-9]+) corp: ([0-9]+).* exec\/s: ([0-9]+).*/runs \1, edges \2, features \3, inputs \4, \5\/s/' || true
}

# How many inputs an arm executed on a target.
libfuzzer_executed() { cat "$work/$1/$2"-[0-9]*.log | awk '/^stat::number_of_executed_units/ { n += $2 } END { print n + 0 }'; }

# What another engine would have to bring in before, and give to the rest of the campaign after.
libfuzzer_begin() { :; }
libfuzzer_end() { :; }

# An interrupt ends the campaign, and the fuzzers; first those that would start one anew.
interrupt() {
  stopped=yes
  local children
  [ ${#pids[@]} -gt 0 ] || return 0
  children=$(pgrep -P "$(IFS=,; echo "${pids[*]}")" || true)
  kill "${pids[@]}" 2>/dev/null || true
  [ -z "$children" ] || kill -INT $children 2>/dev/null || true
}

# Runs $jobs processes of one arm and shows how they get on.
arm() {
  local build=$1 target=$2 job pid
  pids=()
  for ((job = 0; job < jobs; ++job)); do
    : >"$work/$target/$build-$job.log"
    $engine "$builds/$build/fuzz/$target" "$target" "$work/$target/$build-$job.log" $job &
    pids+=($!)
  done
  for pid in "${pids[@]}"; do
    while kill -0 "$pid" 2>/dev/null; do
      sleep 5 &
      wait $! || true
      printf '   %-10s %-52s %s; findings %s\n' "$build" "$target" "$(${engine}_newest "$target" "$build")" "$(findings "$target" | wc -l)" >&2
    done
  done
  wait "${pids[@]}" 2>/dev/null || true
  pids=()
}

# Makes a finding small and prints it as a case with the line that repeats it. A campaign that was interrupted may
# have no build with sanitizers.
explain_finding() {
  local target=$1 file=$2 program small
  program=$builds/fuzz/fuzz/$target
  [ -x "$program" ] || program=$builds/${arms[0]}/fuzz/$target
  small=$work/$target/small-$(basename "$file")
  "$program" -minimize_crash=1 -max_total_time=20 -exact_artifact_path="$small" "$file" >/dev/null 2>&1 || true
  [ -s "$small" ] || cp "$file" "$small"
  printf '\nFINDING of %s: %s\n' "$target" "$small"
  ASAN_OPTIONS=detect_leaks=0 GRADPROOF_FUZZ_SHOW=1 "$program" "$small" 2>&1 |
    grep -aE -A3 '^finding|^case: |^repro: |ERROR: |runtime error|^SUMMARY' | awk '!seen[$0]++' | head -40 || true
}

# Builds the targets in that build, once.
prepare() {
  [[ $prepared != *" $1 "* ]] || return 0
  build "$1" --target "${targets[@]/#/fuzz_}" </dev/null || exit 1
  prepared+=" $1 "
}

# The smallest set of inputs that reaches everything that old and new ones do.
merge() {
  local target=$1
  rm -rf "$work/$target/minimal"
  mkdir "$work/$target/minimal"
  "$builds/fuzz-fast/fuzz/$target" -set_cover_merge=1 "$work/$target/minimal" "$root/corpus/$target" \
    "$work/$target/corpus" >"$work/$target/merge.log" 2>&1 ||
    { tail -n 5 "$work/$target/merge.log" >&2; found=1; return 0; }
  [ "$keep" = yes ] && [ $stopped = no ] || return 0
  cp "$work/$target/minimal"/* "$root/corpus/$target/"
  find "$root/corpus/$target" -maxdepth 1 -type f | while read -r file; do
    [ -e "$work/$target/minimal/${file##*/}" ] || rm "$file"
  done
}

for target in "${targets[@]}"; do
  mkdir -p "$work/$target/corpus" "$work/$target/findings"
  rm -f "$work/$target"/*.log
done
for arm in "${arms[@]}"; do
  [ $stopped = no ] || break
  prepare "$arm"
  for target in "${targets[@]}"; do
    [ $stopped = no ] || break
    ${engine}_begin "$target"
    arm "$arm" "$target"
    ${engine}_end "$target"
    runs=$(${engine}_executed "$target" "$arm")
    executed[$target]=$((${executed[$target]-0} + runs))
    [ "$runs" -gt 0 ] || [ $stopped = yes ] ||
      { printf 'campaign.sh: %s of %s executed no input; its logs: %s\n' "$target" "$arm" "$work/$target" >&2; found=1; }
  done
done

printf '%-52s %12s %8s %8s %8s\n' target executions edges inputs findings >"$work/campaign.txt"
for target in "${targets[@]}"; do
  [ $stopped = yes ] || { prepare fuzz-fast && merge "$target"; }
  edges=$(${engine}_newest "$target" "${arms[-1]}" | sed -nE 's/.*edges ([0-9]+).*/\1/p')
  printf '%-52s %12s %8s %8s %8s\n' "$target" "${executed[$target]-0}" "${edges:--}" \
    "$(find "$work/$target/minimal" -type f 2>/dev/null | wc -l)" "$(findings "$target" | wc -l)" >>"$work/campaign.txt"
  while read -r file; do
    found=1
    [ $stopped = yes ] || prepare fuzz
    explain_finding "$target" "$file"
  done < <(findings "$target" | sort)
done
printf '\n'
cat "$work/campaign.txt"
[ $stopped = yes ] || { prepare fuzz-cover && "$root/fuzz/coverage.sh" "$builds" "${targets[@]}"; } || found=1
exit $found
