// SPDX-License-Identifier: GPL-3.0-or-later
// What stands: the cables of an earlier design, in the nodes and switches of a new spec.
#pragma once

#include "design/cabling.h"
#include "design/design_reading.h"

namespace fnn {

struct Standing {
  Cabling cabling;  ///< cables of the earlier design whose NIC and switch are still there
  Cabling pinned;   ///< cables that the new spec pins
  Wiring wiring;    ///< the pins, and of the cables those that find a port beside them

  /// Where cables belong: the pins, and the standing cables that keep out of their way.
  Cabling homes() const;
};

Standing keep_standing(const Design& old, const Spec& spec, const Limits& limits);

}  // namespace fnn
