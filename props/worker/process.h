// One worker process: its birth, its descriptors, its end.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "props/services/surroundings.h"
#include "props/worker/channel.h"

namespace gradproof::props {

/// The last bytes of stderr that are shown. A sanitizer's report has to fit: its first lines say
/// what was found.
inline constexpr std::size_t kMostErrors = 10000;

class Process {
 public:
  explicit Process(const std::string& program);
  /// Ends it: politely, then by force.
  ~Process();
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  /// What `seconds_of(position)` limits.
  enum class Limited : std::uint8_t { step, check };
  /// Nothing comes from a process that is gone; it is late if the time passes without a message and
  /// without the next step or check.
  enum class Event : std::uint8_t { message, gone, late, stopped };
  /// It is stopped a second after `stop()` becomes true, and told when `enough()` does.
  Event wait(const std::function<double(std::uint32_t position)>& seconds_of, Limited limited,
             const std::function<bool()>& stop, const std::function<bool()>& enough);

  bool send(const std::string& message) { return send_message(socket_.get(), message); }
  std::optional<std::string> receive() { return receive_message(socket_.get()); }

  Progress& progress() const { return *progress_; }
  std::string output() const { return tail_of(output_.get(), 2000); }
  std::string errors() const { return tail_of(errors_.get(), kMostErrors); }

  /// Kills whatever is left of it and of its children. Returns the status that waitpid gives.
  int kill();

 private:
  /// The worker's TMPDIR: what it leaves there when it is lost goes with it. Nothing where none can
  /// be made; checks that need files then say so.
  std::optional<TemporaryFolder> folder_;
  int id_ = -1;
  bool over_ = false;
  int status_ = 0;
  Descriptor progress_file_, output_, errors_, socket_;
  SharedProgress progress_;
};

}  // namespace gradproof::props
