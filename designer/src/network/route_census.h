// SPDX-License-Identifier: GPL-3.0-or-later
// Measures that follow from the routes of all pairs without any pattern: path lengths, the bandwidth of a pair
// without other traffic, and the routes per edge.
#pragma once

#include <map>

#include "evaluate/rational.h"
#include "network/forwarding_tables.h"

namespace fnn {

/// Calls visit(edge) for the edges of one path from one node to another, in order; false without a path.
template <typename Visit>
bool follow(const RoutedNetwork& routed, std::size_t layer, std::size_t from, std::size_t to, Visit visit) {
  const std::uint16_t* const next = routed.layers[layer].tables.to(to);
  for (std::size_t vertex = from; vertex != to;) {
    const std::uint16_t edge = next[vertex];
    if (edge == ForwardingTables::kNone) return false;
    visit(edge);
    vertex = routed.network.edges()[edge].head;
  }
  return true;
}

/// Counts over ordered pairs. For a pair with several paths, its hops are their mean.
struct RouteCensus {
  std::map<int, std::map<long long, long long>> switches;  ///< per number of paths: pairs by the sum of their hops
  std::map<int, std::map<long long, long long>> nodes;     ///< likewise, intermediate nodes that forward a message
  std::map<long long, long long> pairs_by_mbps;  ///< without other traffic, over all paths
  long long unreached = 0;
  std::vector<long long> basic_routes;           ///< per copy and edge
  std::vector<double> advanced_routes;           ///< per edge, the same in all copies: each of k paths is 1/k route
  double steps = 0;                              ///< edges over all routes and paths

  explicit RouteCensus(const RoutedNetwork& routed);

 private:
  struct Tree;

  void count_pairs(const RoutedNetwork& routed, std::vector<Tree>& trees, std::size_t to);
  void count_routes(const RoutedNetwork& routed, std::vector<Tree>& trees);
};

/// {"mean", "histogram", "unreached"}
Json hops_json(const std::map<int, std::map<long long, long long>>& hops, long long unreached);

/// {"nic", "switch"}, as in forwarding.h.
Json forwarding_json(const RoutedNetwork& routed, const std::vector<long long>& basic_routes);

}  // namespace fnn
