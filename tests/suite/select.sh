#!/usr/bin/env bash
# What is selected is tested, nothing else; what selects nothing is refused with what there is.
# usage: select.sh GRADPROOF FAKE_LIBRARY
set -u
gradproof=$1 fake=$2
. "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/expect.sh"
pad='replication_pad2d_backward gradOutput=FLOAT[1,1,2,3]:ND self=FLOAT[1,1,2,2]:ND padding=1,0,0,0 gradInput=FLOAT[1,1,2,2]:ND'
half='replication_pad2d_backward gradOutput=FLOAT16[1,2,3]:ND self=FLOAT16[1,2,2]:ND padding=1,0,0,0 gradInput=FLOAT16[1,2,2]:ND'
every() { [ -s "$folder/out" ] && ! grep -vqE "$1" "$folder/out" || fail "'$last' has lines without $1"; }
none() { ! grep -qE "$1" "$folder/out" || fail "'$last' has lines with $1"; }

# The same words choose among generated cases, lists, files and the small scope.
cases=(verify --list-cases --cases 60)
expect 0 "${cases[@]}" --operator '*pad2d*'; every '^replication_pad2d'
expect 0 "${cases[@]}" --operator '^*pool*' --operator '^upsample*'; every '^replication_pad2d'
expect 0 "${cases[@]}" --operator aclnnReplicationPad2dBackward; every '^replication_pad2d_backward '
expect 0 "${cases[@]}" --operator replication_pad2d_backward --type float16 --type 'complex*'; every '=(FLOAT16|COMPLEX64|COMPLEX128)\['; none '=FLOAT\['
expect 0 "${cases[@]}" --operator replication_pad2d_backward --rank 3; every 'gradInput=[A-Z0-9]*\[[0-9]+,[0-9]+,[0-9]+\]'
expect 0 "${cases[@]}" --operator upsample_bilinear2d_backward --format NHWC; every ':NHWC'
expect 0 "${cases[@]}" --product Ascend310P; every 'soc=Ascend310P'
expect 0 "${cases[@]}" --operator replication_pad2d_backward --at-most 3; none '[A-Z0-9]\[([0-9]+,)*([4-9]|[0-9]{2,})[],]'
expect 0 "${cases[@]}" --operator max_pool3d_with_argmax_backward --class ceil; every 'ceilMode=(true|1)'
expect 0 "${cases[@]}" --operator max_pool3d_with_argmax_backward --class '^ceil*'; none 'ceilMode=(true|1)'
expect 0 list points --operator replication_pad2d_backward --type DOUBLE --rank 4; every 'DOUBLE rank 4'
expect 0 list operators --operator '*3d*'; none 'upsample'
expect 0 list classes --class 'padding-*' --operator replication_pad2d; says 'padding-negative'; says 'A side is cropped.'; none '^scale'
expect 0 list properties --property 'no-*'; none '^equivalence'

# A campaign keeps to it, in every kind of its work, and says that it is a part. Two properties are enough here; with all, each run takes some seconds more.
short=(--property error-codes --property equivalence)
expect 0 verify --cases 60 --operator '*pad2d*' --type FLOAT --rank 4 --at-most 6 --report "$folder/part" --jobs 2
says 'partial run'
grep -q ' --type FLOAT --rank 4 --at-most 6' "$folder/part/report.html" || fail 'the report does not say what was selected'
expect 0 verify --cases 40 --operator replication_pad2d --class strided-output "${short[@]}"
expect 0 verify --seconds 1 --operator replication_pad2d --class strided-output --property life-cycle --property equivalence
FAKE_FAULT='last column' expect 1 verify --library "$fake" --no-database --cases 60 --operator '*pad2d*' --property 'equi*'
says '--property equivalence'

# A misuse that one case does not allow is counted where another one does, whichever came first.
for seed in 1 2 4; do
  expect 0 verify --operator max_pool3d_with_argmax_backward --property misuse --cases 120 --jobs 1 --seed $seed --report "$folder/misuse$seed"
  grep -qE '"misuse-small_workspace": *[1-9]' "$folder/misuse$seed/report.json" || fail "misuse-small_workspace is not counted with seed $seed"
