// Compares outputs with the reference, and finds out which entries of a profile they need.
#include "props/judge/judge_values.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "props/cases/data/data.h"
#include "props/cases/memory_layout.h"
#include "props/cases/shapes.h"
#include "props/judge/argmax.h"
#include "props/judge/compare.h"
#include "props/judge/repeats.h"
#include "props/judge/words.h"
#include "props/profiles/value_entries.h"
#include "ref/element.h"

namespace gradproof::props {
namespace {

using profiles::Entry;
using profiles::Kind;

/// What aclrtSynchronizeStream answers after an index out of range (contract: bad indices).
constexpr std::int32_t kVectorCoreException = 507035;

std::string status_finding(std::int32_t got, std::int32_t expected, const std::string& message) {
  return "synchronisation returned " + std::to_string(got) + ", expected " +
         std::to_string(expected) + (message.empty() ? "" : "\n  message: " + message);
}

Verdict judge_bad_index(const ref::Call& call, const ref::BadIndex& bad, const Outcome& got,
                        bool messages) {
  if (got.sync != kVectorCoreException) {
    Verdict verdict =
        Verdict::violated("bad index", status_finding(got.sync, kVectorCoreException, got.message) +
                                           "\n  indices contains " + std::to_string(bad.value) +
                                           " at position " + std::to_string(bad.position));
    verdict.symptom = returned_instead(got.sync, kVectorCoreException);
    return verdict;
  }
  const std::vector<std::vector<std::string>> words{{std::string(ref::signature(call.op).api),
                                                     std::to_string(bad.position),
                                                     std::to_string(bad.value)}};
  if (messages && !says_any(got.message, words)) {
    return Verdict::violated("bad index message", "the message after a bad index does not name " +
                                                      in_words(words) + "\n  message: \"" +
                                                      got.message + "\"");
  }
  return {};
}

/// What passed last. Several properties of a case judge the same bytes: they are compared with the
/// reference once.
struct Passed {
  ref::Call call;
  ref::Numerics numerics;
  std::vector<ref::Dense> data, outputs;
  double worst_fraction = 0;
};
thread_local std::optional<Passed> passed;
/// More is not worth the memory.
constexpr std::size_t kMostKept = std::size_t{1} << 20;  // bytes

/// Types and shapes are the call's.
bool same_bytes(const std::vector<ref::Dense>& a, const std::vector<ref::Dense>& b) {
  return std::equal(
      a.begin(), a.end(), b.begin(), b.end(),
      [](const ref::Dense& one, const ref::Dense& other) { return one.bytes == other.bytes; });
}

std::size_t bytes_of(const std::vector<ref::Dense>& tensors) {
  std::size_t bytes = 0;
  for (const ref::Dense& tensor : tensors) bytes += tensor.bytes.size();
  return bytes;
}

/// Judges one call's outputs by one way of computing after another.
class Values {
 public:
  Values(const Case& c, const std::vector<ref::Dense>& data, const Outcome& got)
      : c_(c), data_(data), got_(got) {}

  /// By the documents, or as the numerics say.
  Verdict by(const ref::Numerics& numerics) const {
    Verdict verdict;
    if (passed && passed->numerics == numerics && passed->call == c_.call &&
        same_bytes(passed->outputs, got_.outputs) && same_bytes(passed->data, data_)) {
      verdict.worst_fraction = passed->worst_fraction;
      return verdict;
    }
    const ref::Evaluation evaluation(c_.call, data_, numerics);
    for (const int slot : evaluation.outputs()) {
      const ref::Dense& output = got_.outputs[static_cast<std::size_t>(slot)];
      if (any_position(numerics, slot)) {
        if (Verdict position = judge_positions(c_.call, data_, got_.outputs); !position.held)
          return position;
        continue;
      }
      const Comparison comparison =
          compare(evaluation, slot, output, numerics, replaced_elements(c_.call.tensors[slot]));
      verdict.worst_fraction = std::max(verdict.worst_fraction, comparison.worst_fraction);
      if (comparison.wrong == 0) continue;
      Verdict wrong =
          Verdict::violated("values", describe(comparison, tensor_name(c_.call.op, slot), output,
                                               evaluation.result_type(slot)));
      wrong.look = look(comparison);
      wrong.worst_fraction = verdict.worst_fraction;
      return wrong;
    }
    if (bytes_of(data_) + bytes_of(got_.outputs) <= kMostKept)
      passed = {c_.call, numerics, data_, got_.outputs, verdict.worst_fraction};
    return verdict;
  }

