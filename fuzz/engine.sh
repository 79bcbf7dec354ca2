# How the scripts of this folder start a target with libFuzzer; they read this file.

# Traces of every allocation cost two thirds of the speed; what is found is run again with them. Freed
# memory is kept for some inputs and not for thousands, so that it stays in the caches.
ASAN_OPTIONS=detect_leaks=0:malloc_context_size=0:max_allocation_size_mb=512
ASAN_OPTIONS+=:quarantine_size_mb=1:thread_local_quarantine_size_kb=64
export ASAN_OPTIONS UBSAN_OPTIONS=print_stacktrace=1

# Leaks are the property no-leak's to find: threads that come and go mislead libFuzzer's count of
# allocations, which costs a tenth of the speed.
# What takes longer than the time limit is one finding, not a slow unit as well.
flags=(-max_len=4096 -timeout=10 -report_slow_units=3600 -rss_limit_mb=2048 -detect_leaks=0 -print_funcs=0 -print_final_stats=1)

# The dictionary of a target: its own, or the integers at which arithmetic goes wrong.
dictionary() {
  local own=$root/corpus/dictionaries/$1.dict
  if [ -f "$own" ]; then echo "$own"; else echo "$root/corpus/dictionaries/boundaries.dict"; fi
}
