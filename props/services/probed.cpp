// The processes that probe.cpp starts: one question about a library each.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>
#include <string>
#include <system_error>

#include <dlfcn.h>
#include <unistd.h>

#include "props/cases/input_error.h"
#include "props/services/answers.h"
#include "props/services/probe.h"
#include "props/services/questions.h"
#include "props/subject/memory.h"

namespace gradproof::props {
namespace {

constexpr unsigned kMostSeconds = 10;

void ask(Answers& is, const Probe& probe, const std::string& tasks_library) {
  const std::string& question = probe.question;
  if (question == kUnloadingQuestion) return probe_unloading(is, probe.files);
  if (question == kDefaultsQuestion) return probe_defaults(is, probe.files);
  if (question == kWorkAtExitQuestion) return probe_work_at_exit(is, probe.files);
  const Library library(probe.files);
  const char* const config = probe.config.empty() ? nullptr : probe.config.c_str();
  if (library.api().init(config) != 0 || library.api().set_device(0) != 0)
    throw NotAsked{"aclInit fails"};
  if ((question == kTasksQuestion || question == kChangingQuestion || question == kReadsQuestion) &&
      dlsym(RTLD_DEFAULT, "__tsan_init") != nullptr)
    throw NotAsked{
        "ThreadSanitizer takes oneTBB's tasks for races, and changes of indices are races"};
  if ((question == kForksQuestion || question == kHandlesQuestion || question == kLocksQuestion) &&
      (dlsym(RTLD_DEFAULT, "__tsan_init") != nullptr ||
       dlsym(RTLD_DEFAULT, "__asan_init") != nullptr))
    throw NotAsked{"a sanitizer's own locks are lost in a child of fork()"};
  if (question == kTraceQuestion) {  // it is begun
    GRADPROOF_FIND(finalize, aclFinalize);
    is.status("aclFinalize", finalize(), ACL_SUCCESS);
  }
  if (question == kExitQuestion) probe_exit(is, library);
  if (question == kSignalsQuestion) probe_signals(is, library);
  if (question == kIdleQuestion) probe_idle(is, library);
  if (question == kForksQuestion) probe_forks(is, library);
  if (question == kHandlesQuestion) probe_handles_after_fork(is, library);
  if (question == kLocksQuestion) probe_locks_after_fork(is, library);
  if (question == kTasksQuestion) probe_tasks(is, library, tasks_library);
  if (question == kChangingQuestion)
    probe_changing_indices(is, library, parse_case(probe.case_text));
  if (question == kReadsQuestion)
    probe_indices_read_by_read(is, library, parse_case(probe.case_text));
}

}  // namespace

int answer_probe(const Probe& probe, const std::string& tasks_library) {
  alarm(kMostSeconds);  // if nobody waits for it any more
  Answers is;
  std::string said;
  try {
    ask(is, probe, tasks_library);
    said = is.first();
  } catch (const Missing&) {
    said = kNotAsked + std::string("the library lacks a function");
  } catch (const NotAsked& reason) {
    said = kNotAsked + reason.why;
  } catch (const SubjectFailure& failure) {
    said = failure.what();
  } catch (const InputError& reason) {
    said = kNotAsked + std::string(reason.what());
  } catch (const std::system_error& reason) {  // no thread
    said = kNotAsked + std::string(reason.what());
  } catch (const std::bad_alloc&) {
    said = kNotAsked + std::string("out of memory");
  }
  (void)!write(kAnswer, said.data(), said.size());
  std::_Exit(0);
}

}  // namespace gradproof::props
