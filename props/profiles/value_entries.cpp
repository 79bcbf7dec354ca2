// Which entries change values, and of which operators.
#include "props/profiles/value_entries.h"

#include <algorithm>

#include "props/cases/shapes.h"
#include "ref/element.h"
#include "ref/types.h"

namespace gradproof::profiles {
namespace {

/// Narrow ones first: the first one that explains a failure says most about it.
constexpr Kind kOfValues[] = {Kind::zero_times_infinity,
                              Kind::coordinates,
                              Kind::scales,
                              Kind::out_of_window,
                              Kind::subnormals,
                              Kind::ties,
                              Kind::nans,
                              Kind::accumulation,
                              Kind::mask,
                              Kind::mask_view};
/// Of runs that should have the same bits.
constexpr Kind kOfBits[] = {Kind::nan_bits, Kind::bits};

bool is_of_bits(const Entry& entry) {
  return std::ranges::find(kOfBits, entry.kind) != std::end(kOfBits);
}

std::vector<Entry> all_entries() {
  std::vector<Entry> all;
  std::vector<Kind> chosen(std::begin(kOfValues), std::end(kOfValues));
  chosen.insert(chosen.end(), std::begin(kOfBits), std::end(kOfBits));
  for (const Kind kind : chosen) {
    const std::span<const std::string_view> words = kinds()[static_cast<std::size_t>(kind)].words;
    for (std::size_t i = 0; i < words.size(); ++i) {
      const std::string_view word = words[i];
      Entry& entry = all.emplace_back();
      entry.kind = kind;
      entry.word = word;
      entry.id = as_written(entry);
      if (kind == Kind::bits) entry.depends_on = {static_cast<Dependence>(i)};
      if (kind == Kind::accumulation || kind == Kind::coordinates)
        entry.number = *ref::dtype_from_name(word);
      if (kind == Kind::ties || kind == Kind::nans)
        entry.winner = word == "last" ? ref::Winner::last : ref::Winner::any;
    }
  }
  return all;
}

}  // namespace

bool concerns(const Entry& entry, const ref::Call& call) {
  const bool pool = props::indices_slot(call.op) >= 0, backward = ref::is_backward(call.op);
  switch (entry.kind) {
    case Kind::coordinates:
    case Kind::zero_times_infinity:
    case Kind::scales: return props::family(call.op).weighted;
    case Kind::accumulation: return backward || props::family(call.op).weighted;
    case Kind::ties:
    case Kind::nans: return pool && !backward;
    case Kind::out_of_window: return pool && backward;
    case Kind::mask:
    case Kind::mask_view: return props::has_mask(call.op);
    default: return true;
  }
}

std::span<const Entry> value_entries() {
  static const std::vector<Entry> all = all_entries();
  return all;
}

Some that_may_explain(const ref::Call& call, bool bits) {
  const std::int32_t type =
      ref::component_type(call.tensors[static_cast<std::size_t>(props::data_slot(call.op))].dtype);
  Some places;
  for (std::uint16_t i = 0; i < value_entries().size(); ++i) {
    const Entry& entry = value_entries()[i];
    const bool narrow =
        entry.kind == Kind::accumulation && entry.number != type && entry.number != ref::kFloat;
    if (is_of_bits(entry) == bits && concerns(entry, call) && !narrow) places.push_back(i);
  }
  return places;
}

std::string as_written(const Entry& entry) {
  const bool list = entry.kind == Kind::bits;
  return '"' + std::string(name(entry.kind)) + (list ? "\": [\"" : "\": \"") + entry.value() +
         (list ? "\"]" : "\"");
}

Profile with_entries(Profile profile, const Some& some) {
  std::vector<std::string> own;
  for (const Entry& entry : profile.entries) own.push_back(entry.id);
  for (const std::uint16_t place : some) {
    Entry entry = value_entries()[place];
    entry.over = own;
    profile.entries.push_back(std::move(entry));
  }
  return profile;
}

}  // namespace gradproof::profiles
