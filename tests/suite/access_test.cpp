// Where an access was that ended the process.
#include "props/subject/access.h"

#include <sys/mman.h>
#include <unistd.h>

#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <string>

#include "gtest/gtest.h"

namespace gradproof::props {
namespace {

/// A page between two that cannot be accessed, of which a tensor takes the middle and another one
/// the end, and what a child process that accesses memory leaves for its parent.
class Access : public testing::Test {
 protected:
  const std::size_t page_ = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  std::byte* const before_ = static_cast<std::byte*>(
      mmap(nullptr, 3 * page_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  char* const place_ = static_cast<char*>(
      mmap(nullptr, page_, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
  std::byte* const first_ = before_ + page_;

  Access() { mprotect(first_, page_, PROT_READ | PROT_WRITE); }
  ~Access() override {
    munmap(before_, 3 * page_);
    munmap(place_, page_);
  }

  std::string told(const std::function<void()>& end, int signal = SIGSEGV) {
    *place_ = '\0';
    EXPECT_EXIT(
        {
          std::signal(signal, SIG_DFL);
          keep_access_in(place_);
          note_memory("gradOutput", first_ + 16, 64);
          note_memory("the workspace", first_ + page_ - 64, 64);
          end();
          std::_Exit(0);
        },
        testing::KilledBySignal(signal), "");
    return place_;
  }
  /// The compiler does not see where.
  static void touch(std::uintptr_t address) {
    const volatile std::uintptr_t at = address;
    *reinterpret_cast<volatile std::byte*>(at) = std::byte{1};
  }
  std::ptrdiff_t page() const { return static_cast<std::ptrdiff_t>(page_); }
  std::uintptr_t first(std::ptrdiff_t more) const {
    return reinterpret_cast<std::uintptr_t>(first_) + static_cast<std::uintptr_t>(more);
  }
};

TEST_F(Access, IsToldFromTheNearestMemory) {
  EXPECT_EQ(told([&] { touch(first(-1)); }), "an access 17 bytes before the start of gradOutput");
  EXPECT_EQ(told([&] { touch(first(page())); }), "an access 1 byte past the end of the workspace");
  EXPECT_EQ(told([&] { touch(first(page() + 9)); }),
            "an access 10 bytes past the end of the workspace");
}

TEST_F(Access, ToATensorNamesIt) {
  const auto end = [&] {
    note_memory("self", first_ + page_, 8);
    touch(first(page()));
  };
  EXPECT_EQ(told(end), "an access to self");
}

TEST_F(Access, OfAFileThatIsTooShortIsTold) {
  const int file = memfd_create("empty", MFD_CLOEXEC);
  void* const behind = first_ + page_;
  ASSERT_EQ(mmap(behind, page_, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file, 0), behind);
  EXPECT_EQ(told([&] { touch(first(page() + 1)); }, SIGBUS),
            "an access 2 bytes past the end of the workspace");
  close(file);
}

TEST_F(Access, NearNullIsToldAsAnAddress) {
  EXPECT_EQ(told([] { touch(24); }), "an access to address 0x18");
}

TEST_F(Access, FarFromTheMemoryNothingIsTold) {
  EXPECT_EQ(told([&] { touch(first(std::ptrdiff_t{1} << 45)); }), "");
  EXPECT_EQ(told([&] {
              forget_memory();
              touch(first(-1));
            }),
            "");
}

TEST_F(Access, ASignalThatSomebodySendsEndsTheProcessToo) {
  EXPECT_EQ(told([] { kill(getpid(), SIGSEGV); }), "");
}

TEST_F(Access, AHandlerThatIsThereStays) {
  EXPECT_EXIT(
      {
        std::signal(SIGSEGV, [](int) { std::_Exit(7); });
        keep_access_in(place_);
        touch(first(-1));
      },
      testing::ExitedWithCode(7), "");
}

}  // namespace
}  // namespace gradproof::props
