// Findings kept in files: one a finding, each a case line with what it showed. Before it is the
// line of an earlier call that the failure needs.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "props/campaign/finding.h"
#include "props/cases/text/case_file.h"

namespace gradproof::campaign {

/// How the finding's case is asked again.
props::Shown shown(const Failure& failure, const Settings& settings);

/// The settings with threads and profile as the case line has them, where nothing else names them.
Settings as_shown(Settings settings, const props::Shown& shown);

/// Writes the finding into a file of the folder, which is created if missing, and returns the
/// file's name. It has operator and property, and is the same for the same case. Throws InputError
/// that names what cannot be written.
std::string keep(const std::filesystem::path& folder, const Failure& failure,
                 const Settings& settings);

/// Throws InputError if no finding can be written into the folder; makes it if there is none.
void demand_writable(const std::filesystem::path& folder);

/// The findings of earlier runs of the same library: a folder for each library, by its file name.
class Database {
 public:
  /// An empty `folder` is a database that holds and keeps nothing.
  Database(const std::string& folder, const props::Subject& subject);

  /// Of the library's findings; empty: none is kept.
  const std::filesystem::path& folder() const { return folder_; }

  struct Entry {
    std::filesystem::path file;
    const props::Property* property;
    props::Case test;
    bool file_is_whole;  ///< all lines of the file are such entries
  };
  /// What is there, oldest first. What cannot be read as a finding, or is too large to run, is
  /// named on stderr, and stays; findings of other threads or another accuracy stay silently.
  std::vector<Entry> entries(const Settings& settings) const;
  /// A database that cannot be written is said once on stderr: no finding is lost over it.
  void keep(const Failure& failure, const Settings& settings);
  /// The findings are gone: all cases of the file pass, and it has no others.
  void drop(const std::filesystem::path& file) const;

 private:
  std::filesystem::path folder_;
  bool unwritable_ = false;
};

}  // namespace gradproof::campaign
