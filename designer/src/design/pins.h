// SPDX-License-Identifier: GPL-3.0-or-later
// Pins: cables fixed by the spec before the design starts.
#pragma once

#include "design/cabling.h"

namespace fnn {

/// The cables that a spec pins. A valid spec pins no NIC twice and no node to one switch twice.
Cabling pins_of(const Spec& spec);

/// The pins, plus the other cables that do not conflict with them: those of other NICs to other switches.
Cabling with_pins(Cabling pins, const Cabling& others);

/// Plugs in every cable that finds a port, in order.
void plug_cables(Wiring& wiring, const Cabling& cabling);

}  // namespace fnn
