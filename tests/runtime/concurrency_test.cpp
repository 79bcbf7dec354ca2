// Many threads at once. ThreadSanitizer watches these for races; the counts are checked here.
#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

#include "acl/acl.h"
#include "opt/runtime/tensor.h"
#include "tests/runtime/fake_plan.h"

namespace gradproof::test {
namespace {

constexpr int kThreads = 4;

template <class Body>
void in_threads(Body&& body) {
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) threads.emplace_back([&body, t] { body(t); });
  for (std::thread& thread : threads) thread.join();
}

aclTensor* make_tensor() {
  const std::int64_t shape[] = {2, 3};
  return aclCreateTensor(shape, 2, ACL_FLOAT, nullptr, 0, ACL_FORMAT_ND, shape, 2, nullptr);
}

TEST(Concurrency, TensorsAreMadeFoundAndDestroyed) {
  in_threads([](int) {
    for (int i = 0; i < 500; ++i) {
      aclTensor* tensor = make_tensor();
      ASSERT_TRUE(find(tensor));
      ASSERT_EQ(aclDestroyTensor(tensor), ACLNN_SUCCESS);
      ASSERT_FALSE(find(tensor));
    }
  });
}

TEST(Concurrency, ReadersKeepWhatOthersDestroyAndReplace) {
  std::atomic<aclTensor*> shared{nullptr};
  std::atomic<int> destroyed{0};
  in_threads([&](int t) {
    for (int i = 0; i < 500; ++i) {
      const std::int64_t shape[] = {1000 * t + i, 1000 * t + i};
      aclTensor* const own =
          aclCreateTensor(shape, 2, ACL_FLOAT, nullptr, 0, ACL_FORMAT_ND, shape, 2, nullptr);
      aclTensor* const old = shared.exchange(own);  // others may have found it, and may be late
      if (const auto found = find(shared.load())) {
        if (aclDestroyTensor(old) == ACLNN_SUCCESS) ++destroyed;
        ASSERT_EQ(found->shape.size(), 2u);
        ASSERT_EQ(found->shape[0], found->shape[1]);
        ASSERT_EQ(found->shape, found->storage);
      } else if (aclDestroyTensor(old) == ACLNN_SUCCESS) {
        ++destroyed;
      }
    }
  });
  EXPECT_EQ(aclDestroyTensor(shared), ACLNN_SUCCESS);
  EXPECT_EQ(destroyed, kThreads * 500 - 1);
}

TEST(Concurrency, OneOfManyDestroyersWins) {
  for (int round = 0; round < 50; ++round) {
    aclTensor* tensor = make_tensor();
    aclrtStream stream = nullptr;
    ASSERT_EQ(aclrtCreateStream(&stream), ACL_SUCCESS);
    std::atomic<int> tensor_won{0};
    std::atomic<int> stream_won{0};
    in_threads([&](int) {
      if (const auto found = find(tensor)) {
        EXPECT_EQ(found->shape.size(), 2u);
      }
      aclSetRawTensorAddr(tensor, &tensor_won);
      if (aclDestroyTensor(tensor) == ACLNN_SUCCESS) ++tensor_won;
      if (aclrtDestroyStream(stream) == ACL_SUCCESS) ++stream_won;
    });
    EXPECT_EQ(tensor_won, 1);
    EXPECT_EQ(stream_won, 1);
  }
}

TEST(Concurrency, OneOfManyLaunchesConsumes) {
  for (int round = 0; round < 100; ++round) {
    std::atomic<int> runs{0};
    std::atomic<int> accepted{0};
    aclOpExecutor* executor = executor_of(call_of([&](const Binding&) {
      ++runs;
      return Status();
    }));
    in_threads([&](int) {
      if (launch(kApi, nullptr, 0, executor, nullptr) == ACLNN_SUCCESS) ++accepted;
    });
    EXPECT_EQ(aclrtSynchronizeStream(nullptr), ACL_SUCCESS);
    EXPECT_EQ(accepted, 1);
    EXPECT_EQ(runs, 1);
  }
}

TEST(Concurrency, ManyEnqueueAndSynchroniseOneStream) {
  aclrtStream stream = nullptr;
  ASSERT_EQ(aclrtCreateStream(&stream), ACL_SUCCESS);
  int counter = 0;  // not atomic: a stream runs one task at a time
  in_threads([&](int t) {
    for (int i = 0; i < 300; ++i) {
      ASSERT_EQ(run_on(stream,
                       [&](const Binding&) {
                         ++counter;
                         return Status();
                       }),
                ACLNN_SUCCESS);
      if (i % (t + 1) == 0) {
        ASSERT_EQ(aclrtSynchronizeStream(stream), ACL_SUCCESS);
      } else if (i % 7 == 0) {
        ASSERT_EQ(aclrtSynchronizeStreamWithTimeout(stream, 60000), ACL_SUCCESS);
      }
    }
  });
  EXPECT_EQ(aclrtDestroyStream(stream), ACL_SUCCESS);
  EXPECT_EQ(counter, kThreads * 300);
}

TEST(Concurrency, SynchronisedWorkIsVisible) {
  in_threads([](int) {
    aclrtStream stream = nullptr;
    ASSERT_EQ(aclrtCreateStream(&stream), ACL_SUCCESS);
    int value = 0;
    for (int i = 1; i <= 200; ++i) {
      ASSERT_EQ(run_on(stream,
                       [&](const Binding&) {
                         ++value;
                         return Status();
                       }),
                ACLNN_SUCCESS);
      ASSERT_EQ(aclrtSynchronizeStream(stream), ACL_SUCCESS);
      ASSERT_EQ(value, i);
    }
    ASSERT_EQ(aclrtDestroyStream(stream), ACL_SUCCESS);
  });
}

TEST(Concurrency, StreamsWaitForEachOthersEvents) {
  std::vector<aclrtStream> streams(kThreads);
  std::vector<aclrtEvent> events(kThreads);
  for (aclrtStream& stream : streams) ASSERT_EQ(aclrtCreateStream(&stream), ACL_SUCCESS);
  for (aclrtEvent& event : events) {
    ASSERT_EQ(aclrtCreateEvent(&event), ACL_SUCCESS);
    ASSERT_EQ(aclrtRecordEvent(event, nullptr), ACL_SUCCESS);
  }
  in_threads([&](int t) {
    const auto own = static_cast<std::size_t>(t);
    for (int i = 0; i < 200; ++i) {
      const auto other = static_cast<std::size_t>((t + i) % kThreads);
      ASSERT_EQ(aclrtStreamWaitEvent(streams[own], events[other]), ACL_SUCCESS);
      ASSERT_EQ(aclrtRecordEvent(events[own], streams[own]), ACL_SUCCESS);
      if (i % 16 == 0) {
        ASSERT_EQ(aclrtSynchronizeStream(streams[other]), ACL_SUCCESS);
      }
      if (i % 16 == 8) {
        ASSERT_EQ(aclrtSynchronizeEvent(events[other]), ACL_SUCCESS);
      }
    }
  });
  EXPECT_EQ(aclrtSynchronizeDevice(), ACL_SUCCESS);
  for (aclrtStream stream : streams) EXPECT_EQ(aclrtDestroyStream(stream), ACL_SUCCESS);
  for (aclrtEvent event : events) EXPECT_EQ(aclrtDestroyEvent(event), ACL_SUCCESS);
}

TEST(Concurrency, RepeatableExecutorOnManyStreamsWhileItsAddressesChange) {
  std::byte memory[2]{};
  std::atomic<int> wrong{0};
  std::atomic<int> runs{0};
  auto call = call_of([&](const Binding& binding) {
    if (binding.data[0] != &memory[0] && binding.data[0] != &memory[1]) ++wrong;
    ++runs;
    return Status();
  });
  call->operand_count = 1;
  call->operands[0] = {"x", Access::read, false, &memory[0]};
  aclOpExecutor* executor = executor_of(std::move(call));
  aclTensor* tensor = make_tensor();
  ASSERT_EQ(aclSetAclOpExecutorRepeatable(executor), ACLNN_SUCCESS);
  in_threads([&](int t) {
    aclrtStream stream = nullptr;
    ASSERT_EQ(aclrtCreateStream(&stream), ACL_SUCCESS);
    for (int i = 0; i < 200; ++i) {
      ASSERT_EQ(aclSetTensorAddr(executor, 0, tensor, &memory[(t + i) % 2]), ACLNN_SUCCESS);
      ASSERT_EQ(launch(kApi, nullptr, 0, executor, stream), ACLNN_SUCCESS);
    }
    ASSERT_EQ(aclrtDestroyStream(stream), ACL_SUCCESS);
  });
  EXPECT_EQ(runs, kThreads * 200);
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(aclDestroyAclOpExecutor(executor), ACLNN_SUCCESS);
  EXPECT_EQ(aclDestroyTensor(tensor), ACLNN_SUCCESS);
}

TEST(Concurrency, DefaultStreamSurvivesResets) {
  std::atomic<int> runs{0};
  in_threads([&](int t) {
    for (int i = 0; i < 100; ++i) {
      if (t == 0 && i % 10 == 0) {
        ASSERT_EQ(aclrtResetDevice(0), ACL_SUCCESS);
      } else {
        ASSERT_EQ(run_on(nullptr,
                         [&](const Binding&) {
                           ++runs;
                           return Status();
                         }),
                  ACLNN_SUCCESS);
      }
    }
  });
  EXPECT_EQ(aclrtSynchronizeDevice(), ACL_SUCCESS);
  EXPECT_EQ(runs, kThreads * 100 - 10);
}

TEST(Concurrency, ASightTellsWhetherWhatWasReadIsTheHandles) {
  std::atomic<aclTensor*> shared{nullptr};
  std::byte memory[500];
  in_threads([&](int t) {
    for (int i = 0; i < 500; ++i) {
      if (t % 2 == 0) {
        const std::int64_t shape[] = {i + 1, i + 1};
        aclTensor* const own =
            aclCreateTensor(shape, 2, ACL_FLOAT, nullptr, 0, ACL_FORMAT_ND, shape, 2, &memory[i]);
        (void)aclDestroyTensor(shared.exchange(own));
      } else {
        Sight sight{};
        const auto* const beside = tensors.peek(shared.load(), sight);
        if (beside == nullptr) continue;
        const KeyPart key = beside->key;
        void* const data = beside->data;
        if (!sight.lasts()) continue;
        const std::int64_t extent = static_cast<std::byte*>(data) - memory + 1;
        ASSERT_EQ(key.words[2], static_cast<std::uint64_t>(extent));
        ASSERT_EQ(key.words[3], static_cast<std::uint64_t>(extent));
      }
    }
  });
  EXPECT_EQ(aclDestroyTensor(shared), ACLNN_SUCCESS);
}

TEST(Concurrency, ASynchronisationShowsWhatQuickTasksDid) {
  aclrtStream stream = nullptr;
  ASSERT_EQ(aclrtCreateStream(&stream), ACL_SUCCESS);
  in_threads([&](int) {
    for (int i = 0; i < 500; ++i) {
      int result = 0;  // whichever thread runs the task
      auto call = call_of([&](const Binding&) {
        result = i;
        return Status();
      });
      call->work = 0;
      ASSERT_EQ(launch(kApi, nullptr, 0, executor_of(std::move(call)), stream), ACLNN_SUCCESS);
      ASSERT_EQ(aclrtSynchronizeStream(stream), ACL_SUCCESS);
      ASSERT_EQ(result, i);
    }
  });
  EXPECT_EQ(aclrtDestroyStream(stream), ACL_SUCCESS);
}

TEST(Concurrency, MemoryIsSharedFairly) {
  in_threads([](int t) {
    for (int i = 1; i < 200; ++i) {
      void* block = nullptr;
      const auto size = static_cast<std::size_t>(64 * t + i);
      ASSERT_EQ(aclrtMalloc(&block, size, ACL_MEM_MALLOC_HUGE_FIRST), ACL_SUCCESS);
      ASSERT_EQ(aclrtMemset(block, size, t, size), ACL_SUCCESS);
      ASSERT_EQ(aclrtFree(block), ACL_SUCCESS);
    }
  });
}

}  // namespace
}  // namespace gradproof::test
