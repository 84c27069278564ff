// SPDX-License-Identifier: GPL-3.0-or-later
// Legs: the links over which nodes reach each other, and the peers on each of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "design/design_reading.h"

namespace fnn {

/// A link of a node for routing: the index of its switch, and its speed.
struct Leg {
  int device;
  int mbps;
};

/// A switch that two nodes share, by the indexes of their legs to it: of the first node, then of the second.
struct SharedLeg {
  std::size_t from_leg;
  std::size_t to_leg;
};

/// Per node in rank order, its legs in the order of the switches.
using Legs = std::vector<std::vector<Leg>>;

/// The legs of a design that passes check(), uncovered pairs excepted.
Legs legs_of(const Design& design);

/// The internal capacity of a switch that states none.
inline constexpr long long kUnlimitedMbps = std::numeric_limits<long long>::max();

/// Per switch, its total internal capacity, or kUnlimitedMbps.
std::vector<long long> inside_mbps_of(const Spec& spec);

/// The switches that two nodes share, in order.
std::vector<SharedLeg> shared_legs(const std::vector<Leg>& from_legs, const std::vector<Leg>& to_legs);

}  // namespace fnn
