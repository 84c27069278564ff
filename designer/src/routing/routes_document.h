// SPDX-License-Identifier: GPL-3.0-or-later
// The routes document: who uses which switch for whom, as a table that a person can read.
#pragma once

#include <cstdint>

#include "design/design_reading.h"

namespace fnn {

/// Chooses the routes of a design and writes them down. A row per node has one code per peer in rank order: the
/// number of the switch in the spec, in base 36 with as many digits as the largest needs; dots stand for the node
/// itself, dashes for peers that share no switch with it. Same design and seed, same document.
Json routes_document(const Design& design, std::int64_t seed);

}  // namespace fnn
