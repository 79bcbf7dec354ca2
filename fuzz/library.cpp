// Fuzz targets on a library behind the API from another build: one program, which loads
// the library and runs the target that the environment names. library.sh runs campaigns with it.
//
//   GRADPROOF_FUZZ_LIBRARY   the library's files, with ':' between them
//   GRADPROOF_FUZZ_PROFILE   the profile that it is judged by, a name or a file; empty: its own
//   GRADPROOF_FUZZ_FINDINGS  folder of findings, one case line a file
//   GRADPROOF_FUZZ_TARGET    the target; empty: those that fit the library are listed
//   GRADPROOF_FUZZ_KEEP      set: inputs become findings unseen (they ended another process)
//
// A wrong answer is written down and fuzzing goes on. Only what ends the process ends it.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "fuzz/case_target.h"
#include "fuzz/mutate.h"
#include "props/campaign/kept.h"
#include "props/cases/input_error.h"
#include "props/cases/text/bytes.h"
#include "props/cases/traits.h"
#include "props/sequences/bytes.h"
#include "props/worker/examiner.h"

namespace {

using namespace gradproof;
using props::Case, props::Property;

/// Findings of one property and sort that a process writes down: enough to tell causes apart.
constexpr int kMostAlike = 16;

std::string variable(const char* name) {
  const char* const value = std::getenv(name);
  return value != nullptr ? value : "";
}

/// What a target feeds to the library, and what has to hold of it then.
enum class Input { any_call, small_call, sequence };
/// (Not `messages`: of a call that breaks several rules a message may name any argument.)
struct Kind {
  std::string_view name;
  Input input;
  bool per_operator;
  std::vector<std::string_view> properties;
};
const std::vector<Kind>& kinds() {
  static const std::vector<Kind> all = {
      {"get_workspace_size", Input::any_call, true, {"error-codes"}},
      {"execute", Input::small_call, true, {"equivalence", "misuse"}},
      {"instruction_sets", Input::small_call, false, {"instruction-sets", "threads"}},
      {"api_sequence", Input::sequence, false, {"life-cycle"}},
  };
  return all;
}

class Target {
 public:
  Target();

  void run(std::span<const std::uint8_t> bytes);
  const Kind* kind() const { return kind_; }
  std::optional<ref::Operator> op() const { return op_; }

 private:
  std::vector<const Property*> fitting(const Kind& kind) const;
  void choose(const std::string& wanted);
  std::vector<std::uint8_t> of_own_operator(std::span<const std::uint8_t> bytes) const;
  std::optional<Case> decode(std::span<const std::uint8_t> bytes) const;
  void keep(const Property& property, const Case& c, props::Verdict verdict);

