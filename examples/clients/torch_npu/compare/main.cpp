// Compares torch_npu's operator plugin on gradproof with ATen on the same tensors. Prints which
// operators were called, how often and whether results were equal; with the argument `differences`
// the known differences, with `times` the time of each gradient. Each thread calls on its own
// stream; TASK_QUEUE_ENABLE (0, 1, 2) chooses in which threads the phases run.
#include <acl/acl.h>

#include <cstdio>
#include <cstring>
#include <exception>
#include <thread>
#include <vector>

#include "device.h"
#include "errors.h"
#include "operators.h"
#include "table.h"

namespace compare {
void print_differences();
void print_times();

namespace {

void sweep(at::ScalarType type) {
  NPU_CHECK_ERROR(aclrtSetDevice(0));
  c10_npu::setCurrentNPUStream(c10_npu::newNPUStream());
  for (const Layout layout :
       {Layout::contiguous, Layout::channels_last, Layout::transposed, Layout::gaps})
    Sweep(type, layout).run();
}

void run() {
  std::vector<std::exception_ptr> errors(3);
  std::vector<std::thread> threads;
  for (const at::ScalarType type : {at::kFloat, at::kHalf, at::kBFloat16}) {
    std::exception_ptr& error = errors[threads.size()];
    threads.emplace_back([type, &error] {
      try {
        sweep(type);
      } catch (...) {
        error = std::current_exception();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const std::exception_ptr& error : errors) {
    if (error != nullptr) std::rethrow_exception(error);
  }
}

}  // namespace
}  // namespace compare

int main(int count, char** arguments) {
  c10_npu::use_late_free();
  try {
    NPU_CHECK_ERROR(aclInit(nullptr));
    NPU_CHECK_ERROR(aclrtSetDevice(0));
    if (count > 1 && std::strcmp(arguments[1], "differences") == 0) {
      compare::print_differences();
      return 0;
    }
    if (count > 1 && std::strcmp(arguments[1], "times") == 0) {
      compare::print_times();
      return 0;
    }
    compare::run();
    compare::print_counts();
    return compare::differences() == 0 ? 0 : 1;
  } catch (const c10::Error& error) {
    std::fprintf(stderr, "%s\n", error.what_without_backtrace());
    return 1;
  }
}
