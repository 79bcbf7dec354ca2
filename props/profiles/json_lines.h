// JSON that knows where it was written: every value with its line, so that an error can name it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace gradproof::profiles {

struct Value {
  enum class Kind { null, boolean, number, text, array, object };
  Kind kind = Kind::null;
  int line = 0;
  std::string name;  ///< in the object that it is a member of
  std::string path;  ///< "entries[2].when.operator"; "" for the whole
  bool boolean = false;
  double number = 0;
  std::string text;
  std::vector<Value> items;    ///< of an array
  std::vector<Value> members;  ///< of an object, as written

  /// Null if the object has no such member.
  const Value* find(std::string_view member) const;
};

/// Throws InputError "FILE:LINE: …" for what is no JSON, and for a member that is given twice.
Value parse_json(std::string_view text, const std::string& file);

/// Throws InputError "FILE:LINE: MEMBER: …".
[[noreturn]] void fail(const std::string& file, const Value& at, const std::string& message);

}  // namespace gradproof::profiles
