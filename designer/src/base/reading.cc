// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/reading.h"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

#include "base/json_text.h"
#include "base/problem.h"

namespace fnn {
namespace {

constexpr std::size_t kMostBytes = kMostMebibytes << 20U;

Bytes failure_of(int error) { return {"", std::strerror(error)}; }

Bytes drain(int descriptor) {
  Bytes bytes;
  std::array<char, 1U << 16U> block{};
  for (;;) {
    const ssize_t count = ::read(descriptor, block.data(), block.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return failure_of(errno);
    if (count == 0) return bytes;
    if (bytes.text.size() + static_cast<std::size_t>(count) > kMostBytes) {
      return {"", "larger than " + std::to_string(kMostMebibytes) + " MiB", true};
    }
    bytes.text.append(block.data(), static_cast<std::size_t>(count));
  }
}

}  // namespace

Bytes read_bytes(const std::string& path) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return failure_of(errno);
  Bytes bytes = drain(descriptor);
  ::close(descriptor);
  return bytes;
}

std::string read_text(const std::string& path) {
  Bytes bytes = read_bytes(path);
  if (!bytes.failure.empty()) throw BadInput({{file_name(path), "cannot be read: " + bytes.failure}});
  return std::move(bytes.text);
}

}  // namespace fnn
