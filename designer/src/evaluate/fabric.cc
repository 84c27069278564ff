// SPDX-License-Identifier: GPL-3.0-or-later
#include "evaluate/fabric.h"

#include <algorithm>

#include "design/link_speeds.h"
#include "design/shared_switches.h"

namespace fnn {

using std::size_t;

long long Fabric::pairs() const {
  const auto count = static_cast<long long>(nodes());
  return count * (count - 1) / 2;
}

bool Fabric::has_oversubscribed_switches() const {
  for (size_t device = 0; device < links.size(); ++device) {
    if (inside_mbps[device] < links_mbps[device]) return true;
  }
  return false;
}

bool Fabric::is_even() const {
  int mbps = 0;
  for (const auto& of_node : legs) {
    for (const Leg& leg : of_node) {
      if (mbps != 0 && leg.mbps != mbps) return false;
      mbps = leg.mbps;
    }
  }
  return true;
}

long long Fabric::pair_mbps(size_t a, size_t b) const {
  long long sum = 0;
  for_each_shared(legs[a], legs[b], [&](size_t i, size_t j) { sum += std::min(legs[a][i].mbps, legs[b][j].mbps); });
  return sum;
}

Fabric fabric_of(const Design& design) {
  const Spec& spec = design.spec;
  Fabric fabric;
  fabric.legs = legs_of(design);
  // Where no NIC fits any port there are no links, and any unit is valid.
  fabric.unit_mbps = std::max(1, LinkSpeeds(spec).slowest());
  fabric.links.assign(spec.switches.size(), 0);
  fabric.links_mbps.assign(spec.switches.size(), 0);
  for (const auto& of_node : fabric.legs) {
    for (const Leg& leg : of_node) {
      ++fabric.links[static_cast<size_t>(leg.device)];
      fabric.links_mbps[static_cast<size_t>(leg.device)] += leg.mbps;
    }
  }
  fabric.inside_mbps = inside_mbps_of(spec);
  const bool has_uplink = !spec.normal["uplink"].is_null();
  for (size_t device = 0; device < spec.switches.size(); ++device) {
    fabric.uplinked.push_back(has_uplink && spec.switches[device].reserved > 0);
  }
  return fabric;
}

}  // namespace fnn
