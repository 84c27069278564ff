// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/writing.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "base/json_text.h"
#include "base/problem.h"

namespace fnn {
namespace {

[[noreturn]] void fail(const std::string& path) {
  throw BadInput({{file_name(path), std::string("cannot be written: ") + std::strerror(errno)}});
}

bool holds(const std::string& path, const std::string& text) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return false;
  std::ostringstream there;
  there << file.rdbuf();
  return there.str() == text;
}

/// The temporary file: gone again unless it was renamed.
class Draft {
 public:
  explicit Draft(const std::string& path) : target_(path), name_(path + ".XXXXXX") {
    descriptor_ = ::mkstemp(name_.data());
    if (descriptor_ < 0) fail(target_);
  }
  Draft(const Draft&) = delete;
  Draft& operator=(const Draft&) = delete;
  ~Draft() {
    if (descriptor_ >= 0) ::close(descriptor_);
    if (!renamed_) ::unlink(name_.c_str());
  }

  void fill(const std::string& text) {
    for (std::size_t done = 0; done < text.size();) {
      const ssize_t wrote = ::write(descriptor_, text.data() + done, text.size() - done);
      if (wrote < 0 && errno == EINTR) continue;
      if (wrote < 0) fail(target_);
      done += static_cast<std::size_t>(wrote);
    }
    // mkstemp gives 0600; a document is for everybody whom the umask does not shut out.
    const mode_t mask = ::umask(0);
    ::umask(mask);
    if (::fchmod(descriptor_, 0666 & ~mask) != 0 || ::fsync(descriptor_) != 0) fail(target_);
  }

  void rename() {
    if (::rename(name_.c_str(), target_.c_str()) != 0) fail(target_);
    renamed_ = true;
  }

 private:
  std::string target_;
  std::string name_;
  int descriptor_ = -1;
  bool renamed_ = false;
};

/// The rename itself lives in the directory. Not every file system can be asked for this.
void flush_directory(const std::string& path) {
  const std::filesystem::path parent = std::filesystem::path(path).parent_path();
  const int directory = ::open(parent.empty() ? "." : parent.c_str(), O_RDONLY | O_DIRECTORY);
  if (directory < 0) return;
  ::fsync(directory);
  ::close(directory);
}

}  // namespace

void write_atomically(const std::string& path, const std::string& text) {
  if (holds(path, text)) return;
  Draft draft(path);
  draft.fill(text);
  draft.rename();
  flush_directory(path);
}

}  // namespace fnn
