// Case files: our text lines, or CANN's ATK JSON.
#include <fstream>
#include <iostream>
#include <iterator>

#include "props/cases/text/atk.h"
#include "props/cases/text/case_file.h"
#include "props/cases/text/text_error.h"

namespace gradproof::props {
namespace {

constexpr std::size_t kLargestFile = std::size_t{64} << 20;

std::string read_whole(std::istream& file, const std::string& path) {
  std::string text;
  char buffer[1 << 16];
  while (file.read(buffer, sizeof buffer), file.gcount() > 0) {
    text.append(buffer, static_cast<std::size_t>(file.gcount()));
    if (text.size() > kLargestFile) throw InputError(path + ": larger than 64 MiB");
  }
  if (file.bad()) throw InputError(path + ": cannot be read");
  return text;
}

std::vector<NamedCase> read_lines(const std::string& path, std::string_view text) {
  std::vector<NamedCase> cases;
  for (std::size_t number = 1; !text.empty(); ++number) {
    const std::size_t end = text.find('\n');
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    const std::size_t first = line.find_first_not_of(" \t\r");
    if (first == std::string_view::npos || line[first] == '#') continue;
    const std::string where = path + ":" + std::to_string(number);
    try {
      Shown shown;
      Case test = parse_case_line(line, shown);
      cases.push_back({std::move(test), where, std::move(shown)});
    } catch (const TextError& e) {
      throw InputError(where + ":" + std::to_string(e.column) + ": " + e.message);
    }
  }
  return cases;
}

}  // namespace

std::vector<NamedCase> read_case_file(const std::string& file_or_dash) {
  const bool piped = file_or_dash == "-";
  const std::string path = piped ? "stdin" : file_or_dash;
  std::ifstream file;
  if (!piped) file.open(path, std::ios::binary);
  if (!piped && !file) throw InputError(path + ": cannot be opened");
  const std::string text = read_whole(piped ? std::cin : file, path);
  std::string_view body = text;
  if (body.starts_with("\xEF\xBB\xBF")) body.remove_prefix(3);  // a byte order mark
  const std::size_t first = body.find_first_not_of(" \t\r\n");
  // No operator's name begins with a bracket, so this decides it.
  const bool json = first != std::string_view::npos && (body[first] == '[' || body[first] == '{');
  std::vector<NamedCase> cases = json ? read_atk(path, body) : read_lines(path, body);
  if (cases.empty()) throw InputError(path + ": holds no cases");
  return cases;
}

}  // namespace gradproof::props
