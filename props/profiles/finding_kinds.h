// The kinds of findings: how grave each is, and which a list of known findings may silence.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace gradproof::profiles {

/// The gravest first.
enum class Gravity { memory, hang, kernel_failed, wrong_result, wrong_status, other };

/// "memory or crash", "wrong result", ….
std::string_view name(Gravity gravity);

/// Of the kind ("values", "status kernel-value", "trespass", …). One that this version does not
/// have, such as another version's report may name, is a wrong result.
Gravity gravity_of(std::string_view kind);

bool is_kind(const std::string& kind);
/// All kinds of one word or phrase. Others are "status RULE", "message RULE", "misuse NAME" and
/// "sequence ACTION".
std::vector<std::string_view> kinds_of_one_word();

/// Whether a kind of finding is damage to memory, which no list silences.
bool is_damage(std::string_view kind);
/// Whether a finding of that kind is a process that ended or had to be ended.
bool is_loss(std::string_view kind);
/// Whether each kernel has such findings of its own, though they look the same: an index that it
/// does not check.
bool is_of_each_kernel(std::string_view kind);
/// Whether a wrong result can be a finding of that kind: each property that compares results has
/// its own.
bool is_of_values(std::string_view kind);

}  // namespace gradproof::profiles
