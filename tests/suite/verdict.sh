#!/usr/bin/env bash
# What a verdict may say: nothing counts that was not checked, nothing passes that was not tested.
# usage: verdict.sh GRADPROOF FAKE_LIBRARY MISSPELT_LIBRARY LIBRARY SANITIZERS
set -u
gradproof=$1 fake=$2 misspelt=$3 library=$4 sanitizers=$5
. "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/expect.sh"
case_line='replication_pad2d_backward gradOutput=FLOAT[1,1,2,3]:ND self=FLOAT[1,1,2,2]:ND padding=1,0,0,0 gradInput=FLOAT[1,1,2,2]:ND'

# A file that misspells its operator and links an implementation is not judged by that one's results.
expect 5 verify --library "$misspelt" --cases 20; says "not tested: 10 operators of ${library%.so*}.so"; says 'INCOMPLETE: 0 cases'
expect 0 verify --library "$misspelt" --library "$library" --cases 20; says 'passed: 20 cases'
ln -s "$library" "$folder/other_name.so"
expect 0 verify --library "$folder/other_name.so" --cases 20; says 'passed: 20 cases'
expect 5 run <(printf '%s\n' "$case_line") --library "$misspelt"; says 'none of its cases could be checked'
expect 5 repro "$case_line" --library "$misspelt"; says 'no given file defines aclnnReplicationPad2dBackward'
expect 5 exhaust --library "$misspelt"

# Operators and properties that options name have to be checked.
expect 5 verify --library "$fake" --operator upsample_bilinear2d --cases 10; says 'not tested: upsample_bilinear2d: not defined by the given files'
expect 5 verify --library "$fake" --operator upsample_bilinear2d --operator replication_pad2d_backward --property equivalence --cases 10
says 'not tested: upsample_bilinear2d'
expect 5 verify --operator upsample_bilinear2d --property adaptive-division --cases 60
says 'not tested: adaptive-division: no applicable case'; says 'INCOMPLETE: 0 cases and 0 boundary cases'
expect 5 repro "$case_line" --property misuse; says 'not tested'

# Boundary cases count where their status was judged: one property does not claim those of all.
expect 0 verify --operator replication_pad2d_backward --property equivalence --cases 40 --report "$folder/one"
tr -d '\n' <"$folder/one/report.json" | grep -o '"borders": {[^}]*}' | grep -q ' broken[^"]*": [1-9]' &&
  fail 'equivalence alone covers refusals'

# Calls that all fail say nothing about threads, leaks, instruction sets: no check was made.
for property in threads poison streams layout linearity batch-order; do
  FAKE_FAULT=refuses expect 5 verify --library "$fake" --profile gradproof --property $property --cases 200
  says "not tested: $property: a valid call failed"
done
expect 5 verify --library "$fake" --property threads --cases 200; says 'not tested: threads: not promised: thread-counts'
expect 5 verify --library "$fake" --profile gradproof --property instruction-sets --cases 200; says 'the instruction set of the library cannot be chosen'
[ -n "$sanitizers" ] ||  # whose malloc keeps what was freed
  { FAKE_FAULT=refuses expect 5 repro "$case_line" --library "$fake" --property no-leak; says 'not checked: no-leak: a valid call failed'; }

# After two hangs a property of an operator is not asked again, and the table does not count it.
FAKE_FAULT=hang expect 1 verify --library "$fake" --property equivalence --cases 60 --timeout 1
says 'no response for'; grep -q 'skipped .* after repeated crashes' "$folder/err" || fail 'nothing says that checks were skipped'
says_not ' 60 cases'

# A slow library is not asked for leaks.
FAKE_FAULT=slow expect 5 repro "$case_line" --library "$fake" --property no-leak; says 'not checked: no-leak: a call takes too long'

# Accepted boundary cases run. Their statuses alone are judged with --phase 1.
expect 2 verify --phase 1 --property equivalence --cases 3; grep -q 'cannot check' "$folder/err" || fail 'no reason'
expect 0 verify --operator replication_pad2d_backward --phase 1 --cases 40; says 'phase 2'
FAKE_FAULT=refuses expect 1 verify --library "$fake" --property error-codes --property equivalence --cases 30
says 'failed: equivalence'
FAKE_FAULT=refuses expect 1 verify --library "$fake" --phase 1 --cases 30; says_not 'equivalence of'

