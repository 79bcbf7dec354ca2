// The examiner without a worker process; the worker uses it too.
#include <chrono>
#include <filesystem>
#include <system_error>

#include "props/cases/data/data.h"
#include "props/cases/describe/promises.h"
#include "props/cases/describe/size.h"
#include "props/cases/input_error.h"
#include "props/judge/conduct.h"
#include "props/profiles/value_entries.h"
#include "props/subject/product.h"
#include "props/worker/examiner.h"
#include "props/worker/shortage.h"

namespace gradproof::props {
namespace {

/// The profile that was asked for, or that the library names.
profiles::Profile profile_of(const Subject& subject, const Library& library) {
  if (!subject.profile.empty())
    return profiles::parse_profile(subject.profile, subject.profile_file);
  void* const symbol = library.own_symbol("gradproof_profile");
  if (symbol == nullptr) return profiles::find_profile("documented");
  const char* const named = reinterpret_cast<const char* (*)()>(symbol)();
  const std::string name = named != nullptr ? named : "";
  for (const std::string_view shipped : profiles::shipped_profiles()) {
    if (shipped == name) return profiles::find_profile(name);
  }
  if (name.ends_with(".json"))
    return profiles::find_profile(std::filesystem::path(file_of(symbol)).replace_filename(name));
  std::string shipped;
  for (const std::string_view one : profiles::shipped_profiles())
    shipped += (shipped.empty() ? "" : ", ") + std::string(one);
  throw InputError("gradproof_profile() of the library, or the greeting of the program, names '" +
                   name + "', which is neither a .json file nor a shipped profile (" + shipped +
                   ")");
}

constexpr std::size_t kLargestShown = std::size_t{1} << 20;

class Here final : public Examiner {
 public:
  explicit Here(const Subject& subject)
      : library_(subject.libraries),
        provision_(library_.provision()),
        use_(with_stated(profile_of(subject, library_), provision_)),
        conduct_(use_, !provision_.validation.empty()),
        session_(library_, treatment(subject)),
        bench_{session_, &use_},
        threads_(subject.threads),
        operators_(library_.operators()) {
    session_.follow(&conduct_);
    // A kit's calls are valid by the documents, whatever this shell's programs run with.
    if (!provision_.validation.empty()) setenv("GRADPROOF_CONFORMANCE", "documented", 1);
  }

  const profiles::Profile& profile() const override { return use_.profile(); }

  const std::vector<ref::Operator>& operators() const override { return operators_; }

  const Provision& provision() const override { return provision_; }

  Functions functions() const override { return functions_of(library_.api(), &use_); }

  Start start_as(std::optional<ref::Product> product) override {
    try {
      if (!product) return {session_.begin(threads_), {}};
      if (session_.select(*product, threads_)) return {product, {}};
      return {};
    } catch (const StartError& e) {
      Verdict verdict = Verdict::violated(std::string(kStart), e.what());
      demand_threads(verdict);
      return {std::nullopt, std::move(verdict)};
    }
  }

  void renew() override {}

  using Examiner::check;
  std::vector<Answer> check(std::span<const Check> checks,
                            const std::function<bool()>& enough) override {
    std::vector<Answer> answers;
    for (const Check& check : checks) {
      if (!answers.empty() && enough()) break;
      const auto before = std::chrono::steady_clock::now();
      Answer& answer = answers.emplace_back();
      answer.verdict = attempt(check, 0);
      answer.seconds =
          std::chrono::duration<double>(std::chrono::steady_clock::now() - before).count();
      answer.notes = use_.take_notes();
    }
    return answers;
  }

  Verdict attempt(const Check& check, double) override {
    try {
      Verdict verdict = checked(check, bench_);
      if (!verdict.held) demand_threads(verdict);
      return verdict;
    } catch (const std::system_error& e) {
      if (e.code() != std::errc::resource_unavailable_try_again) throw;
      demand_threads(Verdict::violated("runtime", e.what()));
      throw;
    }
  }

  Verdict attempt_with(const Check& check, const profiles::Some& entries) override {
    profiles::Use use(profiles::with_entries(use_.profile(), entries));
    ProfileConduct conduct(use, !provision_.validation.empty());
    Bench bench{session_, &use};
    session_.follow(&conduct);
    struct Back {
      Session& session;
      ProfileConduct& conduct;
      ~Back() { session.follow(&conduct); }
    } const back{session_, conduct_};
    return checked(check, bench);
  }

