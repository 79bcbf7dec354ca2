// A report with something in every field, and text that is hard to write down.
#pragma once

#include "props/report/report.h"

namespace gradproof::report {

inline Report sample(int shard = 1, int shards = 1) {
  Report report;
  report.question = {"verify",
                     {{"/lib/a.so", 12, "00ff"}},
                     {"Ascend910B"},
                     {"replication_pad2d"},
                     {"equivalence"},
                     7,
                     120,
                     0,
                     2,
                     "contract",
                     {}};
  report.shards = shards;
  report.parts = {{shard, "2026-01-02T03:04:05Z", 1.5, 40, 3, false}};
  OperatorReport& o = report.operators[ref::Operator::replication_pad2d];
  o.cases = 40;
  o.boundary_cases = 9;
  o.failures = 3;
  o.errors["FLOAT16"].add(0.5, true);
  o.errors["FLOAT16"].add(0, true);
  o.errors["FLOAT16"].add(0, false);
  o.classes = {{"empty", 2}, {"strided-output", 0}};
  o.kernels = {{"rows", {{"BF16 avx2", 3}, {"FLOAT avx2", 1}, {"FLOAT avx2 compared", 7}}},
               {"planes", {{"FLOAT sse4 compared", 2}}}};
  o.points = {{"Ascend910B FLOAT16 rank 3 ND", 4}};
  o.borders = {{"rank self broken on Ascend910B", 0}, {"rank self[3] kept on Ascend910B", 2}};
  o.rule("dtype").arguments[{"Ascend910B", "self"}] = {3, 0};
  o.rule("dtype").arguments[{"Ascend910B", "any"}] = {0, 40};
  o.rule("view").arguments[{"Ascend910B", "self"}] = {3, 0};
  o.properties["equivalence"] = {40, 3, 0.25};
  report.failures = {{ref::Operator::replication_pad2d, "equivalence", "values", 3, 17, "",
                      "replication_pad2d self=…", "answers <\"1\" & '\x01'>\n]]> \xff",
                      "gradproof repro 'replication_pad2d …'", "got:\n  1 2\n"}};
  report.slowest = {{0.2, ref::Operator::replication_pad2d, "equivalence", "replication_pad2d …"}};
  return report;
}

}  // namespace gradproof::report
