// SPDX-License-Identifier: GPL-3.0-or-later
// The cost of a whole network: that of its fabric, which other networks are compared with, and everything beside it.
#pragma once

#include "alternatives/catalog.h"
#include "design/design_reading.h"

namespace fnn {

/// Counts and prices the components in use, as a list of `parts`, and in all. The fabric is NICs with a cable, switches
/// and cables that join nodes. Beside it are the uplink switch, a cable to it from each switch, spare and host, and the
/// NICs of spares, which have as many as most nodes. Prices by cable length are beside the fabric, too.
/// `fabric` are the components of the design, `row` its row of the alternatives: the measures and `fabric_cost`.
Json network_cost(const Design& design, const Parts& fabric, const Catalog& catalog, const Json& row, int unit_mbps);

}  // namespace fnn
