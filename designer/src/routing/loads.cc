// SPDX-License-Identifier: GPL-3.0-or-later
#include "routing/loads.h"

#include <algorithm>
#include <limits>

namespace fnn {
namespace {

using std::size_t;

// Exceeds the two steps of (peers / speed)^4 that one move saves at most, at the largest number of nodes.
constexpr double kBeyondOwn = 3e12;
constexpr double kBeyondCeiling = 1e15;

/// Uses products only, which compilers do not contract to fused operations: the rounding is the same on every
/// machine.
double cost(int peers, double slowness) {
  const double square = (peers * slowness) * (peers * slowness);
  return square * square;
}

}  // namespace

Loads::Loads(const Legs& legs, const PeerLimits& limits) {
  int slowest = std::numeric_limits<int>::max();
  for (const auto& of_node : legs) {
    for (const Leg& leg : of_node) slowest = std::min(slowest, leg.mbps);
  }
  for (size_t node = 0; node < legs.size(); ++node) {
    first_.push_back(loads_.size());
    for (size_t leg = 0; leg < legs[node].size(); ++leg) {
      const double slowness = static_cast<double>(slowest) / legs[node][leg].mbps;
      loads_.push_back({0, limits.own[node][leg], limits.ceiling[node][leg], slowness});
    }
  }
}

bool Loads::any_over_own() const {
  return std::any_of(loads_.begin(), loads_.end(), [](const Load& load) { return load.peers > load.own; });
}

bool Loads::any_over_ceiling() const {
  return std::any_of(loads_.begin(), loads_.end(), [](const Load& load) { return load.peers > load.ceiling; });
}

double Loads::price_of_one_more(size_t node, size_t leg) const {
  const Load& load = at(node, leg);
  double price = cost(load.peers + 1, load.slowness) - cost(load.peers, load.slowness);
  if (load.peers >= load.own) price += kBeyondOwn;
  if (load.peers >= load.ceiling) price += kBeyondCeiling;
  return price;
}

}  // namespace fnn
