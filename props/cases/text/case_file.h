// Files of cases.
#pragma once

#include <string>
#include <vector>

#include "props/cases/text/shown.h"

namespace gradproof::props {

/// A case of a file, and the place it stands at ("cases.txt:3", "atk.json: case 4").
struct NamedCase {
  Case test;
  std::string where;
  Shown shown;
};
/// Reads our text lines (# comments, blank lines) or CANN's ATK JSON, told apart by content. Throws
/// InputError "path:line:column: …" or "path: case ID: field …". The path "-" is standard input,
/// which places call "stdin".
std::vector<NamedCase> read_case_file(const std::string& path);

}  // namespace gradproof::props
