#!/usr/bin/env bash
# options.sh GRADPROOF FOLDER: each option of the kit does what it says. FOLDER has the libraries of options/.
gradproof=$1 libraries=$2
. "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/../suite/expect.sh"

expect 0 verify --library "$libraries/libdevice.so" --seconds 8 --no-database
says 'not supported by the kernel: positions cannot represent this mask'
says 'passed'
expect 1 verify --library "$libraries/libwrites_device.so" --operator replication_pad2d_backward --seconds 4 --no-database
says 'the kernel has written into grad_output'

expect 0 verify --library "$libraries/libcontiguous.so" --seconds 4 --no-database --report "$folder/contiguous"
says 'tensors of the kernels: contiguous copies (GRADPROOF_CONTIGUOUS)'
grep -q 'contiguous copies (GRADPROOF_CONTIGUOUS)' "$folder/contiguous/report.html" || fail 'the report does not name GRADPROOF_CONTIGUOUS'
expect 0 run /dev/stdin --library "$libraries/libcontiguous.so" <<<'replication_pad2d_backward gradOutput=FLOAT[1,2,3]:ND self=FLOAT[1,2,2]:ND padding=1,0,0,0 gradInput=FLOAT[1,2,2]:ND'
says 'GRADPROOF_CONTIGUOUS'
expect 1 verify --library "$libraries/libignores_strides.so" --seconds 4 --no-database --matrix
says 'read outside the elements of an input'; says_not 'tensors of the kernels'
says 'no matrix: calls are not validated by the library, but by the kit'; says_not 'broken'
expect 1 verify --library "$libraries/libreads_behind.so" --seconds 4 --no-database --max-failures 1
says 'crash: '
# The access is beside a copy of the kit: it is not described by the caller's tensors, which may be near.
expect 1 run /dev/stdin --library "$libraries/libreads_behind.so" <<<'replication_pad2d_backward gradOutput=FLOAT[1,500,501]:ND self=FLOAT[1,500,500]:ND padding=1,0,0,0 gradInput=FLOAT[1,500,500]:ND'
says 'died of SIGSEGV'; says_not 'an access'
expect 1 verify --library "$libraries/libwrites_input.so" --seconds 4 --no-database
says 'the kernel has written into grad_output'

# Whoever compares computes in the usual mode, whatever a library does to the thread that loads it.
expect 1 verify --library "$libraries/libflushes.so" --seconds 4 --no-database --report "$folder/flushes"
if [ "$(uname -m)" = x86_64 ]; then
  says 'floating-point mode: set by the library'
  grep -q '"float_mode": "set by the library' "$folder/flushes/report.json" || fail 'report.json lacks float_mode'
else
  says_not 'floating-point mode'
fi
for way in "" --no-fork; do
  expect 1 repro 'replication_pad2d_backward gradOutput=FLOAT[1,1,4]:ND:fill(constant,1e-40) self=FLOAT[1,1,4]:ND padding=0,0,0,0 gradInput=FLOAT[1,1,4]:ND' --library "$libraries/libflushes.so" --property equivalence $way
done

# Without copies and a device, kernels are on memory whose pages can be protected.
expect 1 verify --library "$libraries/libignores_strides.so" --property in-bounds --seconds 4 --no-database
says 'passes with contiguous tensors'
expect 5 verify --library "$libraries/libdevice.so" --property in-bounds --seconds 1 --no-database
says 'not promised: host-memory'

