// The log and the trace: what turns them on, and what they tell of a program. strict.cpp asks about
// strict mode.
#include <cmath>
#include <filesystem>
#include <fstream>
#include <string>

#include <sys/stat.h>
#include <unistd.h>

#include "gradproof/config.h"
#include "nlohmann/json.hpp"
#include "props/services/diagnosed_library.h"
#include "props/services/initialise_again.h"
#include "props/services/probe.h"
#include "props/services/services.h"
#include "props/subject/product.h"

namespace gradproof::props {
namespace {

class Diagnosis : DiagnosedLibrary {
 public:
  using DiagnosedLibrary::DiagnosedLibrary;
  void ask(const Diagnostics& promised);

 private:
  void ask_log();
  void ask_trace();
  void ask_refused_trace(const std::string& traced, const std::string& path);
};

void Diagnosis::ask_log() {
  for (const char* value : {"\"loud\"", "7"})
    refused("{\"log\": " + std::string(value) + "}", ACL_ERROR_FILE_ATTR_INVALID);
  log_.set("loud");
  is_.status("aclInit with GRADPROOF_LOG=loud", init_(nullptr), ACL_ERROR_INVALID_PARAM);
  strict_.set("yes");
  is_.status("aclInit with two bad variables", init_(nullptr), ACL_ERROR_INVALID_PARAM);
  strict_.unset();
  for (const char* value : {"", "off"}) {
    log_.set(value);
    accepted("GRADPROOF_LOG='" + std::string(value) + "'");
  }
  log_.unset();
  const auto program = [&] { pad_rightly(); };
  is_.that("without a log nothing is said", told("{\"log\": \"off\"}", program).empty());
  const std::string info = told("{\"log\": \"info\"}", program),
                    debug = told("{\"log\": \"debug\"}", program);
  is_.that("the log tells what ran", has(info, "gradproof info: aclnnReplicationPad2dBackward"));
  is_.that("the log's level is kept", !has(info, "gradproof debug: "));
  is_.that("the log tells what was planned", has(debug, "gradproof debug: "));
}

/// Whether a time in microseconds is a whole number of nanoseconds, as clocks count.
bool is_time(double microseconds) {
  const double ns = microseconds * 1000;
  return ns >= 0 && std::fabs(ns - std::round(ns)) < 1e-3;
}

/// Of the operator that is called here, in a trace; -1 if it is not JSON.
int calls_in(const std::string& path) {
  std::ifstream in(path);
  const nlohmann::json root = nlohmann::json::parse(in, nullptr, /*allow_exceptions=*/false);
  if (root.is_discarded()) return -1;
  int calls = 0;
  for (const nlohmann::json& event : root.is_object() ? root.value("traceEvents", root) : root)
    calls += static_cast<int>(event.value("name", "") == "aclnnReplicationPad2dBackward" &&
                              event.value("ph", "") == "X" && is_time(event.value("ts", -1.0)) &&
                              is_time(event.value("dur", -1.0)));
  return calls;
}

/// The program chooses a trace that cannot be written: the one in force goes on.
void Diagnosis::ask_refused_trace(const std::string& traced, const std::string& path) {
  GRADPROOF_FIND(choose, gradproof_set_option);
  const int before = calls_in(path);
  told(traced, [&] {
    pad_rightly();
    is_.status("gradproof_set_option of a trace that cannot be written",
               choose("trace", "/nowhere/trace.json"), ACL_ERROR_WRITE_FILE);
    pad_rightly();
  });
  is_.that("a trace goes on where the choice of another one is refused",
           calls_in(path) == before + 2);
}

void Diagnosis::ask_trace() {
  for (const char* value : {"\"\"", "7"})
    refused("{\"trace\": " + std::string(value) + "}", ACL_ERROR_FILE_ATTR_INVALID);
  refused("{\"trace\": \"/nowhere/trace.json\"}", ACL_ERROR_WRITE_FILE);
  // Names that may come from somebody who is not the program's friend: a link, a FIFO, a device.
  const auto not_traced = [&](const std::string& path, const std::string& what,
                              const char* reason) {
    is_.status("aclInit with a trace file that is " + what,
               init_(write("{\"trace\": \"" + path + "\"}")), ACL_ERROR_WRITE_FILE);
    const char* const message = message_();
    is_.that("the message says why no trace goes to " + what,
             message != nullptr && has(message, path) && has(message, reason));
  };
  const std::string target = (folder_.path() / "target").string(),
                    link = (folder_.path() / "link.json").string(),
                    fifo = (folder_.path() / "fifo.json").string();
  std::ofstream(target) << "kept";
  if (symlink(target.c_str(), link.c_str()) == 0)
    not_traced(link, "a symbolic link", "symbolic link");
  if (mkfifo(fifo.c_str(), 0600) == 0) not_traced(fifo, "a FIFO", "regular file");
  not_traced("/dev/null", "a device", "regular file");
  const std::string path = (folder_.path() / "trace.json").string();
  for (const std::string& value : {std::string(), path}) {
    trace_.set(value.c_str());
    accepted("GRADPROOF_TRACE='" + value + "'");
  }
  trace_.unset();
  is_.that("GRADPROOF_TRACE begins a trace", std::filesystem::exists(path));
  const std::string traced = "{\"trace\": \"" + path + "\"}";
  const std::string text = told(traced, [&] {
    pad_rightly();
    pad_rightly();
  });
  is_.that("a trace says nothing on stderr", text.empty());
  is_.that("a trace is JSON and has both calls", calls_in(path) == 2);
  told(traced, [&] { pad_rightly(); });
  is_.that("the process continues its trace", calls_in(path) == 3);
  std::ofstream(path) << "not ours";
  told(traced, [&] { pad_rightly(); });
  is_.that("a trace replaces a file that another program has overwritten", calls_in(path) == 1);
  told(traced, [&] {
    pad_rightly();
    is_.note(ask_trace_beside(library, file_.c_str()));
    pad_rightly();
  });
  is_.that("a trace is whole though another process began one of the same name",
           calls_in(path) == 3);
  try {
    ask_refused_trace(traced, path);
  } catch (const Missing&) {  // a library without such options
  }
  trace_.set((folder_.path() / "trace-%p.json").c_str());
  accepted("GRADPROOF_TRACE=trace-%p.json");
  trace_.unset();
  const std::string numbered = "trace-" + std::to_string(getpid()) + ".json";
  is_.that("%p in a trace's name is the process's number",
           std::filesystem::exists(folder_.path() / numbered));
}

void Diagnosis::ask(const Diagnostics& promised) {
  is_.status("aclFinalize", finalize_(), ACL_SUCCESS);
  is_.status("aclFinalize again", finalize_(), ACL_ERROR_REPEAT_FINALIZE);
  ask_log();
  if (promised.trace) ask_trace();
  if (promised.strict) ask_strict(is_, library);
}

}  // namespace

std::string ask_diagnosis(Session& session, const Diagnostics& promised) {
  Answers is;
  Diagnosis(session.library(), is).ask(promised);
  initialise_again(is, session);
  return is.first();
}

}  // namespace gradproof::props
