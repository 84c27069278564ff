// SPDX-License-Identifier: GPL-3.0-or-later
// An alternative: another network on the same nodes, of hardware that can be bought or not.
#pragma once

#include "alternatives/catalog.h"
#include "design/design_reading.h"
#include "evaluate/fabric.h"
#include "network/forwarding_tables.h"

namespace fnn {

struct Alternative {
  /// Routes that keep to open edges, and whom they are for.
  struct WayPlan {
    std::vector<bool> closed;  ///< per edge; empty: none
    std::size_t node = RoutedNetwork::kEveryone;
  };

  std::string name;
  std::optional<Network> network;  ///< nothing where it has no shape, and then a reason
  Parts parts;
  std::vector<RoutingChoice> routings = {RoutingChoice::kOnly};
  std::vector<WayPlan> ways = {{}};
  std::string reason;  ///< why it cannot be had; empty when it can
};

/// What every builder looks at.
struct Setting {
  const Design& design;
  const Fabric& fabric;
  const Catalog& catalog;
  int mbps;  ///< of the fastest NIC that every node has, and that some switch keeps up with

  std::size_t nodes() const { return fabric.nodes(); }
};

/// Names of all alternatives, in the order in which they are told.
const std::vector<std::string>& alternative_names();

/// One of these.
Alternative build_alternative(const std::string& name, const Setting& setting);

// Each file of builders has those of one sort.
Alternative one_switch(const Setting& setting);
Alternative faster_switch(const Setting& setting);
Alternative rails(const Setting& setting);
Alternative two_switches(const Setting& setting);

Alternative uplink_tree(const Setting& setting);
Alternative plain_tree(const Setting& setting);
Alternative bonded_tree(const Setting& setting);
Alternative clos(const Setting& setting);
Alternative fat_tree(const Setting& setting);
Alternative planes(const Setting& setting);

Alternative ring(const Setting& setting);
Alternative cut_ring(const Setting& setting);
Alternative bonded_ring(const Setting& setting);
Alternative star(const Setting& setting);
Alternative mesh(const Setting& setting);
Alternative grid(const Setting& setting);

/// NICs, speed and copies of an alternative that uses all NICs of all nodes that are fast enough, whatever brings most.
struct Bundle {
  int nics;
  int mbps;
};
Bundle best_bundle(const Catalog& catalog);

/// Of what `build` makes of the models of a speed, the cheapest; where not all have a price, that with the fewest switches.
/// Without a shape where none fits.
template <typename Build>
Alternative cheapest(const std::string& name, const Catalog& catalog, int mbps, Build build) {
  std::optional<Alternative> best;
  std::pair<double, int> least;
  for (const SwitchModel& model : catalog.switches(mbps)) {
    Alternative found = build(model);
    if (!found.network) {
      if (!best) best = std::move(found);
      continue;
    }
    const Bill bill = catalog.bill(found.parts);
    const double price = bill.switches_unpriced ? std::numeric_limits<double>::infinity() : bill.total();
    const std::pair<double, int> rank(price, found.parts.all_switches());
    if (best && best->network && least <= rank) continue;
    best = std::move(found);
    least = rank;
  }
  if (best) return *best;
  Alternative none;
  none.name = name;
  none.reason = "there is no switch of " + std::to_string(mbps) + " Mb/s";
  return none;
}

}  // namespace fnn
