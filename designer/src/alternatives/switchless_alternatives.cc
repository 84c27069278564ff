// SPDX-License-Identifier: GPL-3.0-or-later
// Switchless alternatives: nodes have direct cables to each other and forward traffic for others.
//
// The four-node networks are those of Cluster Monkey ("When the best solution just won't fit the box and the
// budget"). They are a ring with shortest paths; a ring cut by the spanning tree protocol; a ring in which one node
// does not forward, but sends and receives over both its NICs in turn; and a star around one node.
#include <algorithm>

#include "alternatives/alternative.h"

namespace fnn {
namespace {

using std::size_t;

/// The two ends of each cable.
using Pairs = std::vector<std::pair<int, int>>;

Alternative cabled_directly(const std::string& name, const Setting& setting, int mbps, const Pairs& pairs) {
  Alternative found;
  found.name = name;
  Network& network = found.network.emplace(setting.nodes());
  network.nodes_forward = true;
  std::vector<int> nics(setting.nodes(), 0);
  for (const auto& [a, b] : pairs) {
    network.add_cable(static_cast<std::uint32_t>(a), static_cast<std::uint32_t>(b), mbps);
    ++nics[static_cast<size_t>(a)];
    ++nics[static_cast<size_t>(b)];
  }
  found.parts.mbps = mbps;
  for (const int count : nics) ++found.parts.nics[count];
  found.parts.cables = static_cast<int>(pairs.size());
  found.routings = {RoutingChoice::kBalanced};
  return found;
}

/// Why nodes lack the necessary NICs; empty when they have them.
std::string lacking(const Setting& setting, int mbps, int nics_of_most, int nics_of_all) {
  const auto needs = [](int needed, const std::string& who, int have) {
    return who + " would need " + std::to_string(needed) + " NICs, and can have " + std::to_string(have);
  };
  const int most = setting.catalog.most_ports_of_a_node(mbps);
  if (nics_of_most > most) return needs(nics_of_most, "a node", most);
  const int least = setting.catalog.least_ports_of_a_node(mbps);
  if (nics_of_all > least) return needs(nics_of_all, "every node", least);
  return "";
}

Pairs ring_pairs(int nodes) {
  Pairs pairs;
  for (int i = 0; i + 1 < nodes; ++i) pairs.push_back({i, i + 1});
  if (nodes > 2) pairs.push_back({nodes - 1, 0});
  return pairs;
}

/// The speed of the nth NIC, if every node has that many; else the speed of the fastest NIC of all nodes.
int speed_of(const Setting& setting, int nics) {
  const int mbps = setting.catalog.nth_nic_mbps(static_cast<size_t>(nics) - 1);
  return mbps > 0 ? mbps : setting.mbps;
}

Alternative ringlike(const std::string& name, const Setting& setting, const Pairs& pairs) {
  const int mbps = speed_of(setting, 2);
  Alternative found = cabled_directly(name, setting, mbps, pairs);
  found.reason = lacking(setting, mbps, 2, 2);
  return found;
}

/// Closes all cables of a node except the one to a neighbor.
std::vector<bool> all_but(const Network& network, std::uint32_t node, std::uint32_t neighbor) {
  std::vector<bool> closed;
  for (const Network::Edge& edge : network.edges()) {
    const bool here = edge.tail == node || edge.head == node;
    closed.push_back(here && edge.tail != neighbor && edge.head != neighbor);
  }
  return closed;
}

}  // namespace

Alternative ring(const Setting& setting) {
  Alternative found = ringlike("ring", setting, ring_pairs(static_cast<int>(setting.nodes())));
  found.network->finish();
  return found;
}

Alternative cut_ring(const Setting& setting) {
  Pairs pairs = ring_pairs(static_cast<int>(setting.nodes()));
  if (setting.nodes() > 2) pairs.pop_back();
  Alternative found = ringlike("cut-ring", setting, pairs);
  found.network->finish();
  // The cut cable counts as a part, although no traffic crosses it.
  if (setting.nodes() > 2) {
    found.parts.nics = {{2, static_cast<int>(setting.nodes())}};
    ++found.parts.cables;
  }
  return found;
}

Alternative bonded_ring(const Setting& setting) {
  const auto nodes = static_cast<std::uint32_t>(setting.nodes());
  Alternative found = ringlike("bonded-ring", setting, ring_pairs(static_cast<int>(nodes)));
  Network& network = *found.network;
  if (nodes < 3) {
    network.finish();
    return found;
  }
  const std::uint32_t bonded = nodes - 1;
  network.endpoint_only.assign(nodes, false);
  network.endpoint_only[bonded] = true;
  network.finish();
  found.layers = {{all_but(network, bonded, 0), RoutedNetwork::kAllNodes},
                  {all_but(network, bonded, bonded - 1), bonded}};
  return found;
}

Alternative star(const Setting& setting) {
  Pairs pairs;
  const int nodes = static_cast<int>(setting.nodes());
  for (int node = 1; node < nodes; ++node) pairs.push_back({0, node});
  Alternative found = cabled_directly("star", setting, setting.mbps, pairs);
  found.network->finish();
  found.reason = lacking(setting, setting.mbps, nodes - 1, 1);
  return found;
}

Alternative mesh(const Setting& setting) {
  const int nodes = static_cast<int>(setting.nodes());
  const int mbps = speed_of(setting, nodes - 1);
  Alternative found;
  found.name = "mesh";
  found.reason = lacking(setting, mbps, nodes - 1, nodes - 1);
  if (!found.reason.empty()) return found;
  Pairs pairs;
  for (int a = 0; a < nodes; ++a) {
    for (int b = a + 1; b < nodes; ++b) pairs.push_back({a, b});
  }
  found = cabled_directly("mesh", setting, mbps, pairs);
  found.network->finish();
  return found;
}

/// A grid with as many columns as rows or one more, filled row by row; full rows and columns wrap around.
Alternative grid(const Setting& setting) {
  const int nodes = static_cast<int>(setting.nodes());
  int columns = 1;
  while (columns * columns < nodes) ++columns;
  Pairs pairs;
  for (int node = 0; node < nodes; ++node) {
    const int column = node % columns;
    if (column + 1 < columns && node + 1 < nodes) pairs.push_back({node, node + 1});
    if (node + columns < nodes) pairs.push_back({node, node + columns});
    if (column + 1 == columns && columns > 2) pairs.push_back({node, node + 1 - columns});
    const int top = column;
    if (node + columns >= nodes && node - top > columns) pairs.push_back({node, top});
  }
  const int mbps = speed_of(setting, 4);
  Alternative found = cabled_directly("grid", setting, mbps, pairs);
  found.network->finish();
  found.reason = lacking(setting, mbps, found.parts.nics.rbegin()->first, 1);
  return found;
}

}  // namespace fnn
