// Prints docs/conformance.md: text, and the library's tables of differences.
#include <cstdio>
#include <string>

#include "opt/ops/conformance.h"
#include "opt/runtime/conformance.h"

namespace {

using namespace gradproof;
using namespace gradproof::ops;

std::string products(Products set) {
  std::string names;
  for (int i = 0; i < 4; ++i) {
    if ((set >> i & 1) != 0) {
      names += (names.empty() ? "" : ", ") + std::string(name(static_cast<Product>(i)));
    }
  }
  return set == 15 ? "all" : names;
}

std::string answer(const Verdict& v, std::string_view rule) {
  const int usual = rule == "null-argument" ? 161001 : 161002;
  const std::string status = std::to_string(v.status != 0 ? v.status : usual);
  switch (v.answer) {
    case Answer::taken: return "0";
    case Answer::nothing: return "0, workspace 0, nothing written";
    case Answer::later: return "0; phase 2: " + status;
    case Answer::refused: break;
  }
  return v.writes_workspace ? status + ", *workspaceSize is 0" : status;
}

std::string operators(std::span<const char* const> apis) {
  if (apis.size() == 6) return "all gradients";
  std::string list;
  for (const char* api : apis) list += (list.empty() ? "`" : ", `") + std::string(api) + "`";
  return list;
}

constexpr char kHead[] = R"(# Two conformances

This page says how to choose between the two behaviours of the library, and lists all differences between them. In the
conformance `documented` (the default) the library follows the operators' documents ([contract](contract.md)). In the conformance
`cann` it behaves as CANN does where CANN differs from its documents. Choose by

- `GRADPROOF_CONFORMANCE=documented` or `cann`; the drop-in tree's `set_env.sh` sets `cann` unless it is set;
- the key `"conformance"` of aclInit's file, which wins over the environment;
- `gradproof_set_conformance()` of `gradproof/config.h`, at any time, which wins over both ([configuration](configuration.md)).

`gradproof_conformance()` returns the conformance in force, and `gradproof verify` prints it.

Everything that is not in the tables, such as sums, rounding and determinism, is the same in both. Memory is never damaged: where
CANN's behaviour is undefined, this library refuses the call or omits a contribution.

If the other conformance would accept a refused call, the message ends in `; accepted by CANN`. With
`GRADPROOF_LOG=info`, a call that is accepted here and refused there is logged once for each place in
the program: `refused by the documents: ...` in `cann`, `refused by CANN: ...` in `documented`.

Statements about CANN come from public sources; CANN itself was not run. "Not known" means that no source says what CANN does,
but a public program relies on the behaviour. The page is generated from the library's tables: `conformance_page >
docs/conformance.md` (a program of the build tree, `tests/ops`).

)";

constexpr char kTail[] = R"(
## What is not followed

| CANN | here, in both conformances |
|---|---|
| gradients that are Inf or NaN spread to neighbours in upsampling (a product with zero weights) | they reach only the elements that they are added to |
| sums over overlapping windows may have other bits from run to run | the same bits on each run |
| phase 2 does not check the size of the workspace, the operator of the executor, null data | refused: 161002, 161002, 161001 |
| used, destroyed or invented executors, descriptors destroyed before phase 2 ran: undefined | refused; descriptors may be destroyed after phase 1 |
| making an executor repeatable may be refused with 561000 | accepted |
| aclInit again, after aclFinalize and with other content, is refused (100000) | accepted; without aclFinalize: 100002 |
| tensors keep at most 25 dimensions | 64 |
| messages are CANN's own | messages name operator, rule and argument |
| a scale that is tiny does not count | not followed: a tiny scale fits only extents of millions |
| the formats CHWN and DHWCN of MaxPool3dWithArgmaxBackward: accepted | 561103: the headers have no number for them |
| negative padding has a code path of its own | the same sums as for other padding |
)";

}  // namespace

int main() {
  std::fputs(kHead, stdout);
  std::puts(
      "## Phase 1\n\n| operators | rule | argument | input | products | documented | cann | source "
      "|");
  std::puts("|---|---|---|---|---|---|---|---|");
  for (const Difference& d : differences()) {
    std::printf("| %s | **%s** | %s | %s | %s | %s | %s | %s |\n", operators(d.apis).c_str(),
                std::string(d.rule).c_str(),
                d.argument.empty() ? "any" : ("`" + std::string(d.argument) + "`").c_str(), d.input,
                products(d.products).c_str(), answer(d.documented, d.rule).c_str(),
                answer(d.cann, d.rule).c_str(), d.source);
  }
  std::puts(
      "\nThe first row that fits decides. The rules **same-extents**, **int32-extent**, "
      "**empty-tensor** and");
  std::puts("**empty-channels** are CANN's alone.\n\n## Data and results\n");
  std::puts(
      "| operators | what | products | documented | cann | source |\n|---|---|---|---|---|---|");
  for (const WayDifference& w : ways()) {
    std::printf("| %s | %s | %s | %s | %s | %s |\n", operators(w.apis).c_str(), w.input,
                products(w.products).c_str(), w.documented, w.cann, w.source);
  }
  std::puts("\n## The functions around the operators\n");
  std::puts("| functions | input | documented | cann | source |\n|---|---|---|---|---|");
  for (const RuntimeDifference& d : runtime_differences()) {
    std::printf("| %s | %s | %s | %s | %s |\n", d.functions, d.input, d.documented, d.cann,
                d.source);
  }
  std::fputs(kTail, stdout);
}
