// Argmax: the position that a pool's forward reports lies in its window and holds the value that
// the forward returns. Which of several equal maxima it is, equivalence says.
#include "props/judge/argmax.h"

#include "props/cases/data/data.h"
#include "props/cases/shapes.h"
#include "props/properties/problem.h"

namespace gradproof::props {

bool argmax_applies(const Case& c) { return selects(c.call.op) && has_result(c); }

Verdict check_argmax(const Case& c, Bench& bench) {
  const Problem problem{c, make_data(c)};
  const Run run = perform(problem, bench);
  if (!run.ran) return run.verdict;
  return judge_positions(c.call, problem.data, run.outputs);
}

}  // namespace gradproof::props
