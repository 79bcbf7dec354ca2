// Enumerates calls, checks them in batches and sorts what fails.
#include "props/campaign/exhaustion.h"

#include <algorithm>
#include <utility>

#include "props/campaign/tell_found.h"
#include "props/cases/counted.h"
#include "props/cases/describe/coverage_points.h"
#include "ref/element.h"

namespace gradproof::campaign {
namespace {

constexpr std::size_t kBatch = 256;  // calls that are sent to the library together
/// An operator's first calls are examples for sorting failures by cause, then one in so many: fewer
/// are kept than there are calls, and the first ones are alike. An odd prime, as calls are numbered
/// along nested loops.
constexpr std::uint64_t kFirstExamples = 1000, kOneExampleIn = 17;

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

constexpr const char* kItsProperties = "exhaust checks equivalence and error-codes only";

bool is_checked(const props::Property* property) {
  return property->name == "equivalence" || property->name == "error-codes";
}

std::vector<const props::Property*> properties_of(const Settings& settings) {
  std::vector<const props::Property*> chosen = chosen_properties(settings);
  std::erase_if(chosen, [](const props::Property* property) { return !is_checked(property); });
  return chosen;
}

/// What all calls of an operator have in common, by one of them.
std::string described(const props::Case& c) {
  const ref::Tensor& first = c.call.tensors.front();
  return std::string(ref::dtype_name(first.dtype)) + ", " + ref::format_name(first.format) +
         ", rank " + std::to_string(first.shape.size()) + ", contiguous tensors, " +
         std::string(ref::name(c.call.product));
}

}  // namespace

Exhaustion::Exhaustion(Settings settings, std::int64_t at_most)
    : settings_(std::move(settings)),
      at_most_(at_most),
      properties_(properties_of(settings_)),
      checker_(settings_),
      findings_(
          settings_, properties_, checker_, report_, database_,
          [this] { return seconds_since(start_); },
          [this] {
            if (tell_found(report_.failures.back(), settings_, tally_, progress_)) ++told_findings_;
          }) {
  report_.question = question(settings_, "exhaust", checker_.profile(), {},
                              chosen_operators(settings_, checker_.operators()), properties_,
                              checker_.provision());
  report_.shards = settings_.shard.count;
  report_.parts = {report::begin_part(settings_.shard.index)};
}

void Exhaustion::run() try {
  for (const ref::Operator op : chosen_operators(settings_, checker_.operators())) {
    if (over()) break;
    run(op);
  }
  findings_.settle();
  close(interrupted());
} catch (...) {
  findings_.settle(false);
  close(true);
  throw;
}

void Exhaustion::close(bool interrupted) {
  progress_.clear();
  report::Part& part = report::only_part(report_);
  part.seconds = seconds_since(start_);
  part.cases = report_.cases();
  part.failures = report_.failed();
  part.interrupted = interrupted;
}

bool Exhaustion::select_product_of(ref::Operator op, ref::Product& product) {
  const std::vector<ref::Product> selected =
      chosen_products(settings_, {ref::Product::Ascend910B, ref::Product::Ascend910_93,
                                  ref::Product::Ascend910, ref::Product::Ascend310P});
  for (const ref::Product wanted : selected) {
    product = wanted;
    for (const props::CoveragePoint& point : props::coverage_points(op)) {
      if (point.product == wanted) {
        if (checker_.is(wanted)) return true;
        break;
      }
    }
  }
  return false;
}

void Exhaustion::run(ref::Operator op) {
  for (const props::Property* property : settings_.properties) {
    if (!is_checked(property)) recorder_.no_check(op, property->name, kItsProperties);
  }
  ref::Product product{};
  if (!select_product_of(op, product)) {
    recorder_.no_case(op, kNoProduct);
    return;
  }
  configurations_[op];
  next_ = 0;
  const auto start = std::chrono::steady_clock::now();
  const props::Scope whole;
  const props::Scope scope = at_most_ > 0 ? whole.at_most(at_most_) : whole;
  std::string calls;  // what they have in common
  bool any = false;
  props::each_scope_call(op, product, scope, [&](const props::ScopeCall& call) {
    if (calls.empty()) calls = described(call.test);
    if (!is_selected(call)) return true;
    any = true;
    return take(call);
  });
  if (properties_.empty())
    recorder_.no_case(op, kItsProperties);
  else if (!any)
    recorder_.no_case(
        op, "exhaust makes no call with" + settings_.selection.options + "; its calls: " + calls);
  if (!over()) flush();
  batch_.clear();
  report_.operators[op].share += seconds_since(start);
}

bool Exhaustion::is_selected(const props::ScopeCall& call) const {
  const std::string_view name = call.legal ? "equivalence" : "error-codes";
  const bool asked =
      std::any_of(properties_.begin(), properties_.end(),
                  [&](const props::Property* property) { return property->name == name; });
  return asked && settings_.selection.takes(call.test);
}

bool Exhaustion::take(const props::ScopeCall& call) {
  batch_.push_back(call);
  return batch_.size() < kBatch || flush();
}

bool Exhaustion::flush() {
  if (batch_.empty()) return true;
  const std::vector<props::ScopeCall> calls = std::exchange(batch_, {});
  const std::uint64_t first = std::exchange(next_, next_ + calls.size());
  const auto shards = static_cast<std::uint64_t>(settings_.shard.count);
  if (batches_++ % shards != static_cast<std::uint64_t>(settings_.shard.index - 1)) return true;
  std::vector<props::Check> checks;
  for (const props::ScopeCall& call : calls)
    checks.push_back(
        {props::find_property(call.legal ? "equivalence" : "error-codes"), &call.test});
  std::vector<props::Answer> answers = checker_.check(checks);
  for (std::size_t i = 0; i < answers.size() && !had_enough(); ++i) {
    const ref::Operator op = calls[i].test.call.op;
    // Skipped calls follow crashes or hangs, which are failures already.
    given_up_ += answers[i].given_up ? 1 : 0;
    if (answers[i].given_up) continue;
    allowances_.apply(checks[i], answers[i]);
    if (answers[i].verdict.held && !answers[i].verdict.checked) {
      recorder_.not_checked(calls[i].test, checks[i].property->name, answers[i].verdict.finding);
      continue;
    }
    report::OperatorReport& o = report_.operators[op];
    ++(calls[i].legal ? o.cases : o.boundary_cases);
    configurations_[op] += static_cast<std::uint64_t>(calls[i].configurations);
    judge(checks[i], std::move(answers[i]), first + i);
  }
  if (progress_.due()) progress_.show(progress_line(calls.front().test.call.op));
  return !over();
}

void Exhaustion::judge(const props::Check& check, props::Answer answer, std::uint64_t number) {
  recorder_.checked(*check.test, check_of(*check.property, answer.verdict, answer.seconds));
  if (number < kFirstExamples || number % kOneExampleIn == 0) findings_.saw(check, answer.verdict);
  if (!answer.verdict.held)
    findings_.add({check.property, *check.test, std::move(answer.verdict), nullptr}, number,
                  [] { return std::nullopt; });
}

std::string Exhaustion::progress_line(ref::Operator op) const {
  const report::OperatorReport& o = report_.operators.at(op);
  return "exhaust: " + std::string(ref::signature(op).stem) + ", " +
         props::counted(configurations_.at(op), "configuration") + ", " +
         props::counted(o.cases + o.boundary_cases, "call") + ", " +
         props::counted(tally_.findings, "finding");
}

}  // namespace gradproof::campaign
