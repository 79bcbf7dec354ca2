// Where the log goes, and that nothing is left out of it: gradproof_set_log.
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include <dlfcn.h>

#include "gradproof/config.h"
#include "props/cases/case.h"
#include "props/cases/data/data.h"
#include "props/services/answers.h"
#include "props/services/argument_text.h"
#include "props/services/device_bytes.h"
#include "props/services/fitting_case.h"
#include "props/services/services.h"
#include "props/subject/capture.h"

namespace gradproof::props {
namespace {

/// What the library handed to the program's function.
struct Lines {
  std::mutex mutex;
  std::vector<std::string> all;
  bool levels_known = true;
  aclError nested = ACL_SUCCESS;
  decltype(&::gradproof_set_log) set = nullptr;

  static void take(std::int32_t level, const char* line, void* user) {
    auto& self = *static_cast<Lines*>(user);
    const std::lock_guard lock(self.mutex);
    self.all.emplace_back(line);
    self.levels_known = self.levels_known && (level == 1 || level == 2);
    self.nested = self.set(nullptr, nullptr);
  }
  bool tells(const std::string& of) {
    const std::lock_guard lock(mutex);
    for (const std::string& line : all) {
      if (line.find(of) != line.npos) return true;
    }
    return false;
  }
  /// The newest line with the word; "" if there is none.
  std::string newest_with(std::string_view word) {
    const std::lock_guard lock(mutex);
    for (auto line = all.rbegin(); line != all.rend(); ++line) {
      if (line->find(word) != line->npos) return *line;
    }
    return "";
  }
  std::size_t count() {
    const std::lock_guard lock(mutex);
    return all.size();
  }
  /// The number of the stream that the newest line names; 0 if it names none.
  unsigned long stream() {
    constexpr std::string_view kNamed = "on stream ";
    const std::lock_guard lock(mutex);
    const std::size_t at = all.empty() ? std::string::npos : all.back().find(kNamed);
    return at == std::string::npos ? 0 : std::stoul("0" + all.back().substr(at + kNamed.size()));
  }
};

/// The call's tensors with type and extents, as a line of the log ends.
std::string listed_tensors(const ref::Call& call) {
  std::string list;
  for (const ref::Parameter& p : ref::signature(call.op).parameters) {
    if (p.kind != ref::Kind::tensor) continue;
    const ref::Tensor& t = call.tensors[static_cast<std::size_t>(p.slot)];
    list += (list.empty() ? "; " : ", ") + std::string(p.name) + ' ' + type_and_shape(t);
  }
  return list;
}

/// At level debug each of a stream's tasks has a line.
void ask_tasks(Answers& is, const Library& library, Lines& lines) {
  GRADPROOF_FIND(fill, aclrtMemsetAsync);
  GRADPROOF_FIND(copy, aclrtMemcpyAsync);
  GRADPROOF_FIND(create_event, aclrtCreateEvent);
  GRADPROOF_FIND(destroy_event, aclrtDestroyEvent);
  GRADPROOF_FIND(record, aclrtRecordEvent);
  GRADPROOF_FIND(wait, aclrtStreamWaitEvent);
  GRADPROOF_FIND(synchronize, aclrtSynchronizeStream);
  const DeviceBytes bytes(library.api(), 64);
  aclrtEvent event = nullptr;
  is.status("aclrtCreateEvent", create_event(&event), ACL_SUCCESS);
  const auto ask = [&](const std::string& task, auto launch) {
    const std::size_t before = lines.count();
    is.status(task, launch(), ACL_SUCCESS);
    is.status("aclrtSynchronizeStream", synchronize(nullptr), ACL_SUCCESS);
    is.that("the log has a line for " + task, lines.count() > before);
  };
  ask("aclrtMemsetAsync", [&] { return fill(bytes.data(), 64, 1, 64, nullptr); });
  ask("aclrtMemcpyAsync", [&] {
    return copy(bytes.data(), 32, bytes.data() + 32, 32, ACL_MEMCPY_DEVICE_TO_DEVICE, nullptr);
  });
  ask("aclrtRecordEvent", [&] { return record(event, nullptr); });
  ask("aclrtStreamWaitEvent", [&] { return wait(nullptr, event); });
  is.status("aclrtDestroyEvent", destroy_event(event), ACL_SUCCESS);
}

/// Streams have numbers in the order in which they are created.
void ask_numbers(Answers& is, const Library& library, Lines& lines) {
  GRADPROOF_FIND(create, aclrtCreateStream);
  GRADPROOF_FIND(destroy, aclrtDestroyStream);
  GRADPROOF_FIND(fill, aclrtMemsetAsync);
  GRADPROOF_FIND(synchronize, aclrtSynchronizeStream);
  const DeviceBytes bytes(library.api(), 64);
  unsigned long before = 0;
  for (int i = 0; i < 2; ++i) {
    aclrtStream stream = nullptr;
    is.status("aclrtCreateStream", create(&stream), ACL_SUCCESS);
    is.status("aclrtMemsetAsync", fill(bytes.data(), 64, 1, 64, stream), ACL_SUCCESS);
    is.status("aclrtSynchronizeStream", synchronize(stream), ACL_SUCCESS);
    is.status("aclrtDestroyStream", destroy(stream), ACL_SUCCESS);
    is.that("a stream that was created later has a larger number in the log",
            lines.stream() > before);
    before = lines.stream();
  }
}

/// A call that the conformance `cann` accepts and the documents refuse is logged with its place in
/// the program.
void ask_notice(Answers& is, Session& session, Lines& lines) {
  const Library& library = session.library();
  GRADPROOF_FIND(set_option, gradproof_set_option);
  // Where the library is part of the program, its own functions are in the same file as the caller.
  if (library.has_whole_program()) return;
  // Each text is logged once, so that each time needs a text of its own.
  static int padding = 1000;
  ++padding;
  ref::Call call =
      parse_case("replication_pad2d_backward gradOutput=FLOAT[1,2," + std::to_string(padding + 2) +
                 "]:ND self=FLOAT[1,2,2]:ND padding=" + std::to_string(padding) +
                 ",0,0,0 gradInput=FLOAT[1,2,2]:ND")
          .call;
  call.product = session.product();
  is.status("gradproof_set_option of conformance", set_option("conformance", "cann"), ACL_SUCCESS);
  is.status("phase 1 of a large padding in the conformance cann",
            session.get_workspace_size(call).status, 0);
  is.status("gradproof_set_option of conformance", set_option("conformance", nullptr), ACL_SUCCESS);
  const std::string line = lines.newest_with("refused by the documents: ");
  Dl_info own{};
  dladdr(reinterpret_cast<const void*>(set_option), &own);
  is.that("a call that only the documents refuse is logged, and where the program made it: " + line,
          line.find("; called by ") != line.npos && own.dli_fname != nullptr &&
              line.find(own.dli_fname) == line.npos);
}

}  // namespace

std::string ask_log(Session& session, const Case& c) {
  const Library& library = session.library();
  GRADPROOF_FIND(set_option, gradproof_set_option);
  GRADPROOF_FIND(set_log, gradproof_set_log);
  const std::string api(ref::signature(c.call.op).api);
  const std::vector<ref::Dense> data = make_data(c);
  Answers is;
  Lines lines;
  lines.set = set_log;
  const Case plain = fitting_case(library, c);
  const std::vector<ref::Dense> plain_data = make_data(plain);
  (void)session.perform(plain, plain_data);  // the library may keep its plan, made without a log
  is.status("gradproof_set_option of log", set_option("log", "debug"), ACL_SUCCESS);
  is.status("gradproof_set_log", set_log(Lines::take, &lines), ACL_SUCCESS);
  Capture here(stderr);
  const Outcome logged = session.perform(plain, plain_data);
  const std::string line = lines.newest_with(ref::signature(plain.call.op).api);
  is.that("the log names the tensors of a call: " + line,
          !logged.ran || logged.phase2 != 0 || line.ends_with(listed_tensors(plain.call)));
  (void)session.perform(c, data);
  ask_tasks(is, library, lines);
  ask_numbers(is, library, lines);
  ask_notice(is, session, lines);
  const std::string beside = here.text();
  is.status("gradproof_set_log of null", set_log(nullptr, nullptr), ACL_SUCCESS);
  is.that("lines of the log go to the program's function, " + api + " among them",
          lines.tells(api));
  is.that("levels of the log's lines are 1 and 2", lines.levels_known);
  is.that("lines that the program's function takes are not on stderr",
          beside.find("gradproof debug: ") == beside.npos &&
              beside.find("gradproof info: ") == beside.npos);
  is.status("gradproof_set_log in the log's function", lines.nested, ACL_ERROR_INVALID_PARAM);
  const std::size_t taken = lines.count();
  Capture again(stderr);
  (void)session.perform(c, data);
  const std::string told = again.text();
  is.that("without a function, lines of the log go to stderr",
          lines.count() == taken && told.find(api) != told.npos);
  is.status("gradproof_set_option of log", set_option("log", nullptr), ACL_SUCCESS);
  return is.first();
}

}  // namespace gradproof::props
