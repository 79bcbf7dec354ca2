// The worker process: takes requests until the suite closes the socket.
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <new>

#include "props/cases/input_error.h"
#include "props/services/probe.h"
#include "props/subject/access.h"
#include "props/subject/step.h"
#include "props/worker/channel.h"
#include "props/worker/wire.h"
#include "props/worker/worker.h"

namespace gradproof::props {
namespace {

constexpr std::size_t kMostPrinted = 2000;
constexpr double kWorthSaying = 1e-3;  // seconds
constexpr off_t kMostErrors = off_t{1} << 20;

/// Memory that ran out where no function of the library was at work.
struct OwnMemory : std::bad_alloc {};

/// For all of the process, as the library allocates by the same functions; called before anything
/// is unwound.
[[noreturn]] void on_no_memory() {
  if (current_step() == Step::between_calls) throw OwnMemory();
  throw std::bad_alloc();
}

class Service {
 public:
  explicit Service(Progress& progress) : progress_(progress) {}
  bool take(Reader request);

 private:
  std::string use(Reader& request);
  void start(Reader& request);
  void check(Reader& request);
  std::string printed();
  void reply() { send_message(kWorkerSocket, out_.bytes()); }

  Progress& progress_;
  std::unique_ptr<Examiner> examiner_;
  Writer out_;
};

std::string Service::use(Reader& request) {
  Subject subject;
  auto count = request.take<std::size_t>();
  for (; count > 0; --count) subject.libraries.push_back(request.take<std::string>());
  request(subject.command, subject.threads, subject.profile, subject.profile_file,
          subject.assumed_product);
  try {
    const Within step(Step::load);
    examiner_ = examine_here(subject);
  } catch (const InputError& e) {
    return e.what();
  }
  return "";
}

void Service::start(Reader& request) {
  const bool chosen = request.take<bool>();
  const auto product = request.take<ref::Product>();
  std::string wrong;
  Start start;
  try {
    start = examiner_->start_as(chosen ? std::optional(product) : std::nullopt);
  } catch (const InputError& e) {
    wrong = e.what();
  }
  out_.clear();
  out_(wrong, start.product.has_value(), start.product.value_or(product), start.verdict);
  reply();
}

/// What the library has written to stdout since it was last asked.
std::string Service::printed() {
  std::fflush(stdout);
  struct stat file {};
  if (fstat(STDOUT_FILENO, &file) != 0 || file.st_size == 0) return "";
  std::string text = tail_of(STDOUT_FILENO, kMostPrinted);
  return ftruncate(STDOUT_FILENO, 0) == 0 ? text : "";
}

void Service::check(Reader& request) {
  const auto count = request.take<std::uint32_t>();
  Case test;
  double unsaid = 0;
  std::uint32_t made = 0;
  for (std::uint32_t i = 0; i < count; ++i) {
    if (i > 0 && progress_.enough.load(std::memory_order_relaxed)) break;
    const Property& property = properties()[request.take<std::uint32_t>()];
    if (!request.take<bool>()) test = request.take<Case>();
    progress_.begun.store(i + 1, std::memory_order_relaxed);
    const Check check{&property, &test};
    const Answer answer = examiner_->check({&check, 1}).front();
    const std::string text = printed();
    progress_.ended.store(i + 1, std::memory_order_relaxed);
    made = i + 1;
    if (answer.verdict.held && answer.verdict.checked && answer.notes.empty() &&
        answer.verdict.worst_fraction == 0 && answer.seconds < kWorthSaying && text.empty()) {
      unsaid += answer.seconds;
      continue;
    }
    out_.clear();
    out_(Reply::answer, i, answer.verdict, text, answer.seconds, answer.notes);
    reply();
  }
  struct stat errors {};
  if (fstat(STDERR_FILENO, &errors) == 0 && errors.st_size > kMostErrors &&
      ftruncate(STDERR_FILENO, 0) != 0)
    return;
  out_.clear();
  out_(Reply::done, made, unsaid, examiner_->take_kernel_uses());
  reply();
}

bool Service::take(Reader request) {
  switch (request.take<Request>()) {
    case Request::use: {
      const std::string wrong = use(request);
      out_.clear();
      out_(wrong, wrong.empty() ? examiner_->operators() : std::vector<ref::Operator>(),
           wrong.empty() ? examiner_->functions() : Functions{0},
           wrong.empty() ? examiner_->provision() : Provision{},
           wrong.empty() ? examiner_->profile().text : std::string(),
           wrong.empty() ? examiner_->profile().file : std::string());
      reply();
      return wrong.empty();
    }
    case Request::start: start(request); return true;
    case Request::check: try { check(request);
      } catch (const OwnMemory&) {
        out_.clear();
        out_(Reply::no_memory);
        reply();
      } catch (const HostError& e) {
        out_.clear();
        out_(Reply::host, std::string(e.what()));
        reply();
      }
      return true;
    case Request::choices: {
      const Choices choices = examiner_->choices();
      out_.clear();
      out_(choices);
      reply();
      return true;
    }
    case Request::kernels_for: {
      const auto cases = request.take<std::vector<Case>>();
      const std::vector<std::string> kernels =
          examiner_->kernels_for(cases, request.take<std::string>());
      out_.clear();
      out_(kernels);
      reply();
      return true;
    }
    case Request::look_at: {
      const Property& property = properties()[request.take<std::uint32_t>()];
      const auto test = request.take<Case>();
      note_call("");
      const Look look = examiner_->look_at({&property, &test});
      printed();  // belongs to no check
      out_.clear();
      out_(look.verdict, look.calls.picture, look.calls.made);
      reply();
      return true;
    }
    case Request::attempt_with: {
      const Property& property = properties()[request.take<std::uint32_t>()];
      const auto test = request.take<Case>();
      const Verdict verdict =
          examiner_->attempt_with({&property, &test}, request.take<profiles::Some>());
      printed();  // belongs to no check
      out_.clear();
      out_(verdict);
      reply();
      return true;
    }
    case Request::outputs: {
      const std::vector<ref::Dense> outputs = examiner_->outputs(request.take<Case>());
      out_.clear();
      out_(outputs);
      reply();
      return true;
    }
  }
  return false;
}

}  // namespace

int serve_as_worker(int parent) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) return 2;  // it died before the line above
  const rlimit no_core{0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
  fcntl(kWorkerSocket, F_SETFD, FD_CLOEXEC);
  fcntl(kWorkerProgress, F_SETFD, FD_CLOEXEC);
  use_probe_program("/proc/self/exe");
  // What a library prints before it crashes must not be lost in a buffer.
  std::setvbuf(stdout, nullptr, _IONBF, 0);
  // Never unmapped: the library's threads may be at work until the very end.
  static const SharedProgress progress(kWorkerProgress);
  keep_step_in(progress->step, progress->steps);
  keep_call_in(progress->call);
  keep_access_in(progress->access);
  std::set_new_handler(on_no_memory);
  Service service(*progress);
  while (const std::optional<std::string> message = receive_message(kWorkerSocket)) {
    if (!service.take(Reader(*message))) break;
  }
  return 0;
}

}  // namespace gradproof::props
