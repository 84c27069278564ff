// SPDX-License-Identifier: GPL-3.0-or-later
#include "search/movable.h"

namespace fnn {

Movable::Movable(const Limits& limits) : Movable(limits, std::vector<bool>(limits.nics.size(), false)) {}

Movable::Movable(const Limits& limits, const std::vector<bool>& fixed) : allowed_(limits.nics.size(), 0) {
  for (std::size_t nic = 0; nic < limits.nics.size(); ++nic) {
    allowed_[nic] = fixed[nic] ? 0 : 1;
    if (!fixed[nic]) nics_.push_back(static_cast<std::int32_t>(nic));
  }
}

}  // namespace fnn
