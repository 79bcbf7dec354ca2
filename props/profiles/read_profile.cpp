// Reads a profile's JSON.
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>

#include "props/cases/input_error.h"
#include "props/cases/listed.h"
#include "props/profiles/profile.h"
#include "props/profiles/shipped.h"
#include "props/profiles/words.h"
#include "ref/element.h"

namespace gradproof::profiles {
namespace {

class Reader {
 public:
  explicit Reader(const std::string& file) : file_(file), words_(file) {}

  Profile read(std::string_view text) {
    const Value root = parse_json(text, file_);
    static constexpr std::string_view kMembers[] = {"$schema", "profile",  "says",
                                                    "extends", "promises", "entries"};
    words_.members(root, kMembers, {"profile", "says", "entries"});
    Profile profile;
    if (const Value* base = root.find("extends")) profile = extended(*base);
    profile.file = file_;
    profile.text = text;
    profile.name = words_.text(*root.find("profile"));
    profile.says = words_.text(*root.find("says"));
    if (const Value* promised = root.find("promises")) {
      for (std::string& promise : promises_of(*promised))
        profile.promised.push_back(std::move(promise));
    }
    const Value& entries = *root.find("entries");
    if (entries.kind != Value::Kind::array) words_.fail(entries, "must be a list");
    for (const Value& entry : entries.items) {
      profile.entries.push_back(read_entry(entry));
      for (std::size_t i = 0; i + 1 < profile.entries.size(); ++i) {
        if (profile.entries[i].id == profile.entries.back().id)
          words_.fail(*entry.find("id"), "another entry has the same id");
      }
    }
    for (const Value& entry : entries.items) demand_ids(entry, profile.entries);
    return profile;
  }

 private:
  /// A shipped profile, to which this one adds.
  Profile extended(const Value& value) {
    const std::vector<std::string_view> known = shipped_profiles();
    const std::string name(known[words_.one_of(value, "a shipped profile", known)]);
    return Reader(name + ".json").read(shipped(name));
  }

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

  /// That the entries which it wins over are there.
  void demand_ids(const Value& entry, const std::vector<Entry>& entries) {
    const Value* const over = entry.find("over");
    if (over == nullptr) return;
    std::vector<std::string_view> ids;
    for (const Entry& one : entries) ids.push_back(one.id);
    for (const Value* id : words_.list(*over)) words_.one_of(*id, "the id of an entry", ids);
  }

  Entry read_entry(const Value& value) {
    static constexpr std::string_view kMembers[] = {"id",     "when",   "then", "reason",
                                                    "source", "varies", "over"};
    words_.members(value, kMembers, {"id", "when", "then", "reason", "source"});
    Entry entry;
    entry.file = file_;
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
    if (const Value* over = value.find("over")) {
      for (const Value* id : words_.list(*over)) entry.over.push_back(words_.text(*id));
    }
    read_effect(*value.find("then"), entry);
    if (entry.kind == Kind::status && entry.when.rules.empty() && !entry.when.condition)
      words_.fail(*value.find("when"),
                  "'status' needs 'rule' or 'if', or it would apply to every call");
    const bool of_rule = !entry.when.rules.empty() || entry.when.condition;
    if (entry.kind == Kind::phase2 && entry.when.misuses.empty() && !of_rule)
      words_.fail(*value.find("when"), "'phase2' needs 'misuse', 'rule' or 'if'");
    const bool of_data = !entry.when.data.empty();
    if (of_data && entry.kind != Kind::untested)
      words_.fail(*value.find("when"), "only 'untested' may depend on data");
    return entry;
  }

  void read_effect(const Value& then, Entry& entry) {
    std::vector<std::string_view> known;
    for (const KindRow& row : kinds()) known.push_back(row.name);
    words_.members(then, known, {});
    if (then.members.size() != 1) words_.fail(then, "must have exactly one member");
    const Value& value = then.members.front();
    const auto at = std::find(known.begin(), known.end(), value.name) - known.begin();
    entry.kind = static_cast<Kind>(at);
    read_value(value, kinds()[static_cast<std::size_t>(at)], entry);
  }

  void read_value(const Value& value, const KindRow& row, Entry& entry) {
    if (row.flag) {
      if (!words_.flag(value)) words_.fail(value, "must be true");
    } else if (row.list) {
      for (const Value* item : words_.list(value))
        entry.depends_on.insert(static_cast<Dependence>(
            words_.one_of(*item, "a known cause of different bits", row.words)));
    } else if (row.words.empty() || (row.number && value.kind == Value::Kind::number)) {
      entry.number = words_.whole(value);
    } else {
      entry.word = row.words[words_.one_of(value, "a value of this member", row.words)];
      if (entry.kind == Kind::accumulation || entry.kind == Kind::coordinates)
        entry.number = *ref::dtype_from_name(entry.word);
      if (entry.kind == Kind::ties || entry.kind == Kind::nans)
        entry.winner = entry.word == "last" ? ref::Winner::last : ref::Winner::any;
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
  return {"documented", "gradproof", "cann", "gradproof-cann", "float-coordinates"};
}

Profile find_profile(const std::string& name_or_file) {
  for (const std::string_view name : shipped_profiles()) {
    if (name == name_or_file) return parse_profile(shipped(name), name_or_file);
  }
  std::error_code none;
  if (std::filesystem::is_directory(name_or_file, none))
    throw props::InputError("profile '" + name_or_file + "' is a folder, must be a file");
  std::ifstream file(name_or_file);
  if (!file && std::filesystem::exists(name_or_file, none))
    throw props::InputError("profile '" + name_or_file + "': " + std::strerror(errno));
  if (!file) {
    throw props::InputError("no profile or file is called '" + name_or_file +
                            "'; shipped profiles: " + props::listed(shipped_profiles()));
  }
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  return parse_profile(text, name_or_file);
}

}  // namespace gradproof::profiles
