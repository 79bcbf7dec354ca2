// Checks of a library, and the first one that failed.
#pragma once

#include <string>

#include "props/subject/library.h"

namespace gradproof::props {

/// A function that the library does not have.
struct Missing {};

template <class F>
F* function(const Library& library, const char* name) {
  void* const found = library.symbol(name);
  if (found == nullptr) throw Missing();
  return reinterpret_cast<F*>(found);
}
/// `local` is the library's function `name`.
#define GRADPROOF_FIND(local, name) auto* const local = function<decltype(::name)>(library, #name)
/// The same as a member of a class that has `library` as one before it.
#define GRADPROOF_FIND_MEMBER(member, name) \
  decltype(&::name) member = function<decltype(::name)>(library, #name)

class Answers {
 public:
  /// A status that must be one number.
  void status(const std::string& question, std::int64_t got, std::int64_t wanted) {
    if (got != wanted)
      note(question + " returned " + std::to_string(got) + ", expected " + std::to_string(wanted));
  }
  /// Anything else that must hold.
  void that(const std::string& statement, bool holds) {
    if (!holds) note("does not hold: " + statement);
  }
  /// What is wrong, in words of its own.
  void note(const std::string& finding) {
    if (first_.empty()) first_ = finding;
  }
  std::string first() const { return first_; }

 private:
  std::string first_;
};

}  // namespace gradproof::props
