// Sockets, shared memory and anonymous files.
#include "props/worker/channel.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

namespace gradproof::props {
namespace {

/// No message is larger: a length above it is garbage.
constexpr std::uint64_t kLargestMessage = std::uint64_t{1} << 32;

[[noreturn]] void fail(const char* what) {
  throw std::system_error(errno, std::generic_category(), what);
}

bool receive_bytes(int socket, char* to, std::size_t size) {
  while (size > 0) {
    const ssize_t got = recv(socket, to, size, 0);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    to += got;
    size -= static_cast<std::size_t>(got);
  }
  return true;
}

bool send_bytes(int socket, const char* from, std::size_t size) {
  while (size > 0) {
    const ssize_t sent = send(socket, from, size, MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) return false;
    from += sent;
    size -= static_cast<std::size_t>(sent);
  }
  return true;
}

}  // namespace

Descriptor::~Descriptor() {
  if (number_ >= 0) close(number_);
}

SharedProgress::SharedProgress(int descriptor) {
  if (ftruncate(descriptor, sizeof(Progress)) != 0) fail("ftruncate");
  void* memory = mmap(nullptr, sizeof(Progress), PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
  if (memory == MAP_FAILED) fail("mmap");
  progress_ = static_cast<Progress*>(memory);  // zeros are a Progress at its beginning
}

SharedProgress::~SharedProgress() { munmap(progress_, sizeof(Progress)); }

bool send_message(int socket, const std::string& bytes) {
  const std::uint64_t size = bytes.size();
  return send_bytes(socket, reinterpret_cast<const char*>(&size), sizeof size) &&
         send_bytes(socket, bytes.data(), bytes.size());
}

std::optional<std::string> receive_message(int socket) {
  std::uint64_t size = 0;
  if (!receive_bytes(socket, reinterpret_cast<char*>(&size), sizeof size) || size > kLargestMessage)
    return std::nullopt;
  std::string bytes(size, '\0');
  if (!receive_bytes(socket, bytes.data(), size)) return std::nullopt;
  return bytes;
}

Descriptor anonymous_file(const char* name) {
  Descriptor low(memfd_create(name, MFD_CLOEXEC));
  // Out of the way of the numbers that the worker gives its own.
  Descriptor file(fcntl(low.get(), F_DUPFD_CLOEXEC, 16));
  if (file.get() < 0 || fcntl(file.get(), F_SETFL, O_APPEND) != 0) fail("memfd_create");
  return file;
}

std::string tail_of(int descriptor, std::size_t most) {
  struct stat file {};
  if (fstat(descriptor, &file) != 0 || file.st_size <= 0) return "";
  const auto size = static_cast<std::size_t>(file.st_size);
  std::string text(std::min(size, most), '\0');
  const ssize_t got =
      pread(descriptor, text.data(), text.size(), static_cast<off_t>(size - text.size()));
  text.resize(static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
  return size > most ? "[…] " + text : text;
}

}  // namespace gradproof::props
