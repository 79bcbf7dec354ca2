#!/usr/bin/env bash
# The command line as its users meet it: exit statuses, messages, repeatability, interruption.
# usage: command_line.sh GRADPROOF FAKE_LIBRARY FAKE_RUNTIME FAKE_OPERATOR FAKE_REFERENCE
set -u
gradproof=$1 fake=$2 fake_runtime=$3 fake_operator=$4 fake_reference=$5
. "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/expect.sh"

case_line='replication_pad2d_backward gradOutput=FLOAT[1,1,2,3]:ND self=FLOAT[1,1,2,2]:ND padding=1,0,0,0 gradInput=FLOAT[1,1,2,2]:ND'

# Questions that are wrong.
refuses() {  # ARGUMENTS… MESSAGE: a usage error, in words of this program, and nothing else
  expect 2 "${@:1:$#-1}"; complains "gradproof: ${*: -1}"; silent out
  ! grep -qE 'is required|At Most|not in range|not expected|Run with|[a-z] excludes -|missing|UINT' "$folder/err" || fail "'$last' shows the words of the library behind it"
}
refuses 'no command is given; `gradproof --help` lists them'
refuses --foo 'no option --foo without a command'
refuses explain "'explain' needs CASE; \`gradproof help explain\`"
refuses selftest "'selftest' needs --faulty DIR"
refuses repro replication_pad2d padding=1 "'padding=1' does not begin with an operator: put the case in quotes"
refuses list rules classes "'list' takes one operators|"
refuses verify extra "'verify' has no argument extra"
refuses verify libmine.so "'verify' has no argument libmine.so; to test a library: --library libmine.so"
refuses verify -z "'verify' has no option -z"
refuses verify -x=3 "-x takes no value, but has '3'"
refuses verify --quiet=3 "--quiet takes no value, but has '3'"
refuses verify --library '--library PATH has no value'
refuses verify --cases -x '--cases N has no value: -x follows it'
refuses verify --cases -3 "--cases: must be a whole number from 1 to 2^62, not '-3'"
refuses verify --cases 0 "--cases: must be a whole number from 1 to 2^62, not '0'"
refuses verify --cases 1e3 "--cases: must be a whole number from 1 to 2^62, not '1e3'"
refuses verify --seconds 0 "--seconds: must be from 1 to 10000000 seconds, not '0'"
refuses verify --seconds -3 "--seconds: must be from 1 to 10000000 seconds, not '-3'"
refuses verify --threads 0 "--threads: must be a whole number from 1 to 1024, not '0'"
refuses verify --phase 2 "--phase: must be 1, not '2'"
refuses verify --color blue "--color: must be auto, always or never, not 'blue'"
refuses verify --show -1 "--show: must be all, or a whole number from 0 to 2^64-1, not '-1'"
refuses verify --seed 5x "--seed: must be a whole number from 0 to 2^64-1, not '5x'"
refuses verify --assume-product Ascend9 "--assume-product: must be a product (Ascend910, "
refuses verify --seconds 3 --cases 3 '--seconds and --cases exclude each other'
refuses verify -x --max-failures 2 '--max-failures and -x exclude each other'
refuses verify --library "$fake" --library "$fake" "--library: '$fake' is given twice"
ln -s "$fake" other.so
refuses verify --library "$fake" --library ./other.so "--library: '$fake' and './other.so' are the same file; give it once"
expect 2 veriffy; complains "unknown command 'veriffy'; did you mean 'verify'?"; silent out
expect 2 shrink; complains "unknown command 'shrink'"; ! grep -q 'did you mean' "$folder/err" || fail "a command is suggested that has little of 'shrink'"
expect 2 verify --operator replication_pad2; complains "did you mean 'replication_pad2d_backward' or 'replication_pad2d'?"; complains 'upsample_bilinear2d_backward'; silent out
expect 2 verify --operator max_pool2d; complains "did you mean 'max_pool2d_with_mask_backward' or 'max_pool2d_with_mask'?"; silent out
expect 2 verify --property equivalance; complains "did you mean 'equivalence'?"; silent out
expect 2 verify --seconds nan; complains "--seconds: must be a time such as 90, 90s, 2m or 1.5h, not 'nan'"; silent out
expect 2 verify --seconds 5x; complains "a time such as 90, 90s, 2m or 1.5h, not '5x'"; silent out
expect 2 verify --seconds ''; complains "--seconds: must be a time"; silent out
expect 2 verify --timeout 0; complains "--timeout: must be from 0.01 to 1000000 seconds, not '0'"; silent out
expect 2 verify --seed 18446744073709551616 --cases 1; complains '--seed: must be a whole number from 0 to 2^64-1'; silent out
expect 2 verify --jobs 0 --cases 1; complains "--jobs: must be all, or a whole number from 1 to 1024, not '0'"; silent out
expect 2 verify --jobs some --cases 1; complains '--jobs'; silent out
expect 2 verify --list-cases --seconds 5; complains '--seconds and --list-cases exclude each other'; silent out
expect 2 verify --accuracy foo; complains "contract or device, not 'foo'"; silent out
expect 2 verify --report '' --cases 1; complains '--report: must not be empty'; silent out
expect 2 verify --library ''; complains '--library: must not be empty'; silent out
expect 2 verify --library /nowhere/libx.so; complains '/nowhere/libx.so'; silent out
echo 'just a text' >"$folder/text.so"
expect 2 verify --library "$folder/text.so"; complains "$folder/text.so: cannot be loaded"; silent out
if command -v cc >/dev/null && echo 'extern void __asan_none(void); void (*uses)(void) = __asan_none;' | cc -shared -fPIC -x c - -o "$folder/asan.so" 2>/dev/null; then
  expect 2 verify --library "$folder/asan.so"; complains 'undefined symbol: __asan_none. The library was compiled with a sanitizer'; complains 'LD_PRELOAD=$('; silent out
