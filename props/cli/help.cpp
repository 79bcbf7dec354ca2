// Writes the help from the options, in groups.
#include "props/cli/help.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>
#include <memory>
#include <vector>

#include "props/cases/input_error.h"
#include "props/cli/describe.h"
#include "props/cli/options.h"
#include "props/cli/topics.h"
#include "props/report/style.h"

namespace gradproof::cli {
namespace {

constexpr std::size_t kWidth = 80, kColumn = 24;

struct Group {
  const char* name;
  std::vector<std::string_view> members;
};

/// The last group takes all other options.
const std::vector<Group> kOptionGroups = {
    {"Library under test",
     {"--library", "--exec", "--profile", "--accuracy", "--threads", "--assume-product",
      "--timeout", "--no-fork"}},
    {"Selection",
     {"--operator", "--type", "--rank", "--format", "--product", "--class", "--at-most",
      "--property", "--phase", "--list-cases"}},
    {"Duration", {"--seconds", "--cases", "--max-failures", "-x", "--seed", "--jobs", "--shard"}},
    {"Findings", {"--save", "--database", "--no-database", "--known", "--save-known"}},
    {"Output",
     {"--quiet", "--verbose", "--color", "--progress", "--durations", "--show", "--matrix",
      "--report"}},
    {"Options", {}},
};

const std::vector<Group> kCommandGroups = {
    {"Judge a library", {"verify", "exhaust", "run"}},
    {"Look at one case", {"repro", "explain", "emit"}},
    {"Reports and lists", {"merge", "list", "help"}},
    {"Test the suite itself", {"selftest", "corpus", "reference"}},
};

struct Examples {
  std::string_view command, lines;
};

constexpr Examples kExamples[] = {
    {"",
     "gradproof verify --library ./libmine.so\n"
     "gradproof verify --library ./libmine.so --seconds 5m --save cases\n"
     "gradproof run cases --library ./libmine.so\n"},
    {"verify",
     "gradproof verify --library ./libmine.so\n"
     "gradproof verify --operator '*pool2d*' --type BF16 --seconds 5m\n"
     "gradproof verify --exec 'python3 kernels.py' -x\n"
     "gradproof verify --seconds 1h --jobs all --report report --save cases\n"},
    {"exhaust", "gradproof exhaust --operator replication_pad2d_backward --at-most 3\n"},
    {"run",
     "gradproof run cases --library ./libmine.so\n"
     "gradproof verify --list-cases --cases 100 | gradproof run - --type FLOAT\n"},
    {"merge", "gradproof merge out/shard*/report.json --report out/all\n"},
    {"repro", "gradproof repro 'replication_pad2d_backward ...' --library ./libmine.so\n"},
    {"explain", "gradproof explain 'replication_pad2d_backward ...'\n"},
    {"emit",
     "gradproof emit 'replication_pad2d_backward ...' >case.cpp\n"
     "c++ -std=c++17 -I$ASCEND_CUSTOM_PATH/include case.cpp -o case \\\n"
     "    ./libmine.so $ASCEND_CUSTOM_PATH/lib64/libascendcl.so && ./case\n"
     "gradproof emit --python 'replication_pad2d_backward ...' >case.py\n"
     "python3 case.py ./libmine.so\n"},
    {"list",
     "gradproof list operators\n"
     "gradproof list classes --operator 'max_pool3d*'\n"
     "gradproof list points --type BF16 --rank 5\n"},
    {"help", "gradproof help selecting\n"},
    {"selftest", "gradproof selftest --faulty tests/faulty --fault batch_index_ignored\n"},
};

/// An entry: names in the first column, with the description beside or below them.
std::string entry(const std::string& names, const std::string& text) {
  std::string line = "  " + names;
  const std::string column(kColumn, ' ');
  if (line.size() + 2 > kColumn)
    line += '\n' + column;
  else
    line.resize(kColumn, ' ');
  const std::string body = report::wrapped(text, kWidth - kColumn, 0);
  for (const char c : body) line += c == '\n' ? "\n" + column : std::string(1, c);
  return line + '\n';
}

std::string entry(const Argument& argument) {
  std::string names;
  for (const std::string& name : argument.names) names += (names.empty() ? "" : ", ") + name;
  if (!argument.value.empty()) names += (names.empty() ? "" : " ") + argument.value;
  std::string text = argument.description;
  if (!argument.fallback.empty()) text += ". Default: " + argument.fallback;
  return entry(names, text);
}

std::string heading(std::string_view name) { return "\n" + std::string(name) + ":\n"; }

std::string examples_section(std::string_view command) {
  const std::string_view lines = examples_of(command);
  if (lines.empty()) return "";
  std::string text = heading("Examples");
  bool start = true;
  for (const char c : lines) {
    if (start) text += "    ";
    text += c;
    start = c == '\n';
  }
  return text;
}

std::string help_of_command(const CLI::App& command) {
  std::string text = "usage: gradproof " + command.get_name();
  const std::vector<Argument> all = arguments(command);
  for (const Argument& a : all) {
    if (a.names.empty()) text += ' ' + a.value;
  }
  text += text.size() + 12 > kWidth ? "\n    [OPTION]...\n\n" : " [OPTION]...\n\n";
  text += report::wrapped(described(command), kWidth, 0) + ".\n";
  std::string positional;
  for (const Argument& a : all) {
    if (a.names.empty()) positional += entry(a);
  }
  if (!positional.empty()) text += '\n' + positional;
  for (const Group& group : kOptionGroups) {
    std::string entries;
    for (const CLI::Option* option : command.get_options()) {
      if (option->get_group() == group.name && !option->get_positional())
        entries += entry(argument(*option));
    }
    if (!entries.empty()) text += heading(group.name) + entries;
  }
  return text + examples_section(command.get_name());
}

std::string help_of_program(const CLI::App& program) {
  std::string text =
      "usage: gradproof COMMAND [OPTION]...\n\n"
      "Compares an implementation of aclnn gradients (and their forwards) with a\n"
      "reference: results, statuses, messages and side effects.\n";
  for (const Group& group : kCommandGroups) {
    text += heading(group.name);
    for (const std::string_view name : group.members)
      text += entry(std::string(name), described(*program.get_subcommand(std::string(name))));
  }
  text += heading("Options") + entry("-h, --help", "Print this help, or that of a command") +
          entry("--version", "Print the version") + heading("Topics");
  for (const Topic& topic : topics())
    text += entry("help " + std::string(topic.name), std::string(topic.title));
  return text + examples_section("") +
         "\nExit status: 0 passed, 1 failed, 2 cannot judge, 5 part of the selection was not\n"
         "checked, 128 + N ended by signal N (see gradproof help status).\n"
         "\nPages (docs/...): in share/gradproof of an installation, or in the sources.\n";
}

class Help final : public CLI::FormatterBase {
 public:
  std::string make_help(const CLI::App* app, std::string, CLI::AppFormatMode) const override {
    return help_of(*app);
  }
};

}  // namespace

void use_help(CLI::App& program) {
  program.formatter(std::make_shared<Help>());
  for (CLI::App* command : program.get_subcommands(nullptr)) {
    command->formatter(program.get_formatter());
    for (CLI::Option* option : command->get_options()) {
      const std::string name = option->get_name();
      if (option->get_group().empty()) continue;
      const auto group =
          std::find_if(kOptionGroups.begin(), kOptionGroups.end() - 1, [&](const Group& one) {
            return std::any_of(
                one.members.begin(), one.members.end(),
                [&](std::string_view member) { return option->check_name(std::string(member)); });
          });
      option->group(group->name);
    }
  }
}

std::string help_of(const CLI::App& app) {
  return app.get_parent() == nullptr ? help_of_program(app) : help_of_command(app);
}

std::string_view examples_of(std::string_view command) {
  const auto at = std::find_if(std::begin(kExamples), std::end(kExamples),
                               [&](const Examples& one) { return one.command == command; });
  return at == std::end(kExamples) ? "" : at->lines;
}

std::string help_about(const CLI::App& program, const std::string& topic) {
  std::vector<std::string_view> known;
  const std::vector<const CLI::App*> all = commands(program);
  std::vector<std::string> names;
  for (const CLI::App* command : all) {
    if (command->get_name() == topic) return help_of(*command);
    names.push_back(command->get_name());
  }
  for (const Topic& one : topics()) {
    if (one.name == topic) return std::string(one.page);
    known.push_back(one.name);
  }
  known.insert(known.end(), names.begin(), names.end());
  throw unknown("topic", topic, known);
}

int help(const Options& options) {
  std::cout << (options.words.empty() ? help_of(*options.program)
                                      : help_about(*options.program, options.words.front()));
  return kPassed;
}

}  // namespace gradproof::cli
