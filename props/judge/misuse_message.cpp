// The message of phase 2 about a misuse.
#include "props/cases/memory_layout.h"
#include "props/cases/shapes.h"
#include "props/judge/verdict.h"
#include "props/judge/words.h"

namespace gradproof::props {
namespace {

using Words = std::vector<std::vector<std::string>>;

/// Any tensor that phase 2 reads or writes and that has no memory, by the case or by its misuse,
/// which takes the first one's.
Words without_data(const Case& c) {
  Words names;
  bool first = true;
  for (const ref::Parameter& p : ref::signature(c.call.op).parameters) {
    if (p.kind != ref::Kind::tensor || access_of(c.call.op, p.slot) == ref::Access::described)
      continue;
    const ref::Tensor& tensor = c.call.tensors[static_cast<std::size_t>(p.slot)];
    if (element_count(tensor) == 0) continue;
    if (tensor.null_data || (first && c.misuse == Misuse::null_data))
      names.push_back({std::string(p.name)});
    first = false;
  }
  return names;
}

/// What the message must say besides the operator.
Words words_for(const Case& c, std::uint64_t bytes) {
  switch (c.misuse) {
    case Misuse::none: return {};
    case Misuse::null_workspace: return {{"workspace", std::to_string(bytes)}};
    case Misuse::small_workspace:
      return {{"workspaceSize", std::to_string(bytes - 1), std::to_string(bytes)}};
    case Misuse::null_data: return without_data(c);
    case Misuse::null_executor:
    case Misuse::consumed_executor:
    case Misuse::destroyed_executor:
    case Misuse::foreign_executor:
    case Misuse::unknown_executor: return {{"executor"}};
    case Misuse::dead_stream: return {{"stream"}};
  }
  return {};
}

}  // namespace

Verdict judge_misuse_message(const Case& c, const Outcome& got) {
  if (!got.misused || got.misuse_status == 0) return {};
  const std::string api(ref::signature(c.call.op).api);
  const Words words = is_about_data(c) ? without_data(c) : words_for(c, got.phase1.workspace);
  std::string lacks;
  if (!names(got.misuse_message, api))
    lacks = api;
  else if (!says_any(got.misuse_message, words))
    lacks = in_words(words);
  else if (!lacks_a_word(got.misuse_message))
    return {};
  const std::string misuse(name(c.misuse));
  return Verdict::violated("message " + misuse,
                           "the message of phase 2 with " + misuse +
                               (lacks.empty() ? " lacks a word" : " does not name " + lacks) +
                               "\n  message: \"" + got.misuse_message + "\"");
}

}  // namespace gradproof::props