fi
if command -v cc >/dev/null && echo 'void f(void) {}' | cc -shared -fPIC -x c - -o "$folder/libneeded.so" 2>/dev/null; then
  echo 'void f(void); void g(void) { f(); }' | cc -shared -fPIC -x c - -L"$folder" -lneeded -o "$folder/needs.so"
  rm "$folder/libneeded.so"
  expect 2 verify --library "$folder/needs.so"; complains 'libneeded.so: cannot open shared object file: No such file or directory. Add the directory of that library to LD_LIBRARY_PATH; for a library of gradproof: source PREFIX/set_env.sh'; silent out
fi
expect 2 verify --library "$fake_operator"; complains "$fake_operator: no function aclInit, aclFinalize, aclrtSetDevice and 10 more of the acl runtime."
complains 'pass each with --library, here also the one with the runtime (libascendcl.so)'; silent out
expect 2 verify --library libm.so.6; complains 'libm.so.6: no function aclInit, aclFinalize,'
complains 'and no operator: this does not look like a library of the aclnn API'; complains 'GRADPROOF_KERNEL (docs/subjects.md)'; silent out
expect 2 run "$folder/missing.txt"; complains "$folder/missing.txt"; silent out
printf '# a comment\n%s\nreplication_pad2d_backward gradOutput=NONSENSE\n' "$case_line" >"$folder/bad.txt"
expect 2 run "$folder/bad.txt"; complains "$folder/bad.txt:3:"; silent out
printf '%s\n%s\n' "$case_line" "${case_line//1,1,2,/1,1000000,2000,}" >"$folder/large.txt"
FAKE_FAULT='last column' expect 2 run "$folder/large.txt" --library "$fake"; complains "$folder/large.txt:2: its tensors take more"; silent out
expect 2 explain 'no_such_operator'; complains 'expected one of adaptive_max_pool3d, adaptive_max_pool3d_backward, max_pool2d_with_mask,'; silent out
expect 2 explain "$case_line:"; complains "column 123: nothing follows ':'"; silent out
expect 2 explain "$case_line property=nonsense"; complains "unknown property 'nonsense'"; silent out
expect 2 verify --property nonsense; grep -A99 '^Known:' "$folder/err" | tail -n +2 | LC_ALL=C sort -c || fail 'the known properties are not sorted'
expect 2 repro "$case_line" --property nonsense; silent out
echo "$case_line" >"$folder/kept.txt"
expect 2 repro "$folder/kept.txt"; complains 'is a file; to check its cases: gradproof run'
expect 2 explain "$folder/kept.txt"; complains 'gradproof run'
expect 2 list nonsense; complains 'nonsense'

# Help and lists.
expect 0 --help; says 'Exit status'
expect 0 --version; says 'gradproof '
expect 0 verify --help; says '--seed'
expect 0 list operators; says 'adaptive_max_pool3d_backward  aclnnAdaptiveMaxPool3dBackward'
expect 0 list properties; says 'equivalence'
expect 0 list rules; says 'null-argument (161001'