# Kept findings fail again, each by the property that failed; a database tries them first.
FAKE_FAULT='last column' expect 1 verify --library "$fake" --cases 60 --save "$folder/kept"
files=("$folder"/kept/*.txt)
[ ${#files[@]} -ge 3 ] || fail "only ${#files[@]} findings kept"
for file in "${files[@]}"; do
  FAKE_FAULT='last column' expect 1 run "$file" --library "$fake"; says 'FAILED: 1 case, 1 failed'
done
FAKE_FAULT='last column' expect 1 run "$folder/kept" --library "$fake"; says "FAILED: ${#files[@]} cases, ${#files[@]} failed"
[ -d .gradproof ] || fail 'no database was made'
FAKE_FAULT='last column' expect 1 verify --library "$fake" --cases 1 --property equivalence; says 'tried again: '; says 'findings of earlier runs'
FAKE_FAULT='last column' expect 1 verify --library "$fake" --cases 60 --no-database; says_not 'tried again: '
expect 1 verify --library "$fake" --cases 60 --database "$folder/other"
[ -d "$folder/other" ] || fail 'no database where the option says'
expect 2 verify --database x --no-database --cases 1
expect 0 run <(printf '%s property=equivalence threads=2 accuracy=device\n' "$case_line"); says 'passed: 1 case'
expect 2 run <(printf '%s property=nonsense\n' "$case_line"); grep -q ':1: ' "$folder/err" || fail 'no place of the wrong property'
expect 2 run <(printf '%s threads=0\n' "$case_line")
grep -q 'threads is a number' "$folder/err" || fail 'threads=0 is taken'

# A database loses nothing that was not seen to pass, and no run is lost over it.
FAKE_FAULT='last column' expect 1 verify --library "$fake" --threads 2 --cases 30 --property equivalence --database "$folder/d"
expect 0 verify --library "$fake" --threads 1 --cases 30 --property equivalence --database "$folder/d"; says_not 'tried again'
[ -n "$(ls "$folder/d/$(basename "$fake")")" ] || fail 'findings of other threads are gone'
expect 0 verify --library "$fake" --threads 2 --cases 30 --property equivalence --database "$folder/d"; says 'tried again: '
[ -z "$(ls "$folder/d/$(basename "$fake")")" ] || fail 'a finding that passes stays'

# A file that also has a line which was not asked is not dropped.
printf '%s property=equivalence\n%s property=equivalence threads=2\n' "$case_line" "$case_line" >"$folder/d/$(basename "$fake")/two.txt"
expect 0 verify --library "$fake" --cases 30 --property equivalence --database "$folder/d"; says 'tried again: 1'
[ -e "$folder/d/$(basename "$fake")/two.txt" ] || fail 'a file with a line for other threads is gone'
rm "$folder/d/$(basename "$fake")/two.txt"

# A finding that is tried again and passes is no check of the run: what was tested does not depend on earlier runs.
FAKE_FAULT='last column' expect 1 verify --library "$fake" --cases 60 --property equivalence --database "$folder/d"
expect 5 verify --library "$fake" --cases 1 --property equivalence --property linearity --database "$folder/d" --report "$folder/again"
says 'tried again: '
expect 5 verify --library "$fake" --cases 1 --property equivalence --property linearity --no-database --report "$folder/never"
for report in again never; do
  tr -d ' \n' <"$folder/$report/report.json" | grep -o '"property":"equivalence","runs":[0-9]*,"failed":[0-9]*' >"$folder/$report.counts"
done
[ -s "$folder/again.counts" ] || fail 'the report has no count of checks'
diff "$folder/again.counts" "$folder/never.counts" || fail 'replays count as checks'

# A library that cannot be loaded again, because it is being built, ends the campaign; what was found stays.
for jobs in 1 2; do
  cp "$fake" "$folder/gone.so"
  : >"$folder/err"  # or what was said before is taken for this library's
  FAKE_FAULT='abort in phase 1' "$gradproof" verify --library "$folder/gone.so" --no-database --seconds 60 --property equivalence --jobs $jobs \
    >"$folder/out" 2>"$folder/err" &
  last="verify of a library that is deleted, $jobs jobs"
  for _ in $(seq 300); do grep -q SIGABRT "$folder/err" && break; sleep 0.1; done
  rm "$folder/gone.so"
  status=0
  wait $! || status=$?
  [ $status -eq 1 ] || fail "exit status $status of '$last'"
  complains 'the library cannot be loaded again'; complains 'the campaign ends here'
  says 'FAILED: '; says 'died of SIGABRT in phase 1'
done

# Two lists of files never share a folder of the database.
cp "$fake" "$folder/a+b.so"; cp "$fake" "$folder/a"; cp "$fake" "$folder/b.so"
FAKE_FAULT='last column' expect 1 verify --library "$folder/a" --library "$folder/b.so" --cases 60 --property equivalence --database "$folder/plus"
expect 0 verify --library "$folder/a+b.so" --cases 60 --property equivalence --database "$folder/plus"; says_not 'tried again'
touch "$folder/file"
FAKE_FAULT='last column' expect 1 verify --library "$fake" --cases 30 --property equivalence --database "$folder/file"; says 'failed: equivalence'
grep -q 'cannot store findings for the next run' "$folder/err" || fail 'nothing says that findings are not stored'
expect 2 verify --library "$fake" --cases 30 --save "$folder/file"; grep -q 'cannot be written' "$folder/err" || fail '--save into a file'
FAKE_FAULT=prints expect 1 verify --library "$fake" --cases 60 --save "$folder/noise" --no-database
FAKE_FAULT=prints expect 1 run "$folder/noise" --library "$fake"; grep -q ' 0 failed' "$folder/out" && fail 'noise passes'
[ "$(grep -c . <(ls "$folder/noise"))" -eq "$(sed -n 's/^FAILED: [0-9]* cases*, \([0-9]*\) failed/\1/p' "$folder/out")" ] || fail 'not every kept finding failed again'

# A kept line names the profile by which it is a finding, and a list of known findings silences one case too.
printf '{"profile": "p", "says": "s", "entries": []}' >"$folder/p.json"
FAKE_FAULT='last column' expect 1 verify --library "$fake" --cases 10 --profile "$folder/p.json" --save "$folder/judged" --no-database
grep -qh " profile=$folder/p.json" "$folder"/judged/*.txt || fail 'kept findings do not name the profile'
FAKE_FAULT='last column' expect 1 run "$folder/judged" --library "$fake"
mv "$folder/p.json" "$folder/gone.json"
FAKE_FAULT='last column' expect 2 run "$folder/judged" --library "$fake"; complains 'no profile or file is called'
wide_line='replication_pad2d_backward gradOutput=FLOAT[1,1,2,5]:ND self=FLOAT[1,1,2,4]:ND padding=1,0,0,0 gradInput=FLOAT[1,1,2,4]:ND'
printf '{"known": [{"kind": "values", "when": {"operator": "replication_pad2d_backward"}, "reason": "r"}]}' >"$folder/known.json"
FAKE_FAULT='last column' expect 1 repro "$wide_line" --library "$fake" --property equivalence
FAKE_FAULT='last column' expect 0 repro "$wide_line" --library "$fake" --property equivalence --known "$folder/known.json"; says 'known: equivalence'

# A kept line that makes no check is named; so is a property that waits for nobody.
expect 5 run <(printf '%s\n%s property=adaptive-division\n' "$case_line" "$case_line"); says ':2: adaptive-division: none of the selected properties applies'
expect 0 verify --property threads --seconds 2 --operator replication_pad2d_backward

# What `services` leaves behind is no finding of `life-cycle` in the same process.
pool_line='adaptive_max_pool3d_backward gradOutput=FLOAT[1,1,1,2]:ND self=FLOAT[1,1,2,3]:ND indices=INT32[1,1,1,2]:ND gradInput=FLOAT[1,1,2,3]:ND seed=937457'
bad_index='sequence=describe(0,0,2,0);plan(0,0,right);run(0,0,right);reset_device()'
expect 0 run <(printf '%s property=services\n%s %s property=life-cycle\n' "$pool_line" "$pool_line" "$bad_index") --jobs 1 --library "$library"
says 'passed: 2 cases'

# A shard of which every step is large takes its turn.
expect 0 verify --shard 41/64 --seconds 2 --operator replication_pad2d_backward --property equivalence

# Time is shared: the shares of the five gradients, which have several kernels, are twice those of the five other operators; but
# for that, they differ by no more than the slowest check and a tenth. (Under sanitizers a check takes too long.)
if [ -z "$sanitizers" ]; then
  expect 0 verify --seconds 15 --property equivalence --jobs 1 --report "$folder/shares"
  report=$(tr -d ' \n' <"$folder/shares/report.json")
  slowest=$(grep -o '"slowest":\[{"seconds":[0-9.]*' <<<"$report" | cut -d: -f3)
  shares=$(grep -o '"share":[0-9.]*' <<<"$report" | cut -d: -f2 | sort -n)
  [ "$(wc -l <<<"$shares")" -eq 10 ] || fail 'not every operator had its share'
  awk -v slowest="$slowest" '{ share = NR <= 5 ? $1 : $1 / 2 }
       NR == 1 { least = most = share } { if (share < least) least = share; if (share > most) most = share }
       END { exit !(most <= 1.1 * least + slowest) }' <<<"$shares" || fail "slowest check $slowest s, shares of the time: $shares"
fi

[ $failures -eq 0 ] && echo 'all as expected'
[ $failures -eq 0 ]
