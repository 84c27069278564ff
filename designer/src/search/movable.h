// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

#include "design/port_limits.h"

namespace fnn {

/// The NICs that a search may touch; the others stay where they are.
class Movable {
 public:
  explicit Movable(const Limits& limits);  ///< all of them
  Movable(const Limits& limits, const std::vector<bool>& fixed);

  bool has(int nic) const { return allowed_[Limits::at(nic)] != 0; }
  bool none() const { return nics_.empty(); }
  const std::vector<std::int32_t>& nics() const { return nics_; }
  const std::vector<std::uint8_t>& flags() const { return allowed_; }

 private:
  std::vector<std::uint8_t> allowed_;
  std::vector<std::int32_t> nics_;
};

}  // namespace fnn