# Our library holds, quietly.
expect 0 verify --cases 40 --seed 5; says 'passed: 40 cases'; silent err
GRADPROOF_CONFORMANCE=cann expect 0 verify --cases 60 --seed 5; says 'profile gradproof-cann'
GRADPROOF_STRICT=1 expect 0 verify --cases 1 --property services --operator replication_pad2d_backward; says 'passed: 1 case'
expect 0 verify --seconds 1 --operator aclnnReplicationPad2d --property equivalence; says 'passed: '
expect 0 verify --cases 20 --property life-cycle; says ' checks in '; says_not ' cases'
for time in 1s 0.02m 0.0003h; do
  expect 0 verify --seconds $time --operator aclnnReplicationPad2d --property equivalence --report "$folder/time"
  grep -Eq '"seconds": 1\.' "$folder/time/report.json" || fail "$time is not about a second"
done
echo "$case_line" >"$folder/good.txt"
printf '%s\n%s\n' "$case_line" "$(sed 's/,3\]/,7]/; s/2,2\]/2,6]/g' <<<"$case_line")" >"$folder/two.txt"  # a wide one second
expect 0 run "$folder/good.txt"; says 'passed: 1 case, 0 failed'
expect 0 repro "$case_line"; says 'passed: equivalence'; says 'got gradInput FLOAT[1,1,2,2]'; says "all 10"
expect 5 repro "${case_line/padding=1,0,0,0/padding=9,0,0,0}" --property equivalence; says 'it breaks the rule '
expect 0 explain "$case_line"; says 'phase 1 must return 0'; says 'expected gradInput'
expect 0 explain "${case_line/FLOAT\[1,1,2,2\]:ND padding/BF16[1,1,2,2]:ND padding}"; says 'BROKEN  dtype'; says 'phase 1 must return 161002'

# A library with one operator, in one file or two, passes: the others are counted as not tested, and it
# is judged as the one product that it says it is.
expect 0 verify --library "$fake" --cases 60 --property equivalence; says 'tested as Ascend910B, the default: the library has no aclrtGetSocName; the profile documented does not promise'; says 'partial run: '
expect 0 verify --library "$fake" --cases 60 --property equivalence -v; says 'classes of '; says ' that were not tested: '
says ' and 9 operators were not tested'; says "operators: $fake: replication_pad2d_backward"; says "runtime: $fake"
expect 0 verify --library "$fake_runtime" --library "$fake_operator" --cases 10 --property equivalence; says 'passed: 10 cases'

# It knows no rules: violations, each with a repro line that reproduces alone.
expect 1 verify --library "$fake" --cases 30 --property misuse --profile gradproof; says 'FAILED'
FAKE_FAULT='last column' expect 1 verify --library "$fake" --cases 30 --property equivalence
says 'failed: equivalence of replication_pad2d_backward: gradInput differs in'
repro=$(sed -n 's/^repro: gradproof //p' "$folder/out" | head -1)
[ -n "$repro" ] || fail 'no repro line'
for status in 1 0; do
  got=0
  if [ $status = 1 ]; then export FAKE_FAULT='last column'; else unset FAKE_FAULT; fi
  eval "\"\$gradproof\" $repro" >"$folder/out" 2>"$folder/err" || got=$?
  last=$repro
  [ $got = $status ] || fail "repro line: exit status $got instead of $status"
done
FAKE_FAULT='last column' expect 1 run "$folder/good.txt" --library "$fake"; says "$folder/good.txt:1: failed"

# A library that computes upsampling in FLOAT is wrong by the contract's bound and right by the
# device's; values that are coarse are wrong by both.
device=(verify --library "$fake_reference" --operator upsample_bilinear2d_backward
  --operator upsample_bilinear2d --property equivalence --property support --property special-values)
FAKE_FAULT='computes in FLOAT' expect 1 "${device[@]}" --cases 200
says 'failed: equivalence of upsample_bilinear2d_backward'; says 'failed: equivalence of upsample_bilinear2d:'
FAKE_FAULT='computes in FLOAT' expect 0 "${device[@]}" --cases 200 --accuracy device
says 'passed: 200 cases'; says_not 'not promised: non-fitting-scales'; says_not 'kernels never chosen'
FAKE_FAULT='coarse' expect 1 "${device[@]}" --cases 40 --accuracy device; says 'failed: equivalence'

