// Reads a profile's JSON.
#include <algorithm>
#include <fstream>
#include <iterator>

#include "props/cases/input_error.h"
#include "props/profiles/profile.h"
#include "props/profiles/shipped.h"
#include "props/profiles/words.h"

namespace gradproof::profiles {
namespace {

constexpr int kKindCount = static_cast<int>(Kind::mask) + 1;

class Reader {
 public:
  explicit Reader(const std::string& file) : file_(file), words_(file) {}

  Profile read(std::string_view text) {
    const Value root = parse_json(text, file_);
    static constexpr std::string_view kMembers[] = {"$schema", "profile", "says", "promises",
                                                    "entries"};
    words_.members(root, kMembers, {"profile", "says", "entries"});
    Profile profile;
    profile.file = file_;
    profile.text = text;
    profile.name = words_.text(*root.find("profile"));
    profile.says = words_.text(*root.find("says"));
    if (const Value* promised = root.find("promises")) profile.promised = promises_of(*promised);
    const Value& entries = *root.find("entries");
    if (entries.kind != Value::Kind::array) words_.fail(entries, "must be a list");
    for (const Value& entry : entries.items) {
      profile.entries.push_back(read_entry(entry));
      for (std::size_t i = 0; i + 1 < profile.entries.size(); ++i) {
        if (profile.entries[i].id == profile.entries.back().id)
          words_.fail(*entry.find("id"), "another entry has that id");
      }
    }
    return profile;
  }

 private:
  std::vector<std::string> promises_of(const Value& value) {
    std::vector<std::string> all;
    std::vector<std::string_view> known;
    for (const Promise& promise : promises()) {
      all.emplace_back(promise.name);
      known.push_back(promise.name);
    }
    if (value.kind == Value::Kind::text && value.text == "all") return all;
    if (value.kind != Value::Kind::array) words_.fail(value, "must be \"all\" or a list");
    std::vector<std::string> list;
    for (const Value& item : value.items)
      list.emplace_back(known[words_.one_of(item, "a promise", known)]);
    return list;
  }

  Entry read_entry(const Value& value) {
    static constexpr std::string_view kMembers[] = {"id",     "when",   "then",
                                                    "reason", "source", "varies"};
    words_.members(value, kMembers, {"id", "when", "then", "reason", "source"});
    Entry entry;
    entry.line = value.line;
    entry.id = words_.text(*value.find("id"));
    entry.when = parse_predicate(*value.find("when"), file_);
    entry.reason = words_.text(*value.find("reason"));
    const Value& source = *value.find("source");
    static constexpr std::string_view kSource[] = {"repository", "file", "function"};
    words_.members(source, kSource, {"repository", "file", "function"});
    entry.source = {words_.text(*source.find("repository")), words_.text(*source.find("file")),
                    words_.text(*source.find("function"))};
    if (const Value* varies = value.find("varies")) entry.varies = words_.flag(*varies);
    read_effect(*value.find("then"), entry);
    if (entry.kind == Kind::status && entry.when.rules.empty() && !entry.when.condition)
      words_.fail(*value.find("when"), "a status needs 'rule' or 'if': else it is every call's");
    if (entry.kind == Kind::phase2 && entry.when.misuses.empty())
      words_.fail(*value.find("when"), "'phase2' needs 'misuse'");
    const bool of_data = !entry.when.data.empty();
    if (of_data && entry.kind != Kind::untested)
      words_.fail(*value.find("when"), "only 'untested' may depend on data");
    return entry;
  }

  void read_effect(const Value& then, Entry& entry) {
    std::vector<std::string_view> known;
    for (int i = 0; i < kKindCount; ++i) known.push_back(name(static_cast<Kind>(i)));
    words_.members(then, known, {});
    if (then.members.size() != 1) words_.fail(then, "must have exactly one member");
    const auto& [member, value] = then.members.front();
    entry.kind = static_cast<Kind>(std::find(known.begin(), known.end(), member) - known.begin());
    read_value(value, entry);
  }

  void only(const Value& value, std::string_view word) {
    const std::string_view known[] = {word};
    words_.one_of(value, "a value of it", known);
  }

  void read_value(const Value& value, Entry& entry) {
    static constexpr std::string_view kWinners[] = {"first", "last", "any"};
    switch (entry.kind) {
      case Kind::absent:
      case Kind::untested:
        if (!words_.flag(value)) words_.fail(value, "must be true");
        break;
      case Kind::status:
      case Kind::phase2:
        entry.number = words_.whole(value);
        break;
      case Kind::coordinates:
        only(value, "FLOAT");
        break;
      case Kind::accumulation: {
        static constexpr std::string_view kTypes[] = {"FLOAT", "FLOAT16", "BF16"};
        static constexpr std::int32_t kNumbers[] = {ref::kFloat, ref::kFloat16, ref::kBf16};
        entry.number = kNumbers[words_.one_of(value, "a type of sums", kTypes)];
        break;
      }
      case Kind::bits:
        for (const Value* item : words_.list(value))
          entry.depends_on.insert(
              static_cast<Dependence>(words_.one_of(*item, "what bits depend on", kDependences)));
        break;
      case Kind::nan_bits:
        only(value, "any");
        break;
      case Kind::ties:
      case Kind::nans:
        entry.winner = static_cast<ref::Winner>(words_.one_of(value, "a winner", kWinners));
        if (entry.winner == ref::Winner::first) words_.fail(value, "'first' is what is documented");
        break;
      case Kind::subnormals:
        only(value, "flushed");
        break;
      case Kind::zero_times_infinity:
        only(value, "NaN");
        break;
      case Kind::out_of_window:
        only(value, "ignored");
        break;
      case Kind::out_of_range:
        if (value.kind == Value::Kind::number)
          entry.number = words_.whole(value);
        else
          only(value, "ignored");
        break;
      case Kind::mask:
        only(value, "INT32 positions");
        break;
    }
  }

  const std::string& file_;
  const Words words_;
};

/// What is not promised is not specified: entries that say so, as a file would.
Profile with_consequences(Profile profile) {
  const std::string file = "promises.json";
  std::vector<Entry> implied = Reader(file).read(shipped("promises")).entries;
  for (Entry& entry : implied) {
    const std::string promise = entry.id.substr(0, entry.id.find('/'));
    if (profile.promises(promise)) continue;
    entry.implied = true;
    profile.entries.push_back(std::move(entry));
  }
  return profile;
}

}  // namespace

Profile parse_profile(std::string_view text, const std::string& file) {
  Profile profile = Reader(file).read(text);
  demand_consistent(profile);
  return with_consequences(std::move(profile));
}

std::vector<std::string_view> shipped_profiles() {
  return {"documented", "gradproof", "float-coordinates"};
}

Profile find_profile(const std::string& name_or_file) {
  for (const std::string_view name : shipped_profiles()) {
    if (name == name_or_file) return parse_profile(shipped(name), name_or_file);
  }
  std::ifstream file(name_or_file);
  if (!file) {
    std::string known;
    for (const std::string_view name : shipped_profiles())
      known += (known.empty() ? "" : ", ") + std::string(name);
    throw props::InputError("no profile and no file is called '" + name_or_file +
                            "'; shipped profiles: " + known);
  }
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  return parse_profile(text, name_or_file);
}

}  // namespace gradproof::profiles
