// SPDX-License-Identifier: GPL-3.0-or-later
// The routes document: the switch and the weights of every ordered pair, as human-readable tables.
#pragma once

#include <cstdint>

#include "design/design_reading.h"

namespace fnn {

/// Chooses the routes of a design and writes them. A row per node has one code per peer in rank order: the number of
/// the switch in the spec, in base 36 with as many digits as the largest needs. Dots stand for the node itself,
/// dashes for peers without a shared switch. Where flows of a node divide in unequal parts, it has a second row with
/// codes of the weights. The same design and seed give the same document.
Json routes_document(const Design& design, std::int64_t seed);

}  // namespace fnn