expect 0 verify --library "$libraries/libtypes.so" --seconds 8 --no-database --report "$folder/types"
# Time is for the type that the kernel is for, once it has declined the four others at every coverage point.
python3 -c "
import json, sys
one = next(o for o in json.load(open(sys.argv[1]))['operators'] if o['operator'] == 'replication_pad2d_backward')
declined = sum(n for why, n in one['left_out'].items() if 'not supported by the kernel' in why)
assert declined < one['cases'], (declined, one['cases'])" "$folder"/types/report.json || fail 'most cases were declined'
says 'profile types: 1 of 1 entry met, 0 contradicted'
says 'not supported by the kernel: the kernel is not for COMPLEX64'
# Coverage points of types that the kernel is not for are not expected, nor is a forward, which a kit has none of.
says '  16/16 '; says_not 'coverage points were'; says_not ' coverage points,'; says_not 'the library has no aclnn'
# An entry that excludes what the kernel itself is not for is no unmet one.
python3 - "$libraries/types.json" >"$folder/also.json" <<'END'
import copy, json, sys
profile = json.load(open(sys.argv[1]))
other = copy.deepcopy(profile["entries"][0])
other.update(id="other-types", when={"operator": "replication_pad2d_backward", "dtype": ["FLOAT", "BF16"]})
profile["entries"].append(other)
print(json.dumps(profile))
END
expect 0 verify --library "$libraries/libtypes.so" --seconds 4 --no-database --profile "$folder/also.json"
says "entry 'other-types' is not needed: the library states itself"; says_not 'entries not met'
says 'profile types: 1 of 1 entry met, 0 contradicted'
expect 1 verify --library "$libraries/libtypes.so" --seconds 4 --no-database --profile documented
says 'of replication_pad2d_backward: the kernel threw: crops more than'; says '  one column'
says 'kernel failed: replication_pad2d_backward, equivalence, exception; '; says_not 'synchronisation'

# Where every selected property needs a function that is not there, nothing is waited for.
expect 5 verify --library "$libraries/libtypes.so" --property adjoint --seconds 60 --no-database
says 'not tested: adjoint: the library has no aclnnReplicationPad2d'; says 'INCOMPLETE: 0 cases and 0 boundary cases in 0.'

# An entry that allows a NaN where there would be none does not allow a lost one.
cat >"$folder/zero.json" <<'END'
{"profile": "zero", "says": "Adds 0 times infinity.", "entries": [{"id": "nan", "when": {"operator": "upsample_bilinear2d_backward"},
 "then": {"zero_times_infinity": "NaN"}, "reason": "a test", "source": {"repository": "r", "file": "f", "function": "g"}}]}
END
one='upsample_bilinear2d_backward gradOut=FLOAT[1,1,2,1]:NCHW outputSize=2,1 inputSize=1,1,2,1 alignCorners=false scalesH=0 scalesW=0 out=FLOAT[1,1,2,1]:NCHW'
expect 1 repro "$one" --library "$libraries/libloses_nan.so" --profile "$folder/zero.json" --property support
says 'a NaN is added to it'

# A kernel that declines half of the cases, of all points alike: other cases of a point are tried.
expect 0 verify --library "$libraries/libeven.so" --cases 60 --no-database --report "$folder/even"
python3 -c "
import json, sys
one = next(o for o in json.load(open(sys.argv[1]))['operators'] if o['operator'] == 'replication_pad2d_backward')
assert one['cases'] >= 45, one['cases']" "$folder"/even/report.json || fail 'a declined point was not tried again'

expect 0 exhaust --library "$libraries/libeven.so" --at-most 3; says 'not supported by the kernel: '

expect 1 verify --library "$libraries/libno_positions.so" --seconds 2 --no-database -x
says 'the kernel reads `indices`: a 2-D pool that takes positions needs GRADPROOF_POSITIONS'

expect 5 verify --library "$libraries/libnever.so" --seconds 1 --no-database
says 'not tested: replication_pad2d_backward: the kernel supports none of the calls that were drawn'
says 'not supported by the kernel: it was never written'
says 'INCOMPLETE'
# Where only phase 1 runs, nothing is checked: in 4000 cases there are some that are too large to run.
expect 5 verify --library "$libraries/libnever.so" --cases 4000 --property no-leak --property quiet --no-database; says 'INCOMPLETE'

# A case counts only if the kernel computed its own call, not where properties derived another from it.
expect 5 verify --library "$libraries/libsingle.so" --class windows-overlap --seconds 2 --no-database
says 'not tested: max_pool2d_with_mask_backward: the kernel supports none of the calls that were drawn'
says 'INCOMPLETE: 0 cases'
expect 0 verify --library "$libraries/libsingle.so" --cases 400 --no-database --report "$folder/single"
python3 -c "
import json, sys
operators = json.load(open(sys.argv[1]))['operators']
counts = next(one['classes'] for one in operators if one['operator'] == 'max_pool2d_with_mask_backward')
assert counts['windows-overlap'] == 0 and sum(counts.values()) > 0, counts" "$folder"/single/report.json || fail 'a class of declined calls was counted'
[ "$failures" -eq 0 ]