# Profiles: refused with file, line and member; entries that are met, contradicted, not met; which one
# decides.
entry() {  # ID WHEN THEN
  printf '{"id": "%s", "when": {%s}, "then": {%s}, "reason": "For the test.", "source": {"repository": "r", "file": "f", "function": "g"}}' "$@"
}
profile() {  # FILE ENTRY…
  local file=$1
  shift
  (IFS=,; printf '{"profile": "test", "says": "For the test.", "entries": [\n%s]}\n' "$*") >"$folder/$file"
}
pad='"operator": "replication_pad2d_backward"'
refusal=$(entry no-padding "$pad, \"rule\": \"none\", \"if\": \"padding[0] == 1\"" '"status": 561103')
absence=$(entry no-upsampling '"operator": ["upsample_bilinear2d", "upsample_bilinear2d_backward"]' '"absent": true')
expect 0 list profiles; says 'float-coordinates'; says 'strict-mode'
expect 2 verify --profile nowhere.json; complains "no profile or file is called 'nowhere.json'"; silent out
python3 -c "import socket, sys; socket.socket(socket.AF_UNIX).bind(sys.argv[1])" socket.json
expect 2 verify --profile socket.json; complains "profile 'socket.json': No such device or address"; silent out
expect 2 verify --profile "$folder"; complains "profile '$folder' is a folder, must be a file"; silent out
profile bad.json "$(entry a '"operator": "replication_pad2"' '"absent": true')"
expect 2 verify --profile "$folder/bad.json"
complains "$folder/bad.json:2: entries[0].when.operator: 'replication_pad2' is not the stem"; silent out
profile clash.json "$refusal" "$(entry other "$pad" '"absent": true')"
expect 2 explain "$case_line" --profile "$folder/clash.json"; complains "entry 'other' contradicts entry 'no-padding'"
profile refusal.json "$refusal"
expect 0 explain "$case_line" --profile "$folder/refusal.json"; says "entry 'no-padding' decides: status 561103"
expect 0 explain "$case_line" --profile gradproof; says 'no entry applies to this case'
expect 1 run "$folder/good.txt" --profile "$folder/refusal.json"
says "contradicted: entry 'no-padding' (status 561103): the library behaved as documented"
says 'FAILED: '; says ' 0 failed, 1 contradicted entry'
expect 1 verify --operator replication_pad2d_backward --cases 30 --no-database --profile "$folder/refusal.json"
says 'FAILED: '; says ' 0 failures, 1 contradicted entry'
profile absence.json "$absence" "$(entry no-nc "$pad, \"format\": \"NC\"" '"absent": true')"
expect 0 run "$folder/good.txt" --library "$fake" --profile "$folder/absence.json"
says "profile test: 1 of 2 entries met, 0 contradicted"; says "not supported: 'no-upsampling'"; says 'entries not met: no-nc'

# A variable that changes what a library behind the one under test returns is named.
expect 0 verify --library "$fake" --no-database --cases 20 --property equivalence; says_not 'environment:'
for command in 'verify --no-database --cases 20 --property equivalence' "run $folder/good.txt" 'exhaust --at-most 1'; do
  # shellcheck disable=SC2086
  "$gradproof" $command --library "$fake" >/dev/null 2>&1
  plain=$?
  # shellcheck disable=SC2086
  GRADPROOF_CONFORMANCE=cann expect $plain $command --library "$fake"; says 'environment: GRADPROOF_CONFORMANCE=cann;'
done
GRADPROOF_CONFORMANCE=cann expect 0 repro "$case_line" --library "$fake"; says 'environment: GRADPROOF_CONFORMANCE=cann;'

# Known findings are counted and do not fail; what is beside them does.
FAKE_FAULT='last column' expect 1 run "$folder/good.txt" --library "$fake" --property equivalence --save-known "$folder/known.json"
grep -q '"kind": "values"' "$folder/known.json" || fail 'no finding was saved'
FAKE_FAULT='last column' expect 0 run "$folder/good.txt" --library "$fake" --property equivalence --known "$folder/known.json"
says 'known: values of replication_pad2d_backward, 1 time'
FAKE_FAULT=behind expect 1 run "$folder/good.txt" --library "$fake" --property equivalence --known "$folder/known.json"
FAKE_FAULT='last column' expect 0 verify --library "$fake" --cases 20 --property equivalence --known <(
  printf '{"known": [{"kind": "values", "when": {%s}, "reason": "Not fixed yet."}]}' "$pad")
says ' known'
# What is written silences the finding alone, by its features, and what was known before stays in the file.
known=(verify --library "$fake" --operator replication_pad2d_backward --property equivalence --cases 300 --no-database)
expect 2 "${known[@]}" --save-known "$folder/nowhere/list.json"; silent out; complains "$folder/nowhere/list.json: cannot be written: No such file"
FAKE_FAULT='coarse FLOAT16' expect 1 "${known[@]}" --save-known "$folder/list.json"
grep -q '"FLOAT16"' "$folder/list.json" || fail 'the entry lacks the finding'"'"'s feature'
FAKE_FAULT='coarse FLOAT16' expect 0 "${known[@]}" --seed 2 --known "$folder/list.json"
FAKE_FAULT='coarse FLOAT16;negates COMPLEX64' expect 1 "${known[@]}" --known "$folder/list.json" --save-known "$folder/list.json"
says 'in: '; ! grep -q '^in: .*FLOAT16' "$folder/out" || fail 'a known finding is shown'
FAKE_FAULT='coarse FLOAT16;negates COMPLEX64' expect 0 "${known[@]}" --seed 3 --known "$folder/list.json"
printf '{"known": [{"kind": "values", "when": {%s}, "features": ["FLOAT61"], "reason": "r"}]}' "$pad" >"$folder/feature.json"
expect 2 verify --known "$folder/feature.json"
complains "known[0].features[0]: 'FLOAT61' is not a feature; did you mean 'FLOAT'?"; silent out
printf '{"known": [\n{"kind": "trespass", "when": {%s}, "reason": "r"}]}' "$pad" >"$folder/damage.json"
expect 2 run "$folder/good.txt" --known "$folder/damage.json"
complains "$folder/damage.json:2: known[0].kind: memory damage"; silent out

