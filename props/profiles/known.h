// Known findings: a list that silences what a library is known to do wrong, until it is fixed.
//
// docs/profiles.md describes the file. Damage to memory is never silenced, and a lost process only
// where the list names that loss ("crash", "hang", "exit").
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "props/cases/describe/features.h"
#include "props/profiles/predicate.h"

namespace gradproof::profiles {

struct Known {
  std::string kind;          ///< of the finding: "values", "status kernel-value", …
  std::string property;      ///< that found it; empty: any
  Predicate when;            ///< names one operator at least
  props::Features features;  ///< that a case has; empty: any case
  std::string reason;
  int line = 0;
  /// The calls in words: "replication_pad2d_backward with FLOAT16, ceil (property layout)".
  std::string calls() const;
  /// Whether both silence the same findings.
  bool silences_as(const Known& other) const;
};

class KnownList {
 public:
  KnownList() = default;
  /// `properties` are the names that "property" may have. Throws InputError "FILE:LINE: MEMBER: …".
  static KnownList read(const std::string& file, std::span<const std::string_view> properties);
  static KnownList parse(std::string_view text, const std::string& file,
                         std::span<const std::string_view> properties);

  bool empty() const { return list_.empty(); }
  const std::vector<Known>& list() const { return list_; }
  /// The first entry that silences the finding; null if none does.
  const Known* find(std::string_view kind, std::string_view property, const props::Case& c) const;

 private:
  std::vector<Known> list_;
};

/// A finding as an entry of a list: about calls of the operator that break the same rule in the
/// same argument, or about its valid ones that have the features. An entry of a wrong result, or of
/// a lost process, stands for those that other properties find, too.
Known known_of(std::string_view kind, std::string_view property, const props::Case& c,
               std::string_view finding, const props::Features& features);
/// A file that KnownList reads.
std::string to_json(const std::vector<Known>& list);

}  // namespace gradproof::profiles
