// SPDX-License-Identifier: GPL-3.0-or-later
// Pins: cables that the spec settles, one by one, before anything is designed.
#pragma once

#include "design/cabling.h"

namespace fnn {

/// The cables that a spec pins. A sound spec pins no NIC twice and no node to one switch twice.
Cabling pins_of(const Spec& spec);

/// The pins, and of the other cables those that keep out of their way: they are of another NIC and
/// lead to another switch.
Cabling with_pins(Cabling pins, const Cabling& others);

/// Every cable that finds a port is plugged in, in order.
void plug_cables(Wiring& wiring, const Cabling& cabling);

}  // namespace fnn
