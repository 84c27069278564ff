// SPDX-License-Identifier: GPL-3.0-or-later
// What follows from the routes of all pairs without any pattern: how far it is, what a pair gets that is alone, how many
// routes an edge carries.
#pragma once

#include <map>

#include "evaluate/rational.h"
#include "network/forwarding_tables.h"

namespace fnn {

/// Calls visit(edge) for the edges from one node to another by one way, in order; false where there is no way.
template <typename Visit>
bool follow(const RoutedNetwork& routed, std::size_t way, std::size_t from, std::size_t to, Visit visit) {
  const std::uint16_t* const next = routed.ways[way].tables.to(to);
  for (std::size_t vertex = from; vertex != to;) {
    const std::uint16_t edge = next[vertex];
    if (edge == ForwardingTables::kNone) return false;
    visit(edge);
    vertex = routed.network.edges()[edge].head;
  }
  return true;
}

/// Over ordered pairs. Of a pair that has several ways, hops are their mean.
struct RouteCensus {
  std::map<int, std::map<long long, long long>> switches;  ///< by the number of ways: pairs by the sum of their hops
  std::map<int, std::map<long long, long long>> nodes;     ///< likewise, nodes that pass a message on
  std::map<long long, long long> pairs_by_mbps;  ///< alone, over all ways
  long long unreached = 0;
  std::vector<long long> basic_routes;           ///< per copy and edge
  std::vector<double> advanced_routes;           ///< per edge, alike in all copies: a way of several is a part of a route
  double steps = 0;                              ///< of all routes over all ways

  explicit RouteCensus(const RoutedNetwork& routed);

 private:
  struct Tree;

  void count_pairs(const RoutedNetwork& routed, std::vector<Tree>& trees, std::size_t to);
  void count_routes(const RoutedNetwork& routed, std::vector<Tree>& trees);
};

/// {"mean", "histogram", "unreached"}
Json told_hops(const std::map<int, std::map<long long, long long>>& hops, long long unreached);

/// {"nic", "switch"}, as forwarding.h has it.
Json told_forwarding(const RoutedNetwork& routed, const std::vector<long long>& basic_routes);

}  // namespace fnn
