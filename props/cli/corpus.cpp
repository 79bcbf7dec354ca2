// gradproof corpus: seeds for the fuzz targets, written from generated cases.
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <set>

#include "props/cases/describe/coverage_points.h"
#include "props/cases/generate/generator.h"
#include "props/cases/generate/source.h"
#include "props/cases/hash.h"
#include "props/cases/input_error.h"
#include "props/cases/mutate/mutations.h"
#include "props/cases/text/bytes.h"
#include "props/cli/options.h"
#include "props/sequences/bytes.h"
#include "props/sequences/sequence.h"

namespace gradproof::cli {
namespace {

std::string in_bytes(const props::Case& c) {
  const std::vector<std::uint8_t> bytes = props::to_bytes(c);
  return {bytes.begin(), bytes.end()};
}

void write_file(const std::filesystem::path& path, std::string_view bytes) {
  std::ofstream file(path, std::ios::binary);
  file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  file.close();
  if (!file) throw props::InputError(path.string() + ": cannot be written");
}

/// A folder per target with one file per input, named by a hash of its contents.
class Seeds {
 public:
  explicit Seeds(std::filesystem::path folder) : folder_(std::move(folder)) {}

  void write(const std::string& target, std::string_view bytes) {
    std::uint64_t hash = props::mix(bytes.size() + 1);
    for (const char c : bytes) hash = props::mix(hash ^ static_cast<unsigned char>(c));
    char name[20];
    std::snprintf(name, sizeof name, "%016llx", static_cast<unsigned long long>(hash));
    if (!written_.insert(target + '/' + name).second) return;
    std::error_code error;
    std::filesystem::create_directories(folder_ / target, error);
    write_file(folder_ / target / name, bytes);
  }
  void write(const std::string& target, const props::Case& c) { write(target, in_bytes(c)); }
  std::size_t count() const { return written_.size(); }

 private:
  std::filesystem::path folder_;
  std::set<std::string> written_;
};

/// For a few calls of each operator, the sequences that cover the whole model.
void write_sequences(Seeds& seeds) {
  std::vector<ref::Operator> operators;
  for (int i = 0; i < ref::kOperatorCount; ++i) operators.push_back(static_cast<ref::Operator>(i));
  for (const ref::Operator op : operators) {
    for (std::uint16_t point = 0; point < 3; ++point) {
      const props::Actor which{static_cast<std::uint8_t>(op),
                               static_cast<std::uint16_t>(31 * point),
                               static_cast<std::uint8_t>(point)};
      const std::optional<props::Case> c = props::actor(which);
      if (!c) continue;
      for (const auto& sequence :
           props::covering_sequences(props::World(*c, operators, ~props::Functions{0}), point)) {
        const std::vector<std::uint8_t> bytes = props::sequence_to_bytes(which, sequence);
        seeds.write("api_sequence", std::string(bytes.begin(), bytes.end()));
      }
    }
  }
}

}  // namespace

int corpus(const Options& options) {
  if (!options.as_bytes.empty()) {
    write_file(options.words.at(0), in_bytes(props::parse_case(options.as_bytes)));
    return kPassed;
  }
  constexpr props::Limits kSmall{.max_elements = 128};
  Seeds seeds(options.words.at(0));
  props::SeededSource source(options.seed);
  for (int i = 0; i < ref::kOperatorCount; ++i) {
    const auto op = static_cast<ref::Operator>(i);
    const std::string stem(ref::signature(op).stem);
    const std::vector<props::CoveragePoint> points = props::coverage_points(op);
    for (const props::CoveragePoint& point : points) {
      for (int n = 0; n < 6; ++n) {
        const props::Case c = props::generate_valid(source, point, kSmall);
        seeds.write("instruction_sets", c);
        if (n == 0) seeds.write("case_text", props::to_text(c));
        if (ref::is_backward(op)) seeds.write("execute_" + stem, c);
      }
    }
    if (!ref::is_backward(op)) continue;
    // Each boundary from both sides, on a few calls that differ in rank, type and format.
    for (std::size_t at = 0; at < points.size(); at += 1 + points.size() / 12) {
      const props::Case valid = props::generate_valid(source, points[at], kSmall);
      seeds.write("get_workspace_size_" + stem, valid);
      for (const props::Mutation& mutation : props::mutations(valid)) {
        seeds.write("get_workspace_size_" + stem, mutation.mutated);
        if (at == 0) seeds.write("case_text", props::to_text(mutation.mutated));
      }
    }
  }
  write_sequences(seeds);
  std::cout << seeds.count() << " seeds in " << options.words.at(0) << '\n';
  return kPassed;
}

}  // namespace gradproof::cli
