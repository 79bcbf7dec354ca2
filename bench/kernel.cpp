// Which kernel a library chooses for a problem. The API does not tell, the log does
// (docs/diagnosis.md).
#include <cstdlib>
#include <optional>

#include "bench/contestant.h"
#include "props/subject/capture.h"

namespace gradproof::bench {
namespace {

/// An environment variable that has another value for a while.
class Setting {
 public:
  Setting(const char* name, const char* value) : name_(name) {
    if (const char* before = std::getenv(name)) before_ = before;
    setenv(name, value, 1);
  }
  ~Setting() {
    if (before_) {
      setenv(name_, before_->c_str(), 1);
    } else {
      unsetenv(name_);
    }
  }
  Setting(const Setting&) = delete;
  Setting& operator=(const Setting&) = delete;

 private:
  const char* name_;
  std::optional<std::string> before_;
};

}  // namespace

std::string chosen_kernel(props::Session& session, const Problem& problem) {
  const ref::Product product = session.product();
  const int threads = session.threads();
  std::string log;
  {
    const Setting setting("GRADPROOF_LOG", "info");
    session.select(product,
                   threads + 1);  // another number: only a new aclInit reads the environment
    const std::unique_ptr<Contestant> contestant =
        make_gradproof(session, std::make_shared<Tensors>(problem));
    props::Capture capture(stderr);
    contestant->run();
    log = capture.text();
  }
  session.select(product, threads);
  constexpr std::string_view kBegin = ": kernel ", kEnd = ", instruction set ";
  const std::size_t begin = log.find(kBegin);
  const std::size_t end = log.find(kEnd, begin);
  if (end == std::string::npos) return "";
  return log.substr(begin + kBegin.size(), end - begin - kBegin.size());
}

}  // namespace gradproof::bench
