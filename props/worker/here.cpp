// The examiner without a worker process; the worker uses it too.
#include <chrono>

#include "props/cases/data.h"
#include "props/cases/input_error.h"
#include "props/worker/examiner.h"

namespace gradproof::props {
namespace {

constexpr std::size_t kLargestShown = std::size_t{1} << 20;

class Here final : public Examiner {
 public:
  explicit Here(const Subject& subject)
      : library_(subject.libraries),
        session_(library_),
        bench_{session_, subject.accuracy},
        threads_(subject.threads),
        operators_(library_.operators()) {}

  const std::vector<ref::Operator>& operators() const override { return operators_; }

  Functions functions() const override { return functions_of(library_.api()); }

  const std::vector<ref::Product>& products() override {
    if (!products_.empty()) return products_;
    for (int i = 0; i < ref::kProductCount; ++i) {
      const auto product = static_cast<ref::Product>(i);
      if (session_.select(product, threads_)) products_.push_back(product);
    }
    return products_;
  }

  void renew() override {}

  std::vector<Answer> check(std::span<const Check> checks) override {
    std::vector<Answer> answers;
    for (const Check& check : checks) {
      const auto before = std::chrono::steady_clock::now();
      Answer& answer = answers.emplace_back();
      answer.verdict = attempt(check, 0);
      answer.seconds =
          std::chrono::duration<double>(std::chrono::steady_clock::now() - before).count();
    }
    return answers;
  }

  Verdict attempt(const Check& check, double) override {
    try {
      if (!session_.select(check.test->call.product, threads_)) return {};
      return check.property->check(*check.test, bench_);
    } catch (const InputError& e) {  // it could be initialised when it was loaded, and now no more
      return Verdict::violated("runtime", e.what());
    }
  }

  std::vector<ref::Dense> outputs(const Case& c) override {
    if (!session_.select(c.call.product, threads_)) return {};
    std::vector<ref::Dense> outputs = session_.perform(c, make_data(c)).outputs;
    for (ref::Dense& output : outputs) {
      if (output.bytes.size() > kLargestShown) output.bytes.clear();
    }
    return outputs;
  }

  std::string errors() const override { return ""; }

 private:
  Library library_;
  Session session_;
  Bench bench_;
  int threads_;
  std::vector<ref::Operator> operators_;
  std::vector<ref::Product> products_;
};

}  // namespace

std::unique_ptr<Examiner> examine_here(const Subject& subject) {
  return std::make_unique<Here>(subject);
}

}  // namespace gradproof::props
