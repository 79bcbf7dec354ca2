// The pages, in lines of at most 80 columns.
#include "props/cli/topics.h"

namespace gradproof::cli {
namespace {

constexpr Topic kTopics[] = {
    {"cases", "how to write a case",
     R"(A case is one call on one line: the operator, then its arguments by their
names in the API.

  replication_pad2d_backward gradOutput=FLOAT[1,1,2,3]:ND
      self=FLOAT[1,1,2,2]:ND padding=1,0,0,0 gradInput=FLOAT[1,1,2,2]:ND

A tensor is TYPE[extents]:FORMAT; strides(...) and offset(...) may follow it.
soc=, seed= and data recipes appear only where they differ from the defaults.
Every finding prints its case. `gradproof explain CASE` prints what the contract
requires of it, `gradproof repro CASE` runs it, and `gradproof emit CASE` writes
a program that runs it. docs/case.md describes the syntax.
)"},
    {"selecting", "which cases, operators and properties are checked",
     R"(verify, exhaust, run and list take the same options:

  --operator NAME   by stem or C name: replication_pad2d_backward
  --type NAME       FLOAT, FLOAT16, BF16, DOUBLE, ...
  --rank N          3, 4 or 5
  --format NAME     ND, NCHW, NHWC, NCDHW
  --product NAME    Ascend910, Ascend310P, Ascend910B, Ascend910_93
  --class NAME      case class: `gradproof list classes`
  --property NAME   property to check: `gradproof list properties`
  --at-most N       largest extent of a tensor

All but the last may be repeated: one of the names has to match. Names may be
shell patterns: '*_backward', 'padding-*', '[34]'. ^NAME excludes: --property
'^threads'. Upper and lower case are not distinguished.

A name or pattern that matches nothing is an error; the message lists the known
names. If an operator or property that is named without a pattern is not
checked, the exit status is 5. A run over part of the contract is reported as
"partial run".
)"},
    {"status", "what the exit status means", R"(  0    all checks passed
  1    a check failed
  2    cannot judge: the command is wrong, or the host lacks memory, disk or
       threads
  5    nothing failed, but part of the selection was not checked
  128+N  ended by signal N
)"},
    {"findings", "what to do with a finding",
     R"(  explain CASE     prints the rule that the case breaks, or the expected
                   results
  repro CASE       runs the case alone and prints its results
  repro CASE --no-fork    the same in this process, for a debugger:
                   gdb --args gradproof repro 'CASE' --no-fork
  emit CASE        writes a stand-alone program that runs the case

  verify --save DIR    writes each finding's case to a file
  run DIR              runs them again; so does the next verify
  verify --save-known FILE, --known FILE    known findings do not fail
  --profile FILE       intended deviations of the library
)"},
};

}  // namespace

std::span<const Topic> topics() { return kTopics; }

}  // namespace gradproof::cli
