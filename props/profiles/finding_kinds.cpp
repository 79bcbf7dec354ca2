// The table of the kinds of findings.
#include "props/profiles/finding_kinds.h"

#include <algorithm>
#include <array>

#include "props/cases/command.h"
#include "props/profiles/words.h"

namespace gradproof::profiles {
namespace {

struct Row {
  std::string_view kind;
  Gravity gravity = Gravity::other;
};

/// Where the findings of a property or of a group of questions (props/properties/services.cpp) have
/// one kind, it has their name.
constexpr Row kKinds[] = {
    {"trespass", Gravity::memory},
    {"sequence memory", Gravity::memory},
    {"crash", Gravity::memory},
    {"exit", Gravity::memory},
    {"hang", Gravity::hang},
    {"exception", Gravity::kernel_failed},
    {"values", Gravity::wrong_result},
    {"sum", Gravity::wrong_result},
    {"transpose", Gravity::wrong_result},
    {"reach", Gravity::wrong_result},
    {"bits", Gravity::wrong_result},
    {"repeat", Gravity::wrong_result},
    {"scales", Gravity::wrong_result},
    {"position", Gravity::wrong_result},
    {"positions", Gravity::wrong_result},
    {"mask positions", Gravity::wrong_result},
    {"nothing", Gravity::wrong_result},
    {"sequence bits", Gravity::wrong_result},
    {"sequence values", Gravity::wrong_result},
    {"status", Gravity::wrong_status},
    {"outputs of phase 1", Gravity::wrong_status},
    {"phase 2", Gravity::wrong_status},
    {"early destruction", Gravity::wrong_status},
    {"synchronisation", Gravity::wrong_status},
    {"bad index", Gravity::wrong_status},
    {"null data", Gravity::wrong_status},
    {"bad index message"},
    {"message"},
    {"leak"},
    {"stdout"},
    {"runtime"},
    {"start"},
    {"profile"},
    {"plan"},
    {"kernel"},
    {"version"},
    {"operator library"},
    {"memory"},
    {"descriptors"},
    {"arguments"},
    {"lists"},
    {"device"},
    {"streams"},
    {"work in hand"},
    {"shared stream"},
    {"workspace"},
    {"moved result"},
    {"numbers"},
    {"allocator"},
    {"options"},
    {"log"},
    {"statistics"},
    {"kernels"},
    {"kernel of the program"},
    {"configuration"},
    {"diagnosis"},
    {"observation"},
    {"process"},
    {"threads"},
    {"full queues"},
};

const Row* row_of(std::string_view kind) {
  const auto row = std::ranges::find(kKinds, kind, &Row::kind);
  return row == std::end(kKinds) ? nullptr : row;
}

/// "status RULE", "message RULE", "misuse NAME", "sequence ACTION".
bool is_compound(const std::string& kind) {
  const std::size_t space = kind.find(' ');
  if (space == std::string::npos) return false;
  const std::string first = kind.substr(0, space), rest = kind.substr(space + 1);
  std::vector<std::string_view> known;
  if (first == "status" || first == "message") known = rule_names();
  if (first == "status") known.push_back("valid");
  if (first == "misuse") known = misuse_names();
  if (first == "sequence") {
    for (int i = 0; i < props::kActions; ++i)
      known.push_back(props::name(static_cast<props::Action>(i)));
  }
  return std::ranges::find(known, rest) != known.end();
}

}  // namespace

std::string_view name(Gravity gravity) {
  constexpr std::array<std::string_view, 6> kNames{
      "memory or crash", "hang", "kernel failed", "wrong result", "wrong status", "other"};
  return kNames.at(static_cast<std::size_t>(gravity));
}

Gravity gravity_of(std::string_view kind) {
  if (const Row* row = row_of(kind)) return row->gravity;
  if (kind.starts_with("status ") || kind.starts_with("misuse ")) return Gravity::wrong_status;
  if (kind.starts_with("message ") || kind.starts_with("sequence ")) return Gravity::other;
  return Gravity::wrong_result;
}

bool is_kind(const std::string& kind) { return row_of(kind) != nullptr || is_compound(kind); }

std::vector<std::string_view> kinds_of_one_word() {
  std::vector<std::string_view> all;
  for (const Row& row : kKinds) all.push_back(row.kind);
  return all;
}

bool is_damage(std::string_view kind) { return kind == "trespass" || kind == "sequence memory"; }

bool is_loss(std::string_view kind) { return kind == "crash" || kind == "hang" || kind == "exit"; }

bool is_of_each_kernel(std::string_view kind) { return kind == "bad index"; }

bool is_of_values(std::string_view kind) {
  return kind == "values" || kind == "sum" || kind == "transpose" || kind == "reach";
}

}  // namespace gradproof::profiles