done

# What is left out is not counted, as missing or as met, in the table and in the file.
expect 0 verify --cases 60 --operator replication_pad2d_backward --class 'strided*' --jobs 1 --report "$folder/classes" "${short[@]}"
grep -qE '"strided-input": *[1-9]' "$folder/classes/report.json" || fail 'a class that was selected is not counted'
! grep -qE '"transposed-input": *[0-9]' "$folder/classes/report.json" || fail 'a class that was not selected is counted'
expect 0 verify --cases 400 --operator replication_pad2d_backward --type FLOAT --product Ascend910B --report "$folder/types" --jobs 1 "${short[@]}"
points=$(grep -oE '"Ascend[0-9A-Z_]+ [A-Z0-9]+ rank [0-9]+ [A-Z]+"' "$folder/types/report.json" | sort -u)
[ -n "$points" ] && ! grep -v ' FLOAT rank' <<<"$points" || fail "points of other types: $points"
says ' 16/16 '; none '[0-9] coverage points'; none '^replication_pad2d '

# What the library does not promise to refuse, and classes of other products, are not missing, whatever the time.
expect 0 verify --operator replication_pad2d_backward --profile documented --product Ascend910B --cases 300 --no-database --report "$folder/promises"
says 'passed'; none '(view|output-overlap|alias) .* broken'; none '[0-9] boundary sides'
grep -qE '^partial run: .*[0-9]+ properties \([0-9]+ of them not promised by the library\) were not tested$' "$folder/out" || fail 'the properties that are not promised are not counted apart'
grep -q 'view, broken: 0 calls, none expected' "$folder/promises/report.html" || fail 'refusals that are not promised are missing in report.html'
grep -q '[0-9]/[0-9]* ✗' "$folder/promises/report.html" && fail 'report.html counts what is not promised as missing'
grep -q 'threads: no check, because not promised' "$folder/promises/report.html" || fail 'the report does not say that threads is not promised'
expect 0 verify --operator upsample_bilinear2d_backward --product Ascend910B --cases 100 --no-database "${short[@]}"; none 'scale-without-effect'; says 'tested as Ascend910B only'
grep -q 'supports no other product' "$folder/out" && fail 'the selection is taken for what the library supports'
expect 0 verify --operator upsample_bilinear2d_backward --product Ascend310P --class scale-without-effect --cases 40 --no-database

# Every case that was asked for is accounted for, also those that say nothing about the library, and whatever the number of jobs.
for jobs in 1 2; do
  for selection in '--profile documented' '--class scale-extreme --at-most 2'; do
    # shellcheck disable=SC2086
    expect 0 verify --operator upsample_bilinear2d_backward --cases 100 --jobs $jobs $selection --no-database "${short[@]}"
    [ "$(sed -n 's/^cases without a check: \([0-9]*\): .*/\1/p; s/^passed: \([0-9]*\) cases .*/\1/p' "$folder/out" | awk '{sum += $1} END {print sum}')" = 100 ] ||
      fail "not 100 cases with $selection and $jobs jobs"
    sed -n '/^cases without a check: /p; s/^passed: \([0-9]*\) cases .*/\1/p' "$folder/out" >"$folder/cases-$jobs${selection// /}"
  done
done
for selection in '--profile documented' '--class scale-extreme --at-most 2'; do
  diff "$folder/cases-1${selection// /}" "$folder/cases-2${selection// /}" || fail "another number of cases with two jobs and $selection"
done
grep -q 'cases without a check' "$folder/cases-1--classscale-extreme--at-most2" || fail 'no case is left out: nothing is tested'
# What the profile does not promise is not drawn.
grep 'cases without a check' "$folder/cases-1--profiledocumented" && fail 'cases are drawn that the profile does not promise'

# A finding is shrunk within what was selected.
FAKE_FAULT='last column' expect 1 verify --library "$fake" --no-database --cases 60 --operator '*pad2d*' --type FLOAT16 --property equivalence
says '=FLOAT16['; none '=FLOAT\['

