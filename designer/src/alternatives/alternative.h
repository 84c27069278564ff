// SPDX-License-Identifier: GPL-3.0-or-later
// An alternative: another network on the same nodes, whether or not its hardware is available.
#pragma once

#include "alternatives/catalog.h"
#include "design/design_reading.h"
#include "network/forwarding_tables.h"

namespace fnn {

struct Alternative {
  /// Routes restricted to open edges, and the node they serve.
  struct LayerPlan {
    std::vector<bool> closed;  ///< per edge; empty: none
    std::size_t node = RoutedNetwork::kAllNodes;
  };

  /// A cable to the uplink switch in the tree that a design contains, and the number of nodes below it.
  struct Uplink {
    std::string device;
    int nodes = 0;
  };

  std::string name;
  std::optional<Network> network;  ///< empty where the network cannot be constructed; `reason` says why
  Parts parts;
  std::vector<RoutingChoice> routings = {RoutingChoice::kOnly};
  std::vector<LayerPlan> layers = {{}};
  std::string reason;  ///< why it is unavailable; empty when it is available
  std::vector<Uplink> uplinks;  ///< of the uplink tree
};

/// The input of every builder.
struct Setting {
  const Design& design;
  const Catalog& catalog;
  int mbps;  ///< of the fastest NIC that every node has and for which some switch is fast enough

  std::size_t nodes() const { return design.spec.nodes.size(); }
};

/// Names of all alternatives, in output order.
const std::vector<std::string>& alternative_names();

/// Builds the alternative with one of these names.
Alternative build_alternative(const std::string& name, const Setting& setting);

// Each source file has the builders of one kind.
Alternative one_switch(const Setting& setting);
Alternative faster_switch(const Setting& setting);
Alternative rails(const Setting& setting);
Alternative two_switches(const Setting& setting);

Alternative uplink_tree(const Setting& setting);
Alternative plain_tree(const Setting& setting);
Alternative bonded_tree(const Setting& setting);
Alternative clos(const Setting& setting);
Alternative fat_tree(const Setting& setting);
Alternative parallel_fat_trees(const Setting& setting);

Alternative ring(const Setting& setting);
Alternative cut_ring(const Setting& setting);
Alternative bonded_ring(const Setting& setting);
Alternative star(const Setting& setting);
Alternative mesh(const Setting& setting);
Alternative grid(const Setting& setting);

/// NICs, speed and copies that maximize the total bandwidth per node, using the nth fastest NICs of all nodes.
struct Bundle {
  int nics;
  int mbps;
};
Bundle best_bundle(const Catalog& catalog);

/// The cheapest of the networks that `build` makes of the switch models of a speed. If prices are missing, the one
/// with the fewest switches. The result has no network where no model fits.
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
