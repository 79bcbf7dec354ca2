// The manual page of the command line.
#include <CLI/CLI.hpp>
#include <sstream>

#include "props/cli/describe.h"
#include "props/cli/help.h"

namespace gradproof::cli {
namespace {

/// Escapes text for roff: hyphens stay hyphens, and no line starts a request.
std::string roff(std::string_view text) {
  std::string escaped;
  bool at_start = true;
  for (char c : text) {
    if (at_start && (c == '.' || c == '\'')) escaped += "\\&";
    if (c == '\\') {
      escaped += "\\e";
    } else if (c == '-') {
      escaped += "\\-";
    } else {
      escaped += c;
    }
    at_start = c == '\n';
  }
  return escaped;
}

void print_argument(std::ostream& out, const Argument& argument) {
  out << ".TP\n";
  std::string separator;
  for (const std::string& name : argument.names) {
    out << separator << "\\fB" << roff(name) << "\\fR";
    separator = ", ";
  }
  if (!argument.value.empty())
    out << (argument.names.empty() ? "" : " ") << "\\fI" << roff(argument.value) << "\\fR";
  out << '\n' << roff(argument.description);
  if (!argument.fallback.empty()) out << " (default: " << roff(argument.fallback) << ')';
  out << '\n';
}

void print_command(std::ostream& out, const CLI::App& command) {
  out << ".SS \"gradproof " << roff(command.get_name()) << "\"\n"
      << roff(command.get_description()) << '\n';
  for (const Argument& a : arguments(command)) print_argument(out, a);
  const std::string_view examples = examples_of(command.get_name());
  if (!examples.empty()) out << ".PP\nExamples:\n.nf\n" << roff(examples) << ".fi\n";
}

}  // namespace

std::string manual_page(const CLI::App& program) {
  std::ostringstream out;
  out << ".TH GRADPROOF 1 \"\" \"gradproof " GRADPROOF_VERSION "\" \"User Commands\"\n"
      << ".SH NAME\ngradproof \\- test implementations of aclnn gradient operators\n"
      << ".SH SYNOPSIS\n";
  std::string line_break;
  for (const CLI::App* command : commands(program)) {
    out << line_break << "\\fBgradproof " << roff(command->get_name())
        << "\\fR [\\fIOPTION\\fR]...";
    for (const Argument& a : arguments(*command))
      if (a.names.empty()) out << " \\fI" << roff(a.value) << "\\fR";
    out << '\n';
    line_break = ".br\n";
  }
  out << ".SH DESCRIPTION\n" << roff(program.get_description()) << "\n.SH COMMANDS\n";
  for (const CLI::App* command : commands(program)) print_command(out, *command);
  out << ".SH ENVIRONMENT\n"
         ".TP\n\\fBGRADPROOF_SOC\\fR\n"
         "The product that libgradproof emulates: Ascend910, Ascend310P, Ascend910B (the "
         "default) or Ascend910_93.\n"
         ".TP\n\\fBGRADPROOF_NUM_THREADS\\fR\n"
         "Maximum number of threads of one call of libgradproof. Default: the number of "
         "processors.\n"
         ".TP\n\\fBGRADPROOF_CONFORMANCE\\fR\n"
         "The behaviour of libgradproof where CANN differs from its documents: documented (the "
         "default) or cann; see conformance.md.\n"
         ".TP\n\\fBGRADPROOF_LOG\\fR, \\fBGRADPROOF_TRACE\\fR, \\fBGRADPROOF_STRICT\\fR\n"
         "Log, trace and strict checks of libgradproof; see diagnosis.md.\n"
         ".TP\n\\fBTMPDIR\\fR\n"
         "Where each process that runs a library under test gets its own temporary folder, "
         "which is removed with the process. Default: /tmp.\n"
         ".SH SEE ALSO\n"
         "The pages in PREFIX/share/gradproof/docs, and in docs/ of the sources; contract.md "
         "defines what is required, case.md how "
         "to write a case.\n";
  return out.str();
}

}  // namespace gradproof::cli
