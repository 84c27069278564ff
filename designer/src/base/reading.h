// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>

namespace fnn {

/// No input of a cluster within the limits of a spec is larger. The limit also ends reads from endless devices.
inline constexpr std::size_t kMostMebibytes = 256;

/// The bytes of a file, or the reason why they cannot be read.
struct Bytes {
  std::string text;
  std::string failure;  ///< empty when the file was read
  bool too_large = false;
};

/// Reads at most kMostMebibytes; a larger file is a failure.
Bytes read_bytes(const std::string& path);

/// The bytes of a file. Throws BadInput when it cannot be read or is too large.
std::string read_text(const std::string& path);

}  // namespace fnn
