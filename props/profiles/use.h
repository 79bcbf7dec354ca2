// A profile in use: what it says about one case, and which of its entries a check met.
#pragma once

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "props/profiles/profile.h"

namespace gradproof::profiles {

/// Begins the reason where a kernel itself says that a call is not for it.
inline constexpr std::string_view kDeclined = "not supported by the kernel: ";

/// Begin the reason where the profile says that nothing is specified, or supported.
inline constexpr std::string_view kNotSpecified = "not specified: ";
inline constexpr std::string_view kNotSupported = "not supported: ";

/// What a check is left unjudged for; it becomes a verdict that nothing was checked.
struct NotJudged {
  std::string why;
};

/// Two entries that say different things of one case.
struct Contradiction : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Entries of a profile by their place in it, as one check found them.
struct Notes {
  std::vector<std::uint16_t> met;  ///< the library did as the entry says and not as documented
  std::vector<std::uint16_t> contradicted;  ///< it did as documented, and the entry says otherwise
  /// The entry allows what was not needed: the result is right as documented.
  std::vector<std::uint16_t> unused;

  bool empty() const { return met.empty() && contradicted.empty() && unused.empty(); }
};

/// What the entries say of one case; null where none says anything.
struct Terms {
  /// Phase 1's answer by the documents and the profile. Of a call that breaks a rule which an entry
  /// says is not the library's, later rules decide.
  std::int32_t status = 0;
  const Entry* answer = nullptr;    ///< Kind::absent, untested or a refusal's status
  std::vector<const Entry*> taken;  ///< by these the call is taken as far as rules go
  const Entry* phase2 = nullptr;    ///< of the misuse
  const Entry* refused_workspace = nullptr;
  const Entry* out_of_range = nullptr;
  const Entry* mask = nullptr;
  const Entry* mask_view = nullptr;
  const Entry* nan_bits = nullptr;
  std::vector<const Entry*> bits;
  /// Entries that say how results are computed, and all that they say together.
  std::vector<const Entry*> computing;
  ref::Numerics numerics;

  /// The entry that lets bits depend on that; null if none does.
  const Entry* lets_depend(Dependence d) const;
  /// The first entry of that kind by which the call is taken; null if there is none.
  const Entry* taken_by(Kind kind) const;
  /// Whether phase 2 of a call that breaks a rule is specified: entries say what comes of it.
  bool runs() const;
};

/// What the entry alone says of the computation.
ref::Numerics numerics_of(const Entry& entry);

class Use {
 public:
  explicit Use(Profile profile) : profile_(std::move(profile)) {}
  Use(const Use&) = delete;
  Use& operator=(const Use&) = delete;

  const Profile& profile() const { return profile_; }
  bool promises(std::string_view promise) const { return profile_.promises(promise); }
  /// Whether an entry says what the promise is about, of that call.
  bool decides(std::string_view promise, const ref::Call& call) const;

  /// Whether some entry is of that kind.
  bool decides(Kind kind) const;

  /// Throws Contradiction.
  Terms terms(const ref::Call& call, props::Misuse misuse = props::Misuse::none,
              const std::vector<ref::Dense>* data = nullptr) const;
  /// Throws NotJudged for a call that is not specified, and, unless the current check judges
  /// refusals, for one that is refused.
  void admit(const ref::Call& call, props::Misuse misuse,
             const std::vector<ref::Dense>* data) const;
  /// Whether the current check judges refusals.
  void judge_refusals(bool judges) { judges_refusals_ = judges; }

  /// To find out whether a library whose profile has masks of positions takes bits after all.
  void treat_masks_as_documented(bool documented) { masks_as_documented_ = documented; }
  bool masks_as_documented() const { return masks_as_documented_; }

  void met(const Entry& entry) { note(notes_.met, entry); }
  void contradicted(const Entry& entry) { note(notes_.contradicted, entry); }
  void unused(const Entry& entry) { note(notes_.unused, entry); }
  /// What has been noted since it was asked last.
  Notes take_notes();

 private:
  void note(std::vector<std::uint16_t>& list, const Entry& entry) const;

  const Profile profile_;
  bool judges_refusals_ = true, masks_as_documented_ = false;
  Notes notes_;
};

/// "entry 'ID' of profile NAME".
std::string named(const Entry& entry, const Profile& profile);

}  // namespace gradproof::profiles