  campaign::Settings settings_;
  std::unique_ptr<props::Examiner> examiner_;
  std::unique_ptr<profiles::Use> use_;
  const Kind* kind_ = nullptr;
  std::optional<ref::Operator> op_;
  std::vector<const Property*> properties_;
  const bool unseen_ = !variable("GRADPROOF_FUZZ_KEEP").empty();
  std::map<std::string, int> alike_;
};

Target::Target() {
  const std::string files = variable("GRADPROOF_FUZZ_LIBRARY");
  for (std::size_t at = 0; at < files.size();) {
    const std::size_t end = std::min(files.find(':', at), files.size());
    settings_.subject.libraries.push_back(files.substr(at, end - at));
    at = end + 1;
  }
  if (const std::string name = variable("GRADPROOF_FUZZ_PROFILE"); !name.empty()) {
    const profiles::Profile profile = profiles::find_profile(name);
    settings_.subject.profile = profile.text;
    settings_.subject.profile_file = profile.file;
  }
  settings_.subject.threads = 1;
  examiner_ = props::examine_here(settings_.subject);
  use_ = std::make_unique<profiles::Use>(examiner_->profile());
  if (examiner_->operators().empty())
    throw props::InputError(files + ": the library has none of the operators");
  if (examiner_->products().empty())
    throw props::InputError(files + ": the library cannot be started");
  choose(variable("GRADPROOF_FUZZ_TARGET"));
}

/// The properties of a kind of target that the library is asked for.
std::vector<const Property*> Target::fitting(const Kind& kind) const {
  const bool by_kit = !examiner_->provision().validation.empty();
  std::vector<const Property*> fit;
  for (const std::string_view name : kind.properties) {
    const Property* const property = props::find_property(name);
    if (use_->promises(property->promise) && !(by_kit && props::is_about_the_api(*property)))
      fit.push_back(property);
  }
  return fit;
}

/// Takes the target of that name, or prints all that fit and ends the program.
void Target::choose(const std::string& wanted) {
  std::string names;
  const auto offer = [&](const std::string& name, const Kind& kind,
                         std::optional<ref::Operator> op) {
    names += name + '\n';
    if (name != wanted) return;
    kind_ = &kind;
    op_ = op;
    properties_ = fitting(kind);
  };
  for (const Kind& kind : kinds()) {
    if (fitting(kind).empty()) continue;
    if (!kind.per_operator) offer(std::string(kind.name), kind, std::nullopt);
    for (const ref::Operator op : examiner_->operators()) {
      if (kind.per_operator)
        offer(std::string(kind.name) + '_' + std::string(ref::signature(op).stem), kind, op);
    }
  }
  if (wanted.empty()) {
    std::fputs(names.c_str(), stdout);
    std::exit(0);
  }
  if (kind_ == nullptr)
    throw props::InputError("no target '" + wanted + "' fits the library; those that do:\n" +
                            names);
}

/// The input, about an operator that the library has: the functions of every other one are null.
/// The first byte names the operator in all forms, unless the target does, and what is missing
/// reads as zeros.
std::vector<std::uint8_t> Target::of_own_operator(std::span<const std::uint8_t> bytes) const {
  const std::vector<ref::Operator>& there = examiner_->operators();
  std::vector<std::uint8_t> own(std::max<std::size_t>(bytes.size(), 1));
  std::copy(bytes.begin(), bytes.end(), own.begin());
  if (op_) return own;
  while (std::find(there.begin(), there.end(), props::operator_of_byte(own[0])) == there.end())
    ++own[0];
  return own;
}

std::optional<Case> Target::decode(std::span<const std::uint8_t> bytes) const {
  std::optional<Case> c;
  if (kind_->input == Input::sequence) {
    c = props::sequence_from_bytes(bytes);
  } else {
    c = kind_->input == Input::any_call ? props::from_bytes(bytes, op_) : fuzz::small_case(bytes);
  }
  if (!c) return c;
  // A library is no product but its own: of every other one nothing would be checked.
  const std::vector<ref::Product>& products = examiner_->products();
  if (std::find(products.begin(), products.end(), c->call.product) == products.end())
    c->call.product = products[static_cast<std::size_t>(c->call.product) % products.size()];
  if (kind_->input == Input::any_call && fuzz::fits_no_memory(c->call)) c.reset();
  return c;
}

void Target::keep(const Property& property, const Case& c, props::Verdict verdict) {
  if (++alike_[std::string(property.name) + verdict.kind + verdict.look] > kMostAlike) return;
  const campaign::Database database(variable("GRADPROOF_FUZZ_FINDINGS"), settings_.subject);
  campaign::keep(database.folder(), {&property, c, std::move(verdict), nullptr}, settings_);
}

void Target::run(std::span<const std::uint8_t> bytes) {
  const std::optional<Case> c = decode(of_own_operator(bytes));
  if (!c) return;
  for (const Property* property : properties_) {
    if (!props::meets(*property, *c, *use_)) continue;
    if (unseen_) {
      keep(*property, *c, props::Verdict::violated("crash", "it ended the fuzzing process"));
      continue;
    }
    const props::Check check{property, &*c};
    props::Answer answer = std::move(examiner_->check({&check, 1}).front());
    if (!answer.verdict.held) keep(*property, *c, std::move(answer.verdict));
  }
}

Target& target() {
  // Never destroyed: streams end with the library.
  static auto& one = *[] {
    try {
      return new Target();
    } catch (const props::InputError& e) {
      std::fprintf(stderr, "fuzz_library: %s\n", e.what());
      std::exit(2);
    }
  }();
  return one;
}

}  // namespace

namespace gradproof::fuzz {

std::optional<ref::Operator> only_operator() { return target().op(); }

}  // namespace gradproof::fuzz

/// Loads the library before the engine counts what there is to reach.
extern "C" int LLVMFuzzerInitialize(int*, char***) {
  target();
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  target().run({data, size});
  return 0;
}

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t max_size, unsigned int seed) {
  return target().kind()->input == Input::sequence
             ? fuzz::mutate_sequence(data, size, max_size, seed)
             : fuzz::mutate_case(data, size, max_size, seed);
}
