// A profile: what an implementation is known to do otherwise than the documents say, as data.
//
// docs/profile-format.md describes the files. A profile is read once and does not change; use.h
// says what it means for a case.
#pragma once

#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "props/cases/generate/source.h"
#include "props/profiles/predicate.h"
#include "ref/numerics.h"

namespace gradproof::profiles {

/// What an entry says of the cases that it matches. One entry says one thing. In the order of
/// kinds().
enum class Kind : std::uint8_t {
  absent,             ///< not supported: refused with any status, in either phase, never computed
  untested,           ///< not specified: the call is not made
  status,             ///< phase 1 answers `number` instead; 0: it takes the call
  computed,           ///< phase 1 takes the call, and the result is what the definition gives
  writes,             ///< the call succeeds with a workspace of 0 and leaves its outputs alone
  phase2,             ///< phase 2 of a misuse, or of a call that phase 1 takes, answers `number`
  refused_workspace,  ///< a refusal leaves `number` in *workspaceSize
  coordinates,        ///< of upsampling, in FLOAT or otherwise in DOUBLE
  accumulation,       ///< sums are formed in the type `number`
  bits,               ///< results have other bits where `depends_on` changes
  nan_bits,           ///< payload and sign of a NaN may be any
  ties,
  nans,                 ///< which of several maxima, or NaNs, wins: `winner`
  subnormals,           ///< are flushed
  zero_times_infinity,  ///< is added, and makes NaN
  out_of_window,        ///< indices inside the plane and outside their window are ignored
  out_of_range,  ///< indices outside the plane: the synchronisation answers `number` (0: ignored)
  mask,          ///< of the 2-D pool: INT32 positions h·W + w instead of bits
  mask_view,     ///< offset and strides of the mask have no effect
  scales,        ///< of upsampling count only where both fit the sizes
};

/// A kind as it is written in a file, and which values it may have there.
struct KindRow {
  std::string_view name;                    ///< "out_of_window_indices" and so on
  std::span<const std::string_view> words;  ///< one of these
  bool number = false;                      ///< or a whole number
  bool flag = false;                        ///< `true`, and nothing else
  bool list = false;                        ///< a list of words
};
/// By the kinds' numbers. docs/profile.schema.json says the same (tests/suite).
std::span<const KindRow> kinds();
inline std::string_view name(Kind kind) { return kinds()[static_cast<std::size_t>(kind)].name; }

/// What the bits of a result may depend on.
enum class Dependence : std::uint8_t { layout, threads, runs };
inline constexpr std::string_view kDependences[] = {"layout", "threads", "runs"};

/// Where it is known from.
struct Source {
  std::string repository, file, function;
};

struct Entry {
  std::string id;
  Kind kind = Kind::untested;
  Predicate when;
  std::string_view word;  ///< of its kind's words; empty: the value is no word, or a list
  std::int64_t number = 0;
  ref::Winner winner = ref::Winner::first;
  std::set<Dependence> depends_on;
  std::string reason;
  Source source;
  std::vector<std::string> over;  ///< ids of entries that do not count where this one holds
  bool varies = false;            ///< may do as documented now and then: never contradicted
  bool implied = false;           ///< follows from a promise that is not made
  std::string file;
  int line = 0;

  /// "FILE:LINE".
  std::string place() const { return file + ":" + std::to_string(line); }
  /// The value as its file writes it: "161002", "BF16", "layout, threads".
  std::string value() const;
  /// Whether it counts, and the other does not, where both hold.
  bool wins_over(const Entry& other) const;
  /// Whether it decides what a broken rule is answered, or that a call writes nothing.
  bool answers() const;
  /// Whether phase 1 takes the call by it: what later rules say counts.
  bool takes() const;
};

/// Something beyond the operators' documents that only libraries which promise it are asked for.
struct Promise {
  std::string_view name;
  std::string_view says;
};
std::span<const Promise> promises();

struct Profile {
  std::string name, says;
  std::string text;  ///< as read, for other processes
  std::string file;  ///< for errors; the name of a shipped one
  std::vector<std::string> promised;
  /// Those of the file, then what follows from promises that it does not make.
  std::vector<Entry> entries;

  bool promises(std::string_view promise) const;
};

/// Throws InputError "FILE:LINE: MEMBER: …" for what does not parse, a name that does not exist, or
/// entries that contradict each other.
Profile parse_profile(std::string_view text, const std::string& file);

/// documented, gradproof, cann, gradproof-cann, float-coordinates.
std::vector<std::string_view> shipped_profiles();
/// By the name of a shipped one, else from a file. Throws InputError.
Profile find_profile(const std::string& name_or_file);

/// Two entries that say different things of one case, which no order decides.
bool contradict(const Entry& a, const Entry& b);
/// Throws InputError that names two entries which contradict each other.
void demand_consistent(const Profile& profile);

}  // namespace gradproof::profiles
