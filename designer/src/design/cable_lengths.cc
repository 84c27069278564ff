// SPDX-License-Identifier: GPL-3.0-or-later
#include "design/cable_lengths.h"

#include <cmath>

namespace fnn {

CableLengths::CableLengths(const Spec& spec) : spec_(spec) {
  for (const Rack& rack : spec.racks) racks_.emplace(rack.name, &rack);
}

double CableLengths::meters(std::size_t node, std::size_t device) const {
  const Rack* here = place_of(spec_.nodes[node].rack);
  const Rack* there = place_of(spec_.switches[device].rack);
  if (here == nullptr || there == nullptr) return 0;
  return std::fabs(here->x_m - there->x_m) + std::fabs(here->y_m - there->y_m);
}

const Rack* CableLengths::place_of(const std::optional<std::string>& rack) const {
  const auto found = rack ? racks_.find(*rack) : racks_.end();
  return found == racks_.end() ? nullptr : found->second;
}

}  // namespace fnn
