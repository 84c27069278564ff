// SPDX-License-Identifier: GPL-3.0-or-later
// Standing cables: those of an earlier design, mapped to the nodes and switches of a new spec.
#pragma once

#include "design/cabling.h"
#include "design/design_reading.h"

namespace fnn {

struct Standing {
  Cabling cabling;  ///< cables of the earlier design whose NIC and switch still exist
  Cabling pinned;   ///< cables that the new spec pins
  Wiring wiring;    ///< the pins, and the standing cables that still have a port

  /// The home positions of cables: the pins, and the standing cables that do not conflict with them.
  Cabling cables_to_keep() const;
};

Standing map_standing_cables(const Design& old, const Spec& spec, const Limits& limits);

}  // namespace fnn
