# How the scripts of this folder start a target with libFuzzer; they read this file.

# Traces of every allocation cost two thirds of the speed; what is found is run again with them. Leaks
# are the property no-leak's to find: threads that come and go mislead libFuzzer's count of allocations.
export ASAN_OPTIONS=detect_leaks=0:malloc_context_size=0:quarantine_size_mb=16 UBSAN_OPTIONS=print_stacktrace=1

flags=(-max_len=4096 -timeout=10 -rss_limit_mb=2048 -malloc_limit_mb=512 -print_final_stats=1)

# The dictionary of a target: its own, or the integers at which arithmetic goes wrong.
dictionary() {
  local own=$root/corpus/dictionaries/$1.dict
  if [ -f "$own" ]; then echo "$own"; else echo "$root/corpus/dictionaries/boundaries.dict"; fi
}
