# AFL++ as an engine of campaign.sh, which reads this file. The programs are those of libFuzzer, linked with
# AFL++'s driver for such targets (preset fuzz-afl).

# It takes one folder of inputs.
afl_begin() {
  rm -rf "$work/$1/known"
  mkdir "$work/$1/known"
  local folder
  for folder in "$root/corpus/$1" "$work/$1/corpus"; do
    find "$folder" -type f -exec cp -t "$work/$1/known" {} +
  done
}

# A process that fuzzes one target: the first one minds the queue, the others draw from it. The programs have
# no sanitizers, and it refuses options for one.
afl() {
  local program=$1 target=$2 log=$3 job=$4 role=-S
  [ "$job" -gt 0 ] || role=-M
  env -u ASAN_OPTIONS -u UBSAN_OPTIONS \
    AFL_AUTORESUME=1 AFL_NO_UI=1 AFL_NO_AFFINITY=1 AFL_SKIP_CPUFREQ=1 AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES=1 \
    afl-fuzz -V "$seconds" -G 4096 -x "$(dictionary "$target")" -i "$work/$target/known" -o "$work/$target/afl" \
    $role "$job" -- "$program" >>"$log" 2>&1 || tail -n 5 "$log" >&2
}

# What it has learnt and found, put where the rest of a campaign looks for it.
afl_end() {
  local job file
  for job in "$work/$1/afl"/*/; do
    for file in "$job"queue/id*; do
      [ ! -f "$file" ] || cp "$file" "$work/$1/corpus/$(sha1sum "$file" | cut -c1-40)"
    done
    for file in "$job"crashes/id* "$job"hangs/id*; do
      [ ! -f "$file" ] || cp "$file" "$work/$1/findings/crash-$(sha1sum "$file" | cut -c1-40)"
    done
  done
}

# How the first process gets on; it says so once a minute.
afl_newest() {
  awk '/^(execs_done|edges_found|corpus_count|execs_per_sec)/ { v[$1] = $3 }
    END { printf "runs %d, edges %d, inputs %d, %d/s", v["execs_done"], v["edges_found"], v["corpus_count"], v["execs_per_sec"] }' \
    "$work/$1/afl/0/fuzzer_stats" 2>/dev/null || true
}

# Statistics of earlier campaigns are older than `known`.
afl_executed() {
  { find "$work/$1/afl" -name fuzzer_stats -newer "$work/$1/known" -exec cat {} + 2>/dev/null || true; } |
    awk '/^execs_done/ { n += $3 } END { print n + 0 }'
}
