// SPDX-License-Identifier: GPL-3.0-or-later
// The flat neighborhood network on the nodes of a design of another topology.
#pragma once

#include "alternatives/alternatives_document.h"

namespace fnn {

/// The cheapest one of the switches of the spec and the price list, over all NICs of at least the given speed; where
/// prices are missing, the one with the fewest switches. The effort of the search is limited, not its time, so the
/// result is the same on every machine.
FlatAlternative flat_alternative(const Design& design, const std::optional<PriceList>& prices, int mbps,
                                 const Sampling& sampling);

}  // namespace fnn