# A sequence of two operators' calls: both are named, and the second one is printed to be read.
FAKE_FAULT=synchronise expect 1 repro "$case_line sequence=synchronise(0)" --library "$fake_reference"
says 'c=0 is aclnnReplicationPad2dBackward, c=1 is aclnnAdaptiveMaxPool3dBackward: adaptive_max_pool3d_backward gradOutput='

# What a refused call was is shown, and shrunk.
expect 1 verify --library "$fake" --cases 30 --property error-codes; says 'failed: error-codes'; says 'breaks '

# Faulty libraries: caught with a small counterexample, or the selftest fails and says why.
catalogue() {
  mkdir -p "$folder/faulty"
  printf '[{"name": "f", "tracker": "", "defect": "Wrong.", "operator": "replication_pad2d_backward", "expected": "EQ",
    "elements": "%s", "reason": "for this test", "library": "%s", "alone": true}]' "$1" "$fake" >"$folder/faulty/catalogue.json"
}
few=(--faulty "$folder/faulty" --sound-seconds 0 --ablation-cases 0 --seconds-per-fault 60)
catalogue 64
FAKE_FAULT='last column' expect 0 selftest "${few[@]}"; says 'recall 1 of 1 (100 %)'
catalogue 0
FAKE_FAULT='last column' expect 1 selftest "${few[@]}"; says 'TOO LARGE: f'; says 'recall 0 of 1'
expect 2 selftest "${few[@]}" --fault g; complains "unknown fault 'g'"; silent out
catalogue few
expect 2 selftest "${few[@]}"; complains 'catalogue.json: entry 0'; silent out

# Once the contract is swept, every side of every border of its rules has been seen.
expect 0 verify --cases 60 --operator upsample_bilinear2d --property error-codes --matrix; says 'passed: 60 cases'
grep -Eq '^  size-value +scalesH +4/4 +4/4$' "$folder/out" || fail 'no row of the matrix for scalesH'
grep -q 'upsample_bilinear2d, rules' "$folder/out" && fail 'rules are not covered after a sweep'
grep -q 'boundary sides' <(grep '^partial' "$folder/out") && fail 'not swept'

# The small scope: whole for our library, and a wrong extent or value in it is found.
expect 0 exhaust --at-most 4; says 'passed: 3552 axis configurations'; silent err
expect 2 exhaust --at-most 0; silent out
expect 1 exhaust --library "$fake" --operator replication_pad2d_backward --at-most 2; says 'failed: error-codes of replication_pad2d_backward'
FAKE_FAULT='last column' expect 1 exhaust --library "$fake" --operator replication_pad2d_backward --at-most 2
says 'failed: equivalence of replication_pad2d_backward'; says 'repro: gradproof repro'

# The same seed gives the same cases, another one others.
"$gradproof" verify --list-cases --cases 300 --seed 9 >"$folder/a"
"$gradproof" verify --list-cases --cases 300 --seed 9 >"$folder/b"
"$gradproof" verify --list-cases --cases 300 --seed 10 >"$folder/c"
cmp -s "$folder/a" "$folder/b" || fail 'one seed gave different cases'
cmp -s "$folder/a" "$folder/c" && fail 'two seeds gave the same cases'
[ "$(wc -l <"$folder/a")" -eq 300 ] || fail 'not 300 cases'
expect 0 run "$folder/a"; says 'passed: 300 cases'

# A library that is named limits the cases to its operators and products, as in a campaign.
expect 0 verify --list-cases --cases 40 --library "$fake" --seed 9
[ "$(wc -l <"$folder/out")" -eq 40 ] || fail 'not 40 cases of the library'
grep -v '^replication_pad2d_backward ' "$folder/out" && fail 'cases of operators that the library does not have'
grep -q 'soc=' "$folder/out" && fail 'cases of products that the library is not'
expect 2 verify --list-cases --cases 4 --library "$fake" --operator upsample_bilinear2d; complains 'define no operator that is selected'; silent out
expect 2 verify --list-cases --cases 4 --library "$fake" --product Ascend310P; complains 'the library has no case with --product Ascend310P'; silent out