  std::vector<ref::Dense> outputs(const Case& c) override {
    std::vector<ref::Dense> outputs;
    try {
      if (session_.select(c.call.product, threads_))
        outputs = session_.perform(c, make_data(c)).outputs;
    } catch (const profiles::NotJudged&) {
      return {};
    } catch (const StartError&) {
      return {};
    }
    for (ref::Dense& output : outputs) {
      if (output.bytes.size() > kLargestShown) output.bytes.clear();
    }
    return outputs;
  }

  Look look_at(const Check& check) override {
    Look look;
    Bench bench = bench_;
    bench.shown = &look.calls;
    look.verdict = checked(check, bench);
    use_.take_notes();
    return look;
  }

  Choices choices() override {
    Choices choices;
    if (!use_.promises("kernels")) return choices;
    for (int i = 0; i < ref::kOperatorCount; ++i)
      choices.kernels.push_back(session_.kernels().of(static_cast<ref::Operator>(i)));
    if (!use_.promises("instruction-sets")) return choices;
    const ref::Product product = session_.product();
    const std::string own = session_.kernels().instruction_set();
    for (const std::string_view set : session_.instruction_sets()) {
      if (set != own) choices.instruction_sets.emplace_back(set);
    }
    session_.select(product, threads_);
    return choices;
  }

  std::vector<std::string> kernels_for(std::span<const Case> cases,
                                       const std::string& instruction_set) override {
    std::vector<std::string> kernels;
    for (const Case& c : cases) {
      std::string& kernel = kernels.emplace_back();
      try {
        session_.select(c.call.product, threads_, instruction_set);
        kernel = session_.get_workspace_size(c.call).kernel;
      } catch (const profiles::NotJudged&) {
      } catch (const profiles::Contradiction&) {
      } catch (const InputError&) {
      }
    }
    if (!cases.empty()) session_.select(cases.front().call.product, threads_);
    return kernels;
  }

  KernelUses take_kernel_uses() override {
    KernelUses uses = session_.take_kernel_uses();
    // A kit's kernels are none of those that the library behind it tells.
    return use_.promises("kernels") ? std::move(uses) : KernelUses();
  }

  std::string errors() const override { return ""; }

 private:
  Verdict checked(const Check& check, Bench& bench) {
    try {
      if (!session_.select(check.test->call.product, threads_)) {
        return Verdict::not_checked("the library does not support " +
                                    std::string(ref::name(check.test->call.product)));
      }
      profiles::Use& use = *bench.use;
      if (!use.promises(check.property->promise))
        return Verdict::not_checked("not promised: " + std::string(check.property->promise));
      for (const std::string_view promise : promises_asked(*check.test)) {
        if (!use.promises(promise) && !use.decides(promise, check.test->call))
          return Verdict::not_checked("not promised: " + std::string(promise));
      }
      if (!provision_.validation.empty()) {
        if (is_about_the_api(*check.property))
          return Verdict::not_checked("handled " + provision_.validation);
        if (!has_result(*check.test))
          return Verdict::not_checked("the call has no result: handled " + provision_.validation);
        if (is_hugely_empty(*check.test))
          return Verdict::not_checked(
              "empty tensors whose other extents no kernel can be ready for");
      }
      use.judge_refusals(check.property->judges_refusals);
      return check.property->check(*check.test, bench);
    } catch (const profiles::NotJudged& reason) {
      return Verdict::not_checked(reason.why);
    } catch (const profiles::Contradiction& e) {
      return Verdict::violated("profile", e.what());
    } catch (const HostError&) {
      throw;
    } catch (const StartError& e) {
      return Verdict::violated(std::string(kStart), e.what());
    } catch (const InputError& e) {  // it tells another product than before
      return Verdict::violated("runtime", e.what());
    }
  }

  Treatment treatment(const Subject& subject) const {
    Treatment t{use_.promises("configuration"), use_.promises("executors-after-failure"),
                use_.promises("repeatable-executors")};
    if (!subject.assumed_product.empty()) t.assumed = product_of_soc(subject.assumed_product);
    return t;
  }

  Library library_;
  Provision provision_;
  profiles::Use use_;
  ProfileConduct conduct_;
  Session session_;
  Bench bench_;
  int threads_;
  std::vector<ref::Operator> operators_;
};

}  // namespace

std::unique_ptr<Examiner> examine_here(const Subject& subject) {
  if (!subject.command.empty()) setenv("GRADPROOF_EXEC", subject.command.c_str(), 1);
  return std::make_unique<Here>(subject);
}

}  // namespace gradproof::props
