// A program that forks while other threads are inside functions that take locks: memory, events,
// contexts, calls, options, aclInit. The child, where those threads are not, can call them, too.
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <initializer_list>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "gradproof/config.h"
#include "props/services/beside_fork.h"
#include "props/services/made_call.h"
#include "props/services/questions.h"
#include "props/services/surroundings.h"
#include "props/subject/capture.h"

namespace gradproof::props {
namespace {

constexpr int kChildren = 12;

const char kDone = 0;

/// What leaves no object behind.
DoneBesideFork done(const std::string& what, const std::function<bool(int thread)>& act) {
  return {what, [=](int thread) { return act(thread) ? &kDone : nullptr; },
          [](const void*) { return true; }};
}

/// A call for each thread. The child has one that a thread of the parent makes.
class Calls {
 public:
  explicit Calls(const Library& library) {
    const Case c = small_case(library);
    for (int t = 0; t < DoneBesideFork::kThreads; ++t)
      all_.push_back(std::make_unique<MadeCall>(c, library));
  }
  MadeCall& of(int thread) const { return *all_[static_cast<std::size_t>(thread) % all_.size()]; }

 private:
  std::vector<std::unique_ptr<MadeCall>> all_;
};

DoneBesideFork memory(const Library& library) {
  GRADPROOF_FIND(allocate, aclrtMalloc);
  GRADPROOF_FIND(release, aclrtFree);
  return done("allocates device memory and frees it", [=](int) {
    void* data = nullptr;
    return allocate(&data, 64, ACL_MEM_MALLOC_HUGE_FIRST) == 0 && release(data) == 0;
  });
}

/// Of a kind that programs know as void*.
DoneBesideFork opaque(const std::string& kind, const std::function<std::int32_t(void**)>& create,
                      const std::function<std::int32_t(void*)>& destroy) {
  return makes_and_destroys(
      kind,
      [=]() -> const void* {
        void* made = nullptr;
        return create(&made) == 0 ? made : nullptr;
      },
      [=](const void* made) { return destroy(const_cast<void*>(made)) == 0; });
}

DoneBesideFork events(const Library& library) {
  GRADPROOF_FIND(create, aclrtCreateEvent);
  GRADPROOF_FIND(destroy, aclrtDestroyEvent);
  return opaque("aclrtEvent", create, destroy);
}

DoneBesideFork contexts(const Library& library) {
  GRADPROOF_FIND(create, aclrtCreateContext);
  GRADPROOF_FIND(destroy, aclrtDestroyContext);
  return opaque(
      "aclrtContext", [=](void** made) { return create(made, 0); }, destroy);
}

DoneBesideFork executors(const Library& library) {
  GRADPROOF_FIND(destroy, aclDestroyAclOpExecutor);
  const auto calls = std::make_shared<const Calls>(library);
  return {"plans a call and destroys its executor",
          [=](int thread) -> const void* {
            MadeCall& call = calls->of(thread);
            return call.plan() == 0 ? call.executor() : nullptr;
          },
          [=](const void* executor) {
            return destroy(static_cast<aclOpExecutor*>(const_cast<void*>(executor))) == 0;
          }};
}

DoneBesideFork whole_calls(const Library& library) {
  const auto calls = std::make_shared<const Calls>(library);
  return done("makes a call", [=](int thread) { return calls->of(thread).complete(nullptr) == 0; });
}

DoneBesideFork refused_init(const Library& library) {
  GRADPROOF_FIND(initialize, aclInit);
  return done("calls aclInit again, which is refused",
              [=](int) { return initialize(nullptr) != 0; });
}

/// Of what a library has functions for.
void ask(BesideFork& beside, const Library& library,
         std::initializer_list<DoneBesideFork (*)(const Library&)> all) {
  for (const auto of : all) {
    try {
      beside.ask(of(library));
    } catch (const Missing&) {  // not asked about that
    }
  }
}

/// An option of libgradproof that has a value until the end.
class OptionSet {
 public:
  OptionSet(const Library& library, const char* key, const char* value)
      : set_(function<decltype(gradproof_set_option)>(library, "gradproof_set_option")), key_(key) {
    if (set_(key, value) != 0) throw NotAsked{std::string("the option is refused: ") + key};
  }
  ~OptionSet() { (void)set_(key_, nullptr); }
  OptionSet(const OptionSet&) = delete;
  OptionSet& operator=(const OptionSet&) = delete;

 private:
  decltype(&gradproof_set_option) set_;
  const char* key_;
};

/// What only libgradproof has: options, and what they switch on.
void ask_options(BesideFork& beside, const Library& library) {
  GRADPROOF_FIND(set, gradproof_set_option);
  GRADPROOF_FIND(set_log, gradproof_set_log);
  beside.ask(done("sets an option", [=](int) {
    return set("queue_limit", "1000") == 0 && set("queue_limit", nullptr) == 0;
  }));
  {
    const TemporaryFolder folder;
    const std::string file = folder.path() / "trace-%p.json";
    const OptionSet trace(library, "trace", file.c_str());
    beside.ask(whole_calls(library));
    beside.ask(done("names a trace", [=](int) { return set("trace", file.c_str()) == 0; }));
  }
  {
    Capture said(stderr);  // a processor may lack what strict mode would use
    const OptionSet strict(library, "strict", "1");
    ask(beside, library, {memory, executors, whole_calls});
  }
  const OptionSet log(library, "log", "debug");
  static constexpr auto kTakesTime = [](std::int32_t, const char*, void*) {
    std::this_thread::sleep_for(std::chrono::microseconds(20));
  };
  const auto calls = std::make_shared<const Calls>(library);
  beside.ask(done("replaces the function of the log", [=](int thread) {
    if (thread == DoneBesideFork::kChild) return set_log(kTakesTime, nullptr) == 0;
    return calls->of(thread).complete(nullptr) == 0;
  }));
  (void)set_log(nullptr, nullptr);
}

}  // namespace

void probe_locks_after_fork(Answers& is, const Library& library) {
  BesideFork beside(is, kChildren);
  ask(beside, library, {memory, events, contexts, executors, whole_calls, refused_init});
  if (is.first().empty()) ask_options(beside, library);
}

}  // namespace gradproof::props
