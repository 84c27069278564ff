// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/writing.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <optional>

#include "base/json_text.h"
#include "base/problem.h"

namespace fnn {
namespace {

constexpr int kMostLinks = 40;  // the limit of the Linux kernel

[[noreturn]] void fail(const std::string& path) {
  throw BadInput({{file_name(path), std::string("cannot be written: ") + std::strerror(errno)}});
}

bool has_content(const std::string& path, const std::string& text) {
  std::ifstream file(path, std::ios::binary);
  std::string found_text(text.size(), '\0');
  return file.read(found_text.data(), static_cast<std::streamsize>(found_text.size())) && found_text == text &&
         file.peek() == std::ifstream::traits_type::eof();
}

/// The path that a symbolic link resolves to, existing or not: the link stays, its target is written.
std::string follow_links(std::string path) {
  for (int links = 0; std::filesystem::is_symlink(path); ++links) {
    if (links == kMostLinks) {
      errno = ELOOP;
      fail(path);
    }
    path = std::filesystem::path(path).parent_path() / std::filesystem::read_symlink(path);
  }
  return path;
}

void write_all(int descriptor, const std::string& text, const std::string& path) {
  for (std::size_t done = 0; done < text.size();) {
    const ssize_t wrote = ::write(descriptor, text.data() + done, text.size() - done);
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote < 0) fail(path);
    done += static_cast<std::size_t>(wrote);
  }
}

bool is_neither_file_nor_directory(const struct stat& found) { return !S_ISREG(found.st_mode) && !S_ISDIR(found.st_mode); }

/// Standard output or standard error, when `target` is one of the two.
std::optional<int> find_stream(const struct stat& target) {
  for (const int descriptor : {STDOUT_FILENO, STDERR_FILENO}) {
    struct stat stream{};
    const bool open = ::fstat(descriptor, &stream) == 0;
    if (open && stream.st_dev == target.st_dev && stream.st_ino == target.st_ino) return descriptor;
  }
  return std::nullopt;
}

/// Writes into what cannot be replaced by a file: a device, a pipe, an open stream.
void write_through(const std::string& path, std::optional<int> stream, const std::string& text) {
  const int descriptor = stream ? *stream : ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
  if (descriptor < 0) fail(path);
  std::cout << std::flush;
  write_all(descriptor, text, path);
  if (!stream && ::close(descriptor) != 0) fail(path);
}

/// The name of the temporary file, for the signal handler. It is set before the file is created, so
/// that the handler can remove the file at any moment. Only one temporary file exists at a time.
std::array<char, PATH_MAX> temporary_name;
std::atomic<bool> temporary_exists{false};

void set_temporary_name(const std::string& name) {
  if (name.size() >= temporary_name.size()) return;
  temporary_exists = false;
  std::copy_n(name.c_str(), name.size() + 1, temporary_name.begin());
  temporary_exists = true;
}

/// "." for a name without a directory.
std::string parent_directory(const std::string& path) {
  const std::filesystem::path parent = std::filesystem::path(path).parent_path();
  return parent.empty() ? "." : parent.string();
}

/// The temporary file; the destructor removes it unless it was renamed.
///
/// It has no name until it is complete (O_TMPFILE, open(2)), so that a process that is killed while it writes leaves
/// none: mpirun can end a process without a signal that remove_temporary_file() could handle. Where the file system
/// has no such files, it has a name from the beginning.
class TemporaryFile {
 public:
  explicit TemporaryFile(const std::string& path) : target_(path) {
    descriptor_ = ::open(parent_directory(path).c_str(), O_WRONLY | O_TMPFILE | O_CLOEXEC, 0666);
    if (descriptor_ >= 0) return;
    choose_name([this] {
      descriptor_ = ::open(name_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
      return descriptor_ >= 0;
    });
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile() {
    if (descriptor_ >= 0) ::close(descriptor_);
    if (!renamed_ && !name_.empty()) ::unlink(name_.c_str());
    temporary_exists = false;
  }

  void fill(const std::string& text) {
    write_all(descriptor_, text, target_);
    if (::fsync(descriptor_) != 0) fail(target_);
  }

  void rename() {
    if (name_.empty()) {
      // Without privileges, linkat(2) finds the file only by this path (open(2), O_TMPFILE).
      const std::string unnamed = "/proc/self/fd/" + std::to_string(descriptor_);
      choose_name([&] { return ::linkat(AT_FDCWD, unnamed.c_str(), AT_FDCWD, name_.c_str(), AT_SYMLINK_FOLLOW) == 0; });
    }
    if (::rename(name_.c_str(), target_.c_str()) != 0) fail(target_);
    renamed_ = true;
    temporary_exists = false;
  }

 private:
  /// Sets name_ to the first name with which `create` succeeds, beside the target.
  template <typename Create>
  void choose_name(Create create) {
    for (int attempt = 0;; ++attempt) {
      name_ = target_ + "." + std::to_string(::getpid()) + "-" + std::to_string(attempt);
      set_temporary_name(name_);
      if (create()) return;
      if (errno == EEXIST) continue;
      temporary_exists = false;
      name_.clear();
      fail(target_);
    }
  }

  std::string target_;
  std::string name_;
  int descriptor_ = -1;
  bool renamed_ = false;
};

/// Makes the rename durable, since it is stored in the directory. Not every file system supports this.
void flush_directory(const std::string& path) {
  const int directory = ::open(parent_directory(path).c_str(), O_RDONLY | O_DIRECTORY);
  if (directory < 0) return;
  ::fsync(directory);
  ::close(directory);
}

}  // namespace

void remove_temporary_file() noexcept {
  if (temporary_exists) ::unlink(temporary_name.data());
}

bool is_replaced_by_writing(const std::string& path) {
  struct stat found{};
  return ::stat(path.c_str(), &found) != 0 || !(find_stream(found) || is_neither_file_nor_directory(found));
}

void write_atomically(const std::string& path, const std::string& text) {
  struct stat found{};
  const bool exists = ::stat(path.c_str(), &found) == 0;
  const std::optional<int> stream = exists ? find_stream(found) : std::nullopt;
  if (stream || (exists && is_neither_file_nor_directory(found))) return write_through(path, stream, text);
  const std::string target = follow_links(path);
  if (exists && has_content(target, text)) return;
  TemporaryFile temporary(target);
  temporary.fill(text);
  temporary.rename();
  flush_directory(target);
}

}  // namespace fnn
