// SPDX-License-Identifier: GPL-3.0-or-later
// What an alternative costs, and at which prices it costs as much per Gb/s as the design.
#pragma once

#include "alternatives/catalog.h"
#include "design/design_reading.h"
#include "evaluate/fabric.h"

namespace fnn {

/// As cost.h has it for a design, with what one `connection` per node costs where nothing else has a price. `measures` are
/// those of network_measures(); null when there are none.
Json alternative_cost(const Parts& parts, const Catalog& catalog, const Json& measures, std::size_t nodes, int unit_mbps);

/// What the design is made of, without uplink switch and spares: alternatives have none either.
Parts parts_of_design(const Design& design, const Fabric& fabric);

/// Of a network that cost() was told of.
struct Offer {
  const Parts& parts;
  const Json& measures;  ///< network_measures(), or what the design has of these
};

/// Prices at which both cost the same per Gb/s of effective bisection bandwidth, per routing: {"alternative": {"total",
/// "switch"}, "design": {"total", "switch", "nic"}}, each null where there is no such price or another one is missing.
Json even_prices(const Offer& design, const Offer& alternative, const Catalog& catalog);

}  // namespace fnn