# Shards are together the campaign, in what they take and in what they count.
"$gradproof" verify --list-cases --cases 300 --seed 9 --shard 2/3 >"$folder/a2"
awk 'int((NR - 1) / 10) % 3 == 1' "$folder/a" | cmp -s - "$folder/a2" || fail "shard 2/3 is not every operator's third case from the second"
expect 2 verify --shard 4/3; complains '1 <= I <= N'; silent out
expect 2 verify --shard 1; complains '1 <= I <= N'
expect 0 verify --cases 60 --seed 2 --operator upsample_bilinear2d --report "$folder/whole"
grep -v '^passed' "$folder/out" >"$folder/table"
for i in 1 2 3; do
  expect 0 verify --cases 60 --seed 2 --operator upsample_bilinear2d --shard $i/3 --report "$folder/shard$i"; says "shard $i of 3"
done
expect 0 merge "$folder/shard1" "$folder/shard3/report.json" "$folder/shard2" --report "$folder/merged"; says '3 of 3 shards'
grep -v '^passed' "$folder/out" | cmp -s - "$folder/table" || fail 'the table of the shards is not that of the campaign'
for file in report.html report.json junit.xml; do [ -s "$folder/merged/$file" ] || fail "merge wrote no $file"; done
expect 2 merge "$folder/shard1" "$folder/shard2"; complains 'missing: 3'; silent out
expect 0 merge "$folder/shard1" "$folder/shard2" --partial; says '2 of 3 shards'
expect 2 merge "$folder/shard1" "$folder/whole"; complains "$folder/whole: from another campaign"; silent out
expect 2 merge "$folder/a"; complains "$folder/a: not a report.json"; silent out
expect 2 verify --cases 10 --report "$folder/a/b"; complains "$folder/a/b"; silent out
FAKE_FAULT='last column' expect 1 verify --library "$fake" --cases 30 --property equivalence --shard 1/1 --report "$folder/bad"
expect 1 merge "$folder/bad"; says 'FAILED'; says 'repro: gradproof repro'
FAKE_FAULT='last column' expect 1 run "$folder/good.txt" --library "$fake" --report "$folder/run"
grep -qF "\"where\": \"$folder/good.txt:1\"" "$folder/run/report.json" || fail 'the report of run does not name the place'
expect 1 merge "$folder/run"; says 'FAILED'
grep -q 'tested as' "$folder/out" && fail 'the report of run speaks of products'
sed 's/"failed": [0-9]*/"failed": -1/' "$folder/run/report.json" >"$folder/edited.json"
expect 2 merge "$folder/edited.json"; complains "$folder/edited.json: operators[0].properties[0].failed: -1 is not a count"; silent out
FAKE_FAULT=prints expect 1 run "$folder/two.txt" --library "$fake" --report "$folder/noise"; says 'FAILED: 2 cases, 1 failed'
expect 1 merge "$folder/noise"; says 'failed: quiet of replication_pad2d_backward'

# An interrupt ends a campaign early, with its table.
"$gradproof" verify --seconds 100 --jobs 3 --progress >"$folder/out" 2>"$folder/err" &
pid=$!
last='interrupted verify'
has_workers $pid 6
sleep 1.5
kill -INT $pid
got=0; wait $pid || got=$?
[ $got -eq 130 ] || fail "exit status $got after an interrupt"
says '(interrupted)'
complains 'verify: '

# A batch system ends a shard with SIGTERM: it leaves whole reports, which merge as what they are.
"$gradproof" verify --seconds 100 --jobs 2 --shard 1/2 --report "$folder/ended" >"$folder/out" 2>"$folder/err" &
pid=$!
last='verify ended by SIGTERM'
has_workers $pid 4
sleep 1
kill -TERM $pid
got=0; wait $pid || got=$?
[ $got -eq 143 ] || fail "exit status $got after SIGTERM"
says '(interrupted)'
for file in report.html report.json junit.xml; do [ -s "$folder/ended/$file" ] || fail "SIGTERM left no $file"; done
tail -c 20 "$folder/ended/report.html" | grep -q '</html>' || fail 'SIGTERM left half a page'
grep -q '"interrupted": true' "$folder/ended/report.json" || fail 'the report does not say that it was interrupted'
expect 2 merge "$folder/ended"; silent out
expect 5 merge "$folder/ended" --partial; says 'shard 1 of 2'

