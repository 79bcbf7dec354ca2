// What a library's functions do in a child of fork() while threads of the parent are inside them.
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include "props/services/answers.h"

namespace gradproof::props {

/// Something that threads do again and again, and the child once.
struct DoneBesideFork {
  static constexpr int kThreads = 4;  ///< so many that a lock is often taken
  static constexpr int kChild = kThreads;

  std::string what;  ///< "makes an aclIntArray and destroys it"
  /// `thread`: from 0 on, or kChild. Null: it failed.
  std::function<const void*(int thread)> make;
  /// What threads of the parent made stays: places of destroyed objects could be taken again
  /// without a lock.
  std::function<bool(const void*)> destroy;
};

inline DoneBesideFork makes_and_destroys(const std::string& kind,
                                         const std::function<const void*()>& make,
                                         const std::function<bool(const void*)>& destroy) {
  return {"makes an " + kind + " and destroys it", [=](int) { return make(); }, destroy};
}

/// Asks about such things, until the time that a process has for all of it is over.
class BesideFork {
 public:
  /// With so many children for each.
  BesideFork(Answers& is, int children) : is_(is), children_(children) {}
  /// Nothing is asked of what fails without a fork.
  void ask(const DoneBesideFork& one);
  void ask(const std::vector<DoneBesideFork>& all) {
    for (const DoneBesideFork& one : all) ask(one);
  }

 private:
  Answers& is_;
  const int children_;
  const std::chrono::steady_clock::time_point until_ = std::chrono::steady_clock::now() + kTime;
  static constexpr auto kTime = std::chrono::seconds(2);  // a process is given 5 s
};

}  // namespace gradproof::props
