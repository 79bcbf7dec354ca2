// Reads the words, lists and names of a profile's JSON, with errors that name file, line and
// member.
#pragma once

#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "props/profiles/json_lines.h"

namespace gradproof::profiles {

/// One file's values. Each function throws InputError "FILE:LINE: MEMBER: …".
class Words {
 public:
  explicit Words(const std::string& file) : file_(file) {}

  [[noreturn]] void fail(const Value& at, const std::string& message) const {
    profiles::fail(file_, at, message);
  }
  /// That `object` is one, has no member beyond `known`, and all of `needed`.
  void members(const Value& object, std::span<const std::string_view> known,
               std::initializer_list<std::string_view> needed) const;
  const std::string& text(const Value& value) const;  ///< not empty
  bool flag(const Value& value) const;
  std::int64_t whole(const Value& value) const;
  /// The place of a word among the known ones; the error suggests one.
  std::size_t one_of(const Value& value, const std::string& what,
                     std::span<const std::string_view> known) const;
  /// The items of a list, or the one value that stands for a list of one. Not empty.
  std::vector<const Value*> list(const Value& value) const;

 private:
  const std::string& file_;
};

/// The stems of all operators, the names of all products, the ids of all rules, ….
std::vector<std::string_view> operator_names();
std::vector<std::string_view> product_names();
std::vector<std::string_view> rule_names();
std::vector<std::string_view> argument_names();
std::vector<std::string_view> misuse_names();
/// The members of `when`.
std::span<const std::string_view> predicate_members();

}  // namespace gradproof::profiles
