// SPDX-License-Identifier: GPL-3.0-or-later
// The choice of ports where a switch has ports of one medium with several speeds.
#pragma once

#include "design/cabling.h"

namespace fnn {

/// The cables of a wiring, with its NICs and ports.
Cabling cables_of(const Wiring& wiring);

/// Plugs cables into the groups of `limits`, which must be by speed. A cable keeps the port that it states. Of the others
/// of a switch, fast NICs choose first: the slowest free port that does not slow them down, else the fastest.
Wiring placed_on_ports(const Cabling& cabling, const Limits& limits);

/// The same for a spec: the cables with their ports, unchanged where all links have one speed.
Cabling on_ports(const Cabling& cabling, const Spec& spec);

/// A wiring of the same link speeds in which no NIC is in a faster port than it needs while a slower one would do.
Wiring without_idle_speed(const Wiring& wiring);

}  // namespace fnn
