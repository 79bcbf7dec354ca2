// A program that forks while other threads make and destroy arrays, scalars and lists: the
// child, where those threads are not, can make them, too.
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "gradproof/descriptors.h"
#include "props/services/ended.h"
#include "props/services/questions.h"

namespace gradproof::props {
namespace {

constexpr int kChildren = 24;  // of a kind
/// So many that a lock is often taken.
constexpr int kThreads = 4;
constexpr int kObjects = 1 << 12;  // of a thread and child
constexpr unsigned kMostSeconds = 2;

/// Objects that programs make.
struct Kind {
  std::string name;
  std::function<const void*()> make;
  std::function<bool(const void*)> destroy;

  bool make_and_destroy() const {
    const void* const made = make();
    return made != nullptr && destroy(made);
  }
};

template <class Object>
std::function<bool(const void*)> by(aclnnStatus (*destroy)(const Object*)) {
  return
      [=](const void* made) { return destroy(static_cast<const Object*>(made)) == ACLNN_SUCCESS; };
}

std::vector<Kind> kinds(const Library& library) {
  GRADPROOF_FIND(create_ints, aclCreateIntArray);
  GRADPROOF_FIND(destroy_ints, aclDestroyIntArray);
  GRADPROOF_FIND(create_floats, aclCreateFloatArray);
  GRADPROOF_FIND(destroy_floats, aclDestroyFloatArray);
  GRADPROOF_FIND(create_bools, aclCreateBoolArray);
  GRADPROOF_FIND(destroy_bools, aclDestroyBoolArray);
  GRADPROOF_FIND(create_tensor, aclCreateTensor);
  GRADPROOF_FIND(create_tensors, aclCreateTensorList);
  GRADPROOF_FIND(destroy_tensors, aclDestroyTensorList);
  GRADPROOF_FIND(create_scalar, aclCreateScalar);
  GRADPROOF_FIND(destroy_scalar, aclDestroyScalar);
  GRADPROOF_FIND(create_scalars, aclCreateScalarList);
  GRADPROOF_FIND(destroy_scalars, aclDestroyScalarList);
  const auto scalar = [=] {
    float one = 1;
    return create_scalar(&one, ACL_FLOAT);
  };
  const auto scalars = [=] {  // destroyed with what is in it
    const aclScalar* const made = scalar();
    return create_scalars(&made, 1);
  };
  const auto tensors = [=] {
    const std::int64_t extent = 1, stride = 1;
    float data = 0;
    const aclTensor* const made =
        create_tensor(&extent, 1, ACL_FLOAT, &stride, 0, ACL_FORMAT_ND, &extent, 1, &data);
    return create_tensors(&made, 1);
  };
  static constexpr std::int64_t kInt = 1;
  static constexpr float kFloat = 1;
  static constexpr bool kBool = true;
  return {{"aclIntArray", [=] { return create_ints(&kInt, 1); }, by(destroy_ints)},
          {"aclFloatArray", [=] { return create_floats(&kFloat, 1); }, by(destroy_floats)},
          {"aclBoolArray", [=] { return create_bools(&kBool, 1); }, by(destroy_bools)},
          {"aclScalar", scalar, by(destroy_scalar)},
          {"aclScalarList", scalars, by(destroy_scalars)},
          {"aclTensorList", tensors, by(destroy_tensors)}};
}

/// Forks while threads make objects, which they add to `made`.
pid_t fork_amid(const Kind& kind, std::vector<const void*> (&made)[kThreads]) {
  std::atomic<bool> forked{false};   // the rest is not needed, and takes seconds in strict mode
  std::vector<std::jthread> others;  // joined, if no more can be started, too
  for (std::vector<const void*>& of_thread : made) {
    others.emplace_back([&] {
      for (int i = 0; i < kObjects && !forked; ++i) of_thread.push_back(kind.make());
    });
  }
  std::this_thread::sleep_for(std::chrono::microseconds(100));
  const pid_t child = fork();
  if (child == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    alarm(kMostSeconds);
    std::_Exit(kind.make_and_destroy() ? 0 : 1);
  }
  forked = true;
  return child;
}

void ask_kind(Answers& is, const Kind& kind) {
  if (!kind.make_and_destroy()) throw NotAsked{"an " + kind.name + " cannot be made"};
  // They stay to the end: places of destroyed objects could be taken again without a lock.
  std::vector<const void*> made[kThreads];
  for (std::vector<const void*>& of_thread : made) of_thread.reserve(kChildren * kObjects);
  for (int i = 0; i < kChildren && is.first().empty(); ++i) {
    const pid_t child = fork_amid(kind, made);
    if (child < 0) break;
    int status = 0;
    const std::string end = end_of(child, &status);
    is.that("a child of fork() makes an " + kind.name +
                " and destroys it, while threads of the parent do so" +
                (end.empty() ? "" : ": it " + end),
            end.empty() && WIFEXITED(status) && WEXITSTATUS(status) == 0);
  }
  for (const std::vector<const void*>& of_thread : made) {
    for (const void* object : of_thread) (void)kind.destroy(object);
  }
}

}  // namespace

void probe_handles_after_fork(Answers& is, const Library& library) {
  for (const Kind& kind : kinds(library)) {
    ask_kind(is, kind);
    if (!is.first().empty()) return;
  }
}

}  // namespace gradproof::props
