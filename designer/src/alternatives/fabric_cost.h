// SPDX-License-Identifier: GPL-3.0-or-later
// The cost of a fabric, by which networks are compared, and the break-even prices at which an alternative costs as much
// per Gb/s as the design. A fabric is the NICs, switches and cables that join nodes.
#pragma once

#include "alternatives/catalog.h"
#include "design/design_reading.h"
#include "evaluate/fabric.h"

namespace fnn {

/// {"per_node", "per_gbps"}: a price per node, and per Gb/s of each bisection bandwidth. `measures` are those of
/// network_measures(); null when there are none.
Json cost_rates(double total, const Json& measures, std::size_t nodes, int unit_mbps);

/// The components of a fabric and their prices, or that of one `connection` per node where no other is known.
/// {"nics", "switches", "cables", "unpriced"} and, where there are prices, "price" and cost_rates(), else null.
/// `unpriced` names the components without a price.
Json fabric_cost(const Parts& parts, const Catalog& catalog, const Json& measures, std::size_t nodes, int unit_mbps);

/// The components of the design, without uplink switch and spares: alternatives have none either.
Parts parts_of_design(const Design& design, const Fabric& fabric);

/// The components of a design of another topology. `mbps` is the speed of its slowest link.
Parts parts_of_topology(const Design& design, int mbps, int cables);

/// A fabric with the measures of its network.
struct Offer {
  const Parts& parts;
  const Json& measures;  ///< network_measures(), or the subset that the design has
};

/// Break-even prices: both cost the same per Gb/s of effective bisection bandwidth, per routing. {"alternative":
/// {"total", "switch"}, "design": {"total", "switch", "nic"}}, each null where there is no such price or another one
/// is missing.
Json break_even_prices(const Offer& design, const Offer& alternative, const Catalog& catalog);

}  // namespace fnn