  /// Whether an output holds a subnormal number of its type.
  bool holds_subnormal() const {
    for (const ref::Dense& output : got_.outputs) {
      if (!ref::is_floating(output.dtype)) continue;
      const std::int32_t type = ref::component_type(output.dtype);
      const auto count = static_cast<std::int64_t>(output.bytes.size()) / ref::dtype_size(type);
      const long double normal = type == ref::kFloat16  ? 0x1p-14L
                                 : type == ref::kDouble ? 0x1p-1022L
                                                        : 0x1p-126L;
      for (std::int64_t i = 0; i < count; ++i) {
        const long double v = std::fabs(ref::load(output.bytes.data(), type, i));
        if (v > 0 && v < normal) return true;
      }
    }
    return false;
  }

 private:
  bool any_position(const ref::Numerics& numerics, int slot) const {
    return !ref::is_backward(c_.call.op) && slot == indices_slot(c_.call.op) &&
           (numerics.ties == ref::Winner::any || numerics.nans == ref::Winner::any);
  }

  const Case& c_;
  const std::vector<ref::Dense>& data_;
  const Outcome& got_;
};

/// Whether a result that is right as documented shows that the entry is wrong: it says what must
/// come out, and not what may.
bool refutes(const Entry& entry, const Values& values) {
  if (entry.kind == Kind::subnormals) return values.holds_subnormal();
  const bool decided = entry.kind == Kind::out_of_window || entry.kind == Kind::scales ||
                       entry.winner == ref::Winner::last;
  return decided && !values.by(numerics_of(entry)).held;
}

Verdict judge_outputs(const Case& c, const Values& values, const profiles::Terms& terms,
                      profiles::Use* use) {
  Verdict documented = values.by({});
  std::vector<const Entry*> entries;
  for (const Entry* entry : terms.computing) {
    if (profiles::concerns(*entry, c.call)) entries.push_back(entry);
  }
  if (entries.empty()) return documented;
  if (documented.held) {
    for (const Entry* entry : entries) {
      if (refutes(*entry, values))
        use->contradicted(*entry);
      else
        use->unused(*entry);
    }
    return documented;
  }
  // The first entry that explains the result alone is the one that was met; else all of them.
  for (const Entry* entry : entries) {
    Verdict alone = values.by(numerics_of(*entry));
    if (!alone.held) continue;
    use->met(*entry);
    return alone;
  }
  Verdict known = values.by(terms.numerics);
  if (known.held) {
    for (const Entry* entry : entries) use->met(*entry);
    return known;
  }
  known.finding += "\n  allowed for: ";
  for (const Entry* entry : entries) {
    known.finding += (entry == entries.front() ? "" : ", ") + named(*entry, use->profile());
  }
  return known;
}

}  // namespace

Verdict judge_values(const Case& c, const std::vector<ref::Dense>& data, const Outcome& got,
                     profiles::Use* use) {
  const profiles::Terms terms =
      use != nullptr ? use->terms(c.call, c.misuse, &data) : profiles::Terms{};
  ref::BadIndex bad{};
  if (ref::Evaluation(c.call, data).has_bad_index(&bad)) {
    const Entry* entry = terms.out_of_range;
    const bool messages = use == nullptr || use->promises("messages");
    if (entry == nullptr || got.sync != entry->number) {
      Verdict verdict = judge_bad_index(c.call, bad, got, messages);
      if (entry != nullptr && verdict.held) use->contradicted(*entry);
      return verdict;
    }
    use->met(*entry);
    if (entry->number != 0) return {};  // what the output holds then is not specified
  } else if (!got.exception.empty()) {
    return Verdict::violated("exception", got.exception);
  } else if (got.sync != 0) {
    return Verdict::violated("synchronisation", status_finding(got.sync, 0, got.message));
  }
  if (!got.unreadable.empty()) return Verdict::violated("mask positions", got.unreadable);
  const Values values(c, data, got);
  Verdict verdict = judge_outputs(c, values, terms, use);
  if (!verdict.held) return verdict;
  Verdict repeats = judge_repeats(c, got, terms, use);
  return repeats.held ? verdict : repeats;
}

}  // namespace gradproof::props
