// SPDX-License-Identifier: GPL-3.0-or-later
#include "fabrics.h"

#include <algorithm>

#include "support.h"

namespace fnn::testing {
namespace {

Fabric fabric_of_legs(Legs legs, int unit_mbps) {
  Fabric fabric;
  fabric.legs = std::move(legs);
  fabric.unit_mbps = unit_mbps;
  for (const auto& of_node : fabric.legs) {
    for (const Leg& leg : of_node) {
      const auto needed = std::max(fabric.links.size(), static_cast<std::size_t>(leg.device) + 1);
      fabric.links.resize(needed, 0);
      fabric.links_mbps.resize(needed, 0);
      ++fabric.links[static_cast<std::size_t>(leg.device)];
      fabric.links_mbps[static_cast<std::size_t>(leg.device)] += leg.mbps;
    }
  }
  fabric.inside_mbps.assign(fabric.links.size(), Fabric::kUnlimited);
  fabric.uplinked.assign(fabric.links.size(), false);
  return fabric;
}

}  // namespace

Fabric fabric_on(const std::vector<std::vector<int>>& switches, int mbps) {
  Legs legs;
  for (const auto& of_node : switches) {
    auto& links = legs.emplace_back();
    for (const int device : of_node) links.push_back({device, mbps});
  }
  return fabric_of_legs(std::move(legs), mbps);
}

Fabric random_fabric(Random& random) {
  const std::size_t switches = 1 + random.below(80);
  Legs legs(2 + random.below(40));
  for (auto& of_node : legs) {
    for (std::size_t device = 0; device < switches; ++device) {
      const int mbps = std::vector<int>{1000, 1000, 2500, 10000}[random.below(4)];
      if (random.one_in(2)) of_node.push_back({static_cast<int>(device), mbps});
    }
  }
  legs[0].assign(1, {static_cast<int>(switches) - 1, 1000});
  return fabric_of_legs(std::move(legs), 1000);
}

Choice choice_for(const Fabric& fabric) {
  Random random(1);
  return choose_legs(fabric.legs, peer_limits(fabric.legs), random);
}

Design committed(const std::string& inventory) {
  return read_design(read_json(std::filesystem::path(FNN_INVENTORY) / inventory / "design.json"));
}

Fabric klat2_as_built() {
  // 8 nodes with 3 links and 56 with 4, round-robin over the eight wide switches: 248 = 8 x 31 links.
  std::vector<std::vector<int>> switches;
  int next = 0;
  for (int node = 0; node < 64; ++node) {
    auto& of_node = switches.emplace_back();
    for (int link = 0; link < (node < 8 ? 3 : 4); ++link) of_node.push_back(next++ % 8);
    std::sort(of_node.begin(), of_node.end());
    if (node < 8) of_node.push_back(8);
  }
  Fabric fabric = fabric_on(switches, 100);
  fabric.uplinked.assign(fabric.uplinked.size(), true);
  return fabric;
}

}  // namespace fnn::testing