# The case that a job's end cut is not counted, and that the library ended with the job is no finding.
FAKE_FAULT='ended with its job' expect 143 run "$folder/two.txt" --library "$fake" --jobs 1 --report "$folder/cut"
says 'INCOMPLETE: 1 case, 0 failed (interrupted)'
counts() { tr -d ' \n' <"$folder/cut/report.json" | grep -qF "$1" || fail "the report of '$last' lacks $1"; }
counts '"totals":{"cases":1,'; counts '"failures":[]'
FAKE_FAULT='ended with its job' expect 143 verify --library "$fake" --no-database --cases 30 --property equivalence --report "$folder/cut"
says '(interrupted)'
counts '"failures":[]'
checks=$(tr -d ' \n' <"$folder/cut/report.json" | sed 's/.*"totals":{"cases":\([0-9]*\),"boundary_cases":[0-9]*,"checks":\([0-9]*\),.*/\1 \2/')
[ "${checks% *}" = "${checks#* }" ] || fail "cases and checks of equivalence are not the same number: $checks"

# timeout(1) sends its signal twice; nothing is lost over it.
for _ in 1 2 3; do
  rm -rf "$folder/ended"
  "$gradproof" verify --seconds 100 --report "$folder/ended" >"$folder/out" 2>"$folder/err" &
  pid=$!
  last='verify ended by SIGTERM twice'
  has_workers $pid 1
  sleep 0.5
  kill -TERM $pid
  sleep 0.002
  kill -TERM $pid
  got=0; wait $pid || got=$?
  [ $got -eq 143 ] || fail "exit status $got after SIGTERM twice"
  [ -s "$folder/ended/report.json" ] || fail 'SIGTERM twice left no report'
done

# A disk that is full does not pass for a short list.
for words in 'list rules' 'verify --list-cases --cases 9' 'verify --cases 3' --help; do
  last="$words" got=0
  # shellcheck disable=SC2086  # several words
  "$gradproof" $words >/dev/full 2>"$folder/err" || got=$?
  [ $got -eq 2 ] || fail "exit status $got of '$words' into /dev/full"
  complains 'cannot write to standard output'
done

# Too little memory is an answer too. (Sanitizers do not even start so.)
little() { (ulimit -v 1000000; "$gradproof" "$@") >"$folder/out" 2>"$folder/err"; }
if little --version; then
  last='explain with little memory' got=0
  little explain "${case_line//1,1,2,/100,1,2000000,}" || got=$?
  [ $got -eq 2 ] || fail "exit status $got instead of 2"
  complains 'out of memory'
  # Nor is it the library's fault if the suite cannot hold the results beside it.
  echo "${case_line//1,1,2,/1,10000,20000,}" >"$folder/huge.txt"
  for words in "repro $(cat "$folder/huge.txt")" "run $folder/huge.txt"; do
    last="$words with little memory" got=0
    little "${words%% *}" "${words#* }" --property equivalence || got=$?
    [ $got -eq 2 ] || fail "exit status $got instead of 2"
    complains 'out of memory'
    grep -q 'failed: ' "$folder/out" && fail 'memory that ran out is called a violation'
  done
fi

# A wrong result that is not there in every run says so.
FAKE_FAULT='every other call' expect 1 verify --library "$fake" --cases 60 --property equivalence --no-database
says 'fails in 5 of 10 runs: chance'; says_not 'passes with the profile entry'
FAKE_FAULT='every other call' expect 1 verify --library "$fake" --cases 60 --property poison --no-database
says 'differs from run to run in equal memory'
FAKE_FAULT='last column' expect 1 verify --library "$fake" --cases 60 --property equivalence --no-database
! grep -q 'fails in' "$folder/out" || fail 'a wrong result in every run is called chance'
# A property that is dear is checked on every case where nothing else is asked for.
expect 0 verify --library "$fake" --cases 60 --property no-leak; says ': the library has no aclDestroyAclOpExecutor'
checked=$(sed -nE 's/^passed: ([0-9]+) cases .*/\1/p' "$folder/out")
[ "${checked:-0}" -ge 50 ] || fail "no-leak is checked on ${checked:-no} of 60 cases"
# A library that crashes: a small case that crashes alone, and the campaign goes on to its end.
FAKE_FAULT='abort in phase 2' expect 1 verify --library "$fake" --cases 30 --property equivalence
says 'the process died of SIGABRT in phase 2'; says '30 cases'; says 'gradOutput=FLOAT[1,1,3]'
repro=$(sed -n 's/^repro: gradproof //p' "$folder/out" | head -1)
got=0
FAKE_FAULT='abort in phase 2' eval "\"\$gradproof\" $repro" >"$folder/out" 2>"$folder/err" || got=$?
last=$repro
[ $got = 1 ] || fail "repro of a crash: exit status $got"
says 'the process died of SIGABRT in phase 2'
# An access beside a tensor is told from it.
echo '{"profile": "test", "says": "For the test.", "promises": ["host-memory"], "entries": []}' >"$folder/host.json"
for side in 'before:an access 1 byte before the start of gradOutput' 'behind:an access 1 byte past the end of gradOutput'; do
  FAKE_FAULT="reads ${side%%:*}" expect 1 verify --library "$fake" --cases 60 --property in-bounds --profile "$folder/host.json"; says "tensors and the workspace: ${side#*:}"
