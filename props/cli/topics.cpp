// The pages, in lines of at most 80 columns.
#include "props/cli/topics.h"

namespace gradproof::cli {
namespace {

constexpr Topic kTopics[] = {
    {"cases", "how a case is written",
     R"(A case is one call in one line: the operator, then its arguments as the API
names them.

  replication_pad2d_backward gradOutput=FLOAT[1,1,2,3]:ND
      self=FLOAT[1,1,2,2]:ND padding=1,0,0,0 gradInput=FLOAT[1,1,2,2]:ND

A tensor is TYPE[extents]:FORMAT; strides(...) and offset(...) may follow it.
soc=, seed= and recipes of data are written where they are not the usual ones.
Every finding prints its case. `gradproof explain CASE` says what the contract
wants of it, `gradproof repro CASE` performs it, `gradproof emit CASE` writes a
program that does. The page docs/case.md has the whole syntax.
)"},
    {"selecting", "which cases, operators and properties are checked",
     R"(verify, exhaust, run and list take the same options:

  --operator NAME   by stem or C name: replication_pad2d_backward
  --type NAME       FLOAT, FLOAT16, BF16, DOUBLE, ...
  --rank N          3, 4 or 5
  --format NAME     ND, NCHW, NHWC, NCDHW
  --product NAME    Ascend910, Ascend310P, Ascend910B, Ascend910_93
  --class NAME      what cases have in common: `gradproof list classes`
  --property NAME   what is checked: `gradproof list properties`
  --at-most N       no extent larger than N

Each may be given several times; one of the names has to fit. Names may be
patterns, as in a shell: '*_backward', 'padding-*', '[34]'. ^NAME leaves out:
--property '^threads'. Upper and lower case are alike.

A name or pattern that fits nothing is an error that lists what there is. What
was named without a pattern and made no check gives status 5. A part of the
contract is reported as "partial run".
)"},
    {"status", "what the exit status says", R"(  0    all checks passed
  1    a check failed
  2    cannot judge: the command is wrong, or the host lacks memory, disk or
       threads
  5    nothing failed, but something that was selected made no check
  128+N  ended by signal N
)"},
    {"findings", "what to do about a finding",
     R"(  explain CASE     which rule or formula decides, and what must come out
  repro CASE       performs the case alone and shows what came out
  repro CASE --no-fork    in this process, for a debugger:
                   gdb --args gradproof repro 'CASE' --no-fork
  emit CASE        writes a program that shows it without gradproof

  verify --save DIR    writes each finding's case to a file
  run DIR              tries them again; the next verify does so too
  verify --save-known FILE, --known FILE    known findings do not fail
  --profile FILE       what the library does otherwise on purpose
)"},
};

}  // namespace

std::span<const Topic> topics() { return kTopics; }

}  // namespace gradproof::cli
