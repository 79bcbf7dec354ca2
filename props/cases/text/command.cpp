// The table of commands, and their text form.
#include "props/cases/command.h"

#include <algorithm>
#include <charconv>

#include "props/cases/text/text_error.h"

namespace gradproof::props {
namespace {

using Words = std::span<const std::string_view>;

constexpr std::array<std::string_view, 3> kPlanManners = {"right", "null_size", "null_executor"};
constexpr std::array<std::string_view, 6> kRunManners = {
    "right", "roomy", "null_workspace", "small_workspace", "foreign", "inside"};
constexpr std::array<std::string_view, 3> kCountings = {"any", "input", "output"};
constexpr std::array<std::string_view, 3> kRestarts = {"initialise_again", "finalise",
                                                       "finalise_twice"};
constexpr std::array<std::string_view, 4> kTargets = {"0", "1", "2", "null"};

/// One action: its name, the number of values of each operand, and the words of those that have
/// any.
struct Row {
  std::string_view name;
  std::array<std::uint8_t, Command::kOperands> sizes;
  std::size_t count;
  std::size_t worded = Command::kOperands;  ///< the operand with words
  Words words = {};
  std::size_t worded_too = Command::kOperands;
  Words words_too = {};
};

constexpr std::uint8_t kTensors = 5;  // one more than any operator has
constexpr std::uint8_t kTargetCount = kNullTarget + 1;

constexpr std::array<Row, kActions> kRows = {{
    {"describe", {kDescriptorSets, kCalls, kInputSets, kPlaces}, 4},
    {"forget", {kDescriptorSets}, 1},
    {"point", {kDescriptorSets, kTensors, kTargetCount}, 3, 2, kTargets},
    {"plan", {kExecutors, kDescriptorSets, 3}, 3, 2, kPlanManners},
    {"repeat", {kExecutors}, 1},
    {"address",
     {kExecutors, kDescriptorSets, 3, kTensors, kTargetCount},
     5,
     2,
     kCountings,
     4,
     kTargets},
    {"run", {kExecutors, kStreams, kRunManners.size()}, 3, 2, kRunManners},
    {"discard", {kExecutors}, 1},
    {"create_stream", {kStreams}, 1},
    {"destroy_stream", {kStreams}, 1},
    {"synchronise", {kStreams}, 1},
    {"synchronise_for", {kStreams}, 1},
    {"query_stream", {kStreams}, 1},
    {"create_event", {kEvents}, 1},
    {"destroy_event", {kEvents}, 1},
    {"record", {kEvents, kStreams}, 2},
    {"wait", {kStreams, kEvents}, 2},
    {"await", {kEvents}, 1},
    {"query_event", {kEvents}, 1},
    {"fill", {kStreams, kCalls, kPlaces, 255}, 4},
    {"delay", {kStreams}, 1},
    {"synchronise_device", {}, 0},
    {"reset_device", {}, 0},
    {"restart", {3}, 1, 0, kRestarts},
    {"message", {}, 0},
    {"set_device", {}, 0},
    {"poll", {kStreams}, 1},
}};

const Row& row(Action action) { return kRows[static_cast<std::size_t>(action)]; }

Words words_of(const Row& row, std::size_t operand) {
  if (operand == row.worded) return row.words;
  if (operand == row.worded_too) return row.words_too;
  return {};
}

std::uint8_t parse_operand(const Token& token, const Row& row, std::size_t operand) {
  if (const Words words = words_of(row, operand); !words.empty()) {
    const auto found = std::find(words.begin(), words.end(), token.text);
    if (found == words.end()) fail_unknown(token, "an operand of " + std::string(row.name), words);
    return static_cast<std::uint8_t>(found - words.begin());
  }
  unsigned value = 0;
  const char* const end = token.text.data() + token.text.size();
  const auto [stop, error] = std::from_chars(token.text.data(), end, value);
  if (error != std::errc{} || stop != end || value >= row.sizes[operand]) {
    fail(token, "expected a number below " + std::to_string(row.sizes[operand]) + ", got " +
                    show(token.text));
  }
  return static_cast<std::uint8_t>(value);
}

/// Cuts the text up to `end` off, and `end` with it; everything if it does not occur.
Token cut_before(Token& rest, char end) {
  const std::size_t length = std::min(rest.text.find(end), rest.text.size());
  const Token part{rest.text.substr(0, length), rest.column};
  const std::size_t used = std::min(length + 1, rest.text.size());
  rest.text.remove_prefix(used);
  rest.column += used;
  return part;
}

Command parse_command(Token text) {
  if (!text.text.ends_with(')')) fail(text, "expected ACTION(OPERANDS), got " + show(text.text));
  text.text.remove_suffix(1);
  const Token action = cut_before(text, '(');
  std::vector<std::string_view> known;
  for (const Row& r : kRows) known.push_back(r.name);
  const auto found = std::find(known.begin(), known.end(), action.text);
  if (found == known.end()) fail_unknown(action, "an action of a sequence", known);
  Command command;
  command.action = static_cast<Action>(found - known.begin());
  const Row& r = row(command.action);
  const auto commas = std::count(text.text.begin(), text.text.end(), ',');
  const std::size_t given = text.text.empty() ? 0 : static_cast<std::size_t>(commas) + 1;
  if (given != r.count) {
    fail(action, std::string(r.name) + " takes " + std::to_string(r.count) + " operands, not " +
                     std::to_string(given));
  }
  for (std::size_t i = 0; i < r.count; ++i)
    command.with[i] = parse_operand(cut_before(text, ','), r, i);
  return command;
}

}  // namespace

std::string_view name(Action action) { return row(action).name; }

std::span<const std::uint8_t> operand_sizes(Action action) {
  return std::span(row(action).sizes).first(row(action).count);
}

Command command_of(std::uint8_t action,
                   const std::array<std::uint8_t, Command::kOperands>& operands) {
  Command command;
  command.action = static_cast<Action>(action % kActions);
  const auto sizes = operand_sizes(command.action);
  for (std::size_t i = 0; i < sizes.size(); ++i)
    command.with[i] = static_cast<std::uint8_t>(operands[i] % sizes[i]);
  return command;
}

std::string to_text(const Command& command) {
  const Row& r = row(command.action);
  std::string text(r.name);
  text += '(';
  for (std::size_t i = 0; i < r.count; ++i) {
    if (i > 0) text += ',';
    const Words words = words_of(r, i);
    text += words.empty() ? std::to_string(command.with[i]) : std::string(words[command.with[i]]);
  }
  return text + ')';
}

std::string to_text(std::span<const Command> sequence) {
  std::string text;
  for (const Command& command : sequence) text += (text.empty() ? "" : ";") + to_text(command);
  return text;
}

std::vector<Command> parse_sequence(std::string_view text, std::size_t column) {
  std::vector<Command> sequence;
  for (Token rest{text, column}; !rest.text.empty();) {
    if (sequence.size() == kLongestSequence)
      fail(rest, "more than " + std::to_string(kLongestSequence) + " commands");
    sequence.push_back(parse_command(cut_before(rest, ';')));
  }
  return sequence;
}

}  // namespace gradproof::props
