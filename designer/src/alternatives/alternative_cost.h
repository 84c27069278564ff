// SPDX-License-Identifier: GPL-3.0-or-later
// The cost of an alternative, and the break-even prices at which it costs as much per Gb/s as the design.
#pragma once

#include "alternatives/catalog.h"
#include "design/design_reading.h"
#include "evaluate/fabric.h"

namespace fnn {

/// The cost as in cost.h for a design, plus the cost of one `connection` per node where no other price is known.
/// `measures` are those of network_measures(); null when there are none.
Json alternative_cost(const Parts& parts, const Catalog& catalog, const Json& measures, std::size_t nodes, int unit_mbps);

/// The components of the design, without uplink switch and spares: alternatives have none either.
Parts parts_of_design(const Design& design, const Fabric& fabric);

/// The components of a design of another topology. `mbps` is the speed of its slowest link.
Parts parts_of_topology(const Design& design, int mbps, int cables);

/// A network passed to cost(), with its measures.
struct Offer {
  const Parts& parts;
  const Json& measures;  ///< network_measures(), or the subset that the design has
};

/// Break-even prices: both cost the same per Gb/s of effective bisection bandwidth, per routing. {"alternative":
/// {"total", "switch"}, "design": {"total", "switch", "nic"}}, each null where there is no such price or another one
/// is missing.
Json break_even_prices(const Offer& design, const Offer& alternative, const Catalog& catalog);

}  // namespace fnn