# Files, and a pipe.
printf '%s\n%s\n' "$pad" "$half" >"$folder/two.txt"
expect 0 run "$folder/two.txt" --type FLOAT16; says 'passed: 1 case'
expect 0 run "$folder/two.txt" --rank '[34]' --at-most 3; says 'passed: 2 cases'
expect 2 run "$folder/two.txt" --operator 'max*'; complains 'the options select no case of the files'; complains '  replication_pad2d_backward'
expect 2 run "$folder/two.txt" --at-most 1; complains 'the options select no case of the files'
expect 5 run "$folder/two.txt" --operator replication_pad2d_backward --operator replication_pad2d; says 'replication_pad2d: no check ran'
"$gradproof" verify --list-cases --cases 30 --operator 'replication*' | "$gradproof" run - >"$folder/out" 2>"$folder/err" || fail 'run - does not pass'
last='run -'; says 'passed: 30 cases'; says 'stdin'
expect 2 run - </dev/null; complains 'stdin: holds no cases'

# The small scope.
expect 0 exhaust --operator 'replication_pad2d*' --at-most 2; says 'replication_pad2d_backward'
expect 0 exhaust --operator replication_pad2d_backward --at-most 2 --property error-codes
awk '/^replication_pad2d_backward/ && $3 == 0 && $4 > 0 {found = 1} END {exit !found}' "$folder/out" || fail 'not refusals alone'
expect 5 exhaust --operator replication_pad2d_backward --at-most 2 --type FLOAT16; says 'not tested: replication_pad2d_backward'
says "exhaust makes no call with --type FLOAT16"; says 'its calls: FLOAT, ND, rank 4, contiguous tensors'; says_not 'passed'
for option in '--format NCHW' '--rank 3' '--class strided-output'; do
  # shellcheck disable=SC2086
  expect 5 exhaust --operator replication_pad2d_backward --at-most 2 $option; says 'INCOMPLETE: 0 axis configurations'; says "no call with $option"
done
expect 5 exhaust --operator replication_pad2d_backward --at-most 2 --property linearity
says 'not tested: linearity: exhaust checks equivalence and error-codes only'; says 'INCOMPLETE: 0 axis configurations'
expect 5 exhaust --library "$fake" --at-most 2 --product Ascend310P; says 'INCOMPLETE'; says 'the library supports none of the selected products'
expect 0 exhaust --operator replication_pad2d_backward --at-most 2; says 'passed: '

# Nothing is selected: what there is. Selected and not tested: status 5.
expect 2 verify --type FLOAT31; complains "unknown type 'FLOAT31'"; complains '  BF16'
expect 2 verify --class windos-overlap; complains "did you mean 'windows-overlap'"
expect 2 verify --operator 'conv*'; complains '  max_pool3d_with_argmax_backward'
expect 2 verify --operator '^*'; complains 'the patterns exclude every operator'
expect 2 verify --operator 'replication*' --type DOUBLE --product Ascend910B --rank 9; complains "unknown rank '9'"; complains '  4'; ! grep -q 'did you mean' "$folder/err" || fail "a rank is suggested that has nothing of '9'"
expect 2 verify --operator upsample_bilinear2d_backward --format ND; complains 'ND'
expect 0 list cells --operator replication_pad2d_backward --rank 4; every 'rank 4'  # its old name
expect 2 list points --type nonsense; complains "unknown type 'nonsense'"
expect 2 verify --at-most 0; silent out
expect 5 verify --library "$fake" --product Ascend310P --cases 20; says 'INCOMPLETE'; says 'the library supports none of the selected products'
expect 5 verify --library "$fake" --rank 5; says 'not tested: the given files define no operator with --rank 5; they define replication_pad2d_backward'

# What cannot run on this library ends at once, whatever the time, with the reason.
SECONDS=0
expect 5 verify --operator upsample_bilinear2d --product Ascend910B --class scale-without-effect --seconds 600
says 'not tested: upsample_bilinear2d: no case with --product Ascend910B --class scale-without-effect on Ascend910B'
expect 5 verify --library "$fake" --property threads --seconds 600; says 'not tested: threads: not promised: thread-counts'
[ $SECONDS -lt 300 ] || fail "$SECONDS s until nothing was tested"

exit $((failures > 0))