done
# Phase 1 has no business in the data.
FAKE_FAULT='clears in phase 1' expect 1 verify --library "$fake" --cases 30 --property error-codes
says 'failed: error-codes of replication_pad2d_backward: the process died of SIGSEGV in phase 1: an access to gradInput'
# Of an empty batch other extents may be huge; neighbours of such a case, which are not empty, are not tried.
FAKE_FAULT='allocates rows' expect 1 verify --library "$fake" --cases 200 --seed 1 --property equivalence
says 'the process died of SIGABRT'; says 'empty'
FAKE_FAULT='prints' expect 1 verify --library "$fake" --cases 30 --property quiet --property equivalence; says 'failed: quiet'
FAKE_FAULT='abort at load' expect 2 verify --library "$fake"; complains 'died of SIGABRT while it is loaded'; silent out
expect 0 verify --cases 30 --no-fork; says 'passed: 30 cases'

# However many jobs share them, the cases, what was counted and the failing checks are the same.
numbers() { grep -E '"(cases|boundary_cases|checks|failures|runs|failed|not_checked|broken|kept|shards)": [0-9]' "$folder/$1/report.json"; }
for jobs in 1 2 5; do
  FAKE_FAULT='last column' expect 1 verify --library "$fake" --no-database --cases 90 --seed 3 --jobs $jobs --report "$folder/jobs$jobs"
  says '90 cases'; says 'failed: equivalence'
  numbers jobs$jobs >"$folder/numbers$jobs"
done
grep -q '"failed": [1-9]' "$folder/numbers1" || fail 'no number of failing checks to compare'
for jobs in 2 5; do
  cmp -s "$folder/numbers1" "$folder/numbers$jobs" || fail "$jobs jobs count otherwise than one: $(diff "$folder/numbers1" "$folder/numbers$jobs" | head -4)"
done
FAKE_FAULT='abort at load' expect 2 verify --library "$fake" --jobs 3; complains 'died of SIGABRT while it is loaded'; silent out

# Of a call that is too large to run, phase 1 can be judged again.
huge='max_pool3d_with_argmax self=FLOAT[2305843009213693951,1,1,1]:ND:null_data kernelSize=1 stride= padding=0 dilation=1 ceilMode=false out=FLOAT[2305843009213693951,1,1,1]:ND:null_data indices=INT32[2305843009213693951,1,1,1]:ND:null_data'
expect 0 repro "$huge" --property error-codes; says 'passed: error-codes'
expect 0 repro "$huge"; says 'not checked: properties that run the call: its tensors take more than'; says 'passed: error-codes'
expect 2 repro "$huge" --property equivalence; complains 'the case: its tensors take more than'

# Whether a process runs. One that ended stays a zombie where nothing collects it: process 1 of some containers does not.
runs() { [[ $(sed 's/.*) //' "/proc/$1/stat" 2>/dev/null) == [!Z]* ]]; }

# With a library that hangs, an interrupt still ends the campaign, and nothing outlives a suite that is killed.
for signal in INT KILL; do for jobs in 1 3; do
  FAKE_FAULT=hang "$gradproof" verify --library "$fake" --no-database --jobs $jobs --property equivalence >"$folder/out" 2>"$folder/err" &
  pid=$!
  last="hanging verify, $jobs jobs, SIG$signal"
  has_workers $pid $((jobs == 1 ? 1 : 2 * jobs))  # a worker for each job, which is a process if there are several
  workers=$(descendants $pid)
  sleep 1
  kill -$signal $pid
  for _ in $(seq 100); do runs $pid || break; sleep 0.1; done
  runs $pid && { fail 'does not end'; kill -KILL $pid; }
  wait $pid 2>/dev/null
  for worker in $workers; do
    for _ in $(seq 50); do runs "$worker" || break; sleep 0.1; done
    runs "$worker" && fail "process $worker is left behind"
  done
done; done

[ $failures -eq 0 ] && echo 'all as expected'
[ $failures -eq 0 ]
