// Completion scripts for shells.
#include <CLI/CLI.hpp>
#include <sstream>

#include "props/cases/input_error.h"
#include "props/cli/describe.h"

namespace gradproof::cli {
namespace {

std::string joined(const std::vector<std::string>& words, const char* separator = " ") {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : separator) + word;
  return text;
}

std::string names(const std::vector<const CLI::App*>& apps) {
  std::vector<std::string> words;
  for (const CLI::App* app : apps) words.push_back(app->get_name());
  return joined(words);
}

/// In single quotes, with a backslash before each character in `special`. Apostrophes become
/// typographic ones, because shells differ in how to quote them.
std::string quoted_text(std::string_view text, std::string_view special = "") {
  std::string result = "'";
  for (char c : text) {
    if (c == '\'') {
      result += "\u2019";
    } else {
      if (special.find(c) != std::string_view::npos) result += '\\';
      result += c;
    }
  }
  return result + "'";
}

std::string bash_reply(const Argument& a) {
  switch (a.expects) {
    case Expects::file:
      return "compopt -o filenames; mapfile -t COMPREPLY < <(compgen -f -- \"$current\")";
    case Expects::folder:
      return "compopt -o filenames; mapfile -t COMPREPLY < <(compgen -d -- \"$current\")";
    case Expects::word:
      return "mapfile -t COMPREPLY < <(compgen -W '" + joined(a.words) + "' -- \"$current\")";
    default: return "COMPREPLY=()";
  }
}

std::string bash(const CLI::App& program) {
  std::ostringstream values, options, positionals;
  for (const CLI::App* command : commands(program)) {
    std::vector<std::string> flags;
    for (const Argument& a : arguments(*command)) {
      if (a.names.empty()) {
        positionals << "    " << command->get_name() << ") " << bash_reply(a) << " ;;\n";
        continue;
      }
      flags.insert(flags.end(), a.names.begin(), a.names.end());
      if (a.expects == Expects::nothing) continue;
      for (const std::string& name : a.names)
        values << "    " << command->get_name() << ':' << name << ") " << bash_reply(a)
               << "; return ;;\n";
    }
    options << "    " << command->get_name() << ") words='" << joined(flags) << "' ;;\n";
  }
  const std::string all = names(commands(program));
  std::ostringstream out;
  out << "# bash completion for gradproof\n"
         "_gradproof() {\n"
         "  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]}\n"
         "  local command=${COMP_WORDS[1]} words=\n"
         "  COMPREPLY=()\n"
         "  if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
         "    mapfile -t COMPREPLY < <(compgen -W '"
      << all
      << " --help' -- \"$current\")\n"
         "    return\n"
         "  fi\n"
         "  case $command:$previous in\n"
      << values.str()
      << "  esac\n"
         "  case $command in\n"
      << options.str()
      << "  esac\n"
         "  if [[ $current == -* ]]; then\n"
         "    mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$current\")\n"
         "    return\n"
         "  fi\n"
         "  case $command in\n"
      << positionals.str()
      << "    *) mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$current\") ;;\n"
         "  esac\n"
         "}\n"
         "complete -F _gradproof gradproof\n";
  return out.str();
}

std::string zsh_action(const Argument& a) {
  switch (a.expects) {
    case Expects::file: return "_files";
    case Expects::folder: return "_files -/";
    case Expects::word: return "(" + joined(a.words) + ")";
    default: return "";
  }
}

std::string zsh(const CLI::App& program) {
  std::ostringstream out;
  out << "#compdef gradproof\n"
         "local -a commands\n"
         "commands=(\n";
  for (const CLI::App* command : commands(program))
    out << "  " << quoted_text(command->get_name() + ":" + command->get_description()) << '\n';
  out << ")\n"
         "if (( CURRENT == 2 )); then\n"
         "  _describe command commands\n"
         "  return\n"
         "fi\n"
         "local command=$words[2]\n"
         "shift words\n"
         "(( CURRENT-- ))\n"
         "case $command in\n";
  for (const CLI::App* command : commands(program)) {
    out << "  " << command->get_name() << ") _arguments";
    for (const Argument& a : arguments(*command)) {
      const std::string action = ":" + a.value + ":" + zsh_action(a);
      if (a.names.empty()) out << " \\\n    " << quoted_text("*" + action);
      for (const std::string& name : a.names) {
        std::string entry = "*" + name + "[";
        for (char c : a.description) entry += c == '[' ? '(' : c == ']' ? ')' : c;
        entry += ']';
        if (a.expects != Expects::nothing) entry += action;
        out << " \\\n    " << quoted_text(entry);
      }
    }
    out << " ;;\n";
  }
  out << "esac\n";
  return out.str();
}

std::string fish(const CLI::App& program) {
  const std::string all = names(commands(program));
  std::ostringstream out;
  out << "# fish completion for gradproof\ncomplete -c gradproof -f\n";
  for (const CLI::App* command : commands(program)) {
    out << "complete -c gradproof -n 'not __fish_seen_subcommand_from " << all << "' -a "
        << command->get_name() << " -d " << quoted_text(command->get_description(), "\\") << '\n';
    for (const Argument& a : arguments(*command)) {
      out << "complete -c gradproof -n '__fish_seen_subcommand_from " << command->get_name() << "'";
      for (const std::string& name : a.names)
        out << (name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1));
      if (!a.names.empty() && a.expects != Expects::nothing) out << " -r";
      if (a.expects == Expects::word) out << " -a '" << joined(a.words) << "'";
      if (a.expects == Expects::file) out << " -F";
      if (a.expects == Expects::folder) out << " -a '(__fish_complete_directories)'";
      out << " -d " << quoted_text(a.description, "\\") << '\n';
    }
  }
  return out.str();
}

}  // namespace

std::string completion(const CLI::App& program, std::string_view shell) {
  if (shell == "bash") return bash(program);
  if (shell == "zsh") return zsh(program);
  if (shell == "fish") return fish(program);
  throw props::InputError("--describe must be man, bash, zsh or fish, not '" + std::string(shell) +
                          "'");
}

}  // namespace gradproof::cli
