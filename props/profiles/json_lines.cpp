// The events of nlohmann's parser, with the line that each was read at.
#include "props/profiles/json_lines.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <nlohmann/json.hpp>

#include "props/cases/input_error.h"
#include "props/cases/json_reason.h"

namespace gradproof::profiles {
namespace {

/// Characters of the text; the line of the last one that was read is kept outside, since the parser
/// copies its iterators.
class Reading {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  Reading(const char* at, int* line) : at_(at), line_(line) {}
  reference operator*() const { return *at_; }
  Reading& operator++() {
    // The line ends with what follows the '\n': a number is read up to the character behind it.
    if (after_newline_) ++*line_;
    after_newline_ = *at_++ == '\n';
    return *this;
  }
  Reading operator++(int) {
    Reading before = *this;
    ++*this;
    return before;
  }
  friend bool operator==(const Reading& a, const Reading& b) { return a.at_ == b.at_; }
  friend bool operator!=(const Reading& a, const Reading& b) { return a.at_ != b.at_; }

 private:
  const char* at_;
  int* line_;
  bool after_newline_ = false;
};

/// Builds the tree. What nlohmann finds wrong comes through parse_error.
class Builder {
 public:
  Builder(const std::string& file, const int* line) : file_(file), line_(line) {}

  Value root;

  bool null() { return put(Value::Kind::null) != nullptr; }
  bool boolean(bool value) {
    put(Value::Kind::boolean)->boolean = value;
    return true;
  }
  bool number_integer(std::int64_t value) { return number(static_cast<double>(value)); }
  bool number_unsigned(std::uint64_t value) { return number(static_cast<double>(value)); }
  bool number_float(double value, const std::string&) { return number(value); }
  bool string(std::string& value) {
    put(Value::Kind::text)->text = value;
    return true;
  }
  bool binary(nlohmann::json::binary_t&) { return false; }
  bool start_object(std::size_t) { return open(Value::Kind::object); }
  bool key(std::string& name) {
    Value& object = *open_.back();
    if (object.find(name) != nullptr) {
      Value at = object;
      at.line = *line_;
      at.path = member_path(object.path, name);
      fail(file_, at, "is given twice");
    }
    object.members.emplace_back().name = name;
    return true;
  }
  bool end_object() { return close(); }
  bool start_array(std::size_t) { return open(Value::Kind::array); }
  bool end_array() { return close(); }
  bool parse_error(std::size_t, const std::string&, const nlohmann::json::exception& e) {
    throw props::InputError(file_ + ":" + std::to_string(*line_) +
                            ": not JSON: " + props::placed_json_reason(e.what()));
  }

 private:
  static std::string member_path(const std::string& path, const std::string& name) {
    return path.empty() ? name : path + "." + name;
  }
  bool number(double value) {
    put(Value::Kind::number)->number = value;
    return true;
  }
  Value* put(Value::Kind kind) {
    Value* place = &root;
    std::string path;
    if (!open_.empty()) {
      Value& parent = *open_.back();
      if (parent.kind == Value::Kind::array) {
        path = parent.path + "[" + std::to_string(parent.items.size()) + "]";
        place = &parent.items.emplace_back();
      } else {
        path = member_path(parent.path, parent.members.back().name);
        place = &parent.members.back();
      }
    }
    place->kind = kind;
    place->line = *line_;
    place->path = path;
    return place;
  }
  bool open(Value::Kind kind) {
    open_.push_back(put(kind));
    return true;
  }
  bool close() {
    open_.pop_back();
    return true;
  }

  const std::string& file_;
  const int* line_;
  /// A parent does not grow while a child is open, so these stay good.
  std::vector<Value*> open_;
};

}  // namespace

const Value* Value::find(std::string_view member) const {
  const auto found = std::find_if(members.begin(), members.end(),
                                  [&](const auto& entry) { return entry.name == member; });
  return found == members.end() ? nullptr : &*found;
}

Value parse_json(std::string_view text, const std::string& file) {
  int line = 1;
  Builder builder(file, &line);
  const char* end = text.data() + text.size();
  nlohmann::json::sax_parse(Reading(text.data(), &line), Reading(end, &line), &builder);
  return std::move(builder.root);
}

void fail(const std::string& file, const Value& at, const std::string& message) {
  throw props::InputError(file + ":" + std::to_string(at.line) + ": " +
                          (at.path.empty() ? "" : at.path + ": ") + message);
}

}  // namespace gradproof::profiles
