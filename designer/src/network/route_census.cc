// SPDX-License-Identifier: GPL-3.0-or-later
#include "network/route_census.h"

#include <algorithm>
#include <numeric>

namespace fnn {
namespace {

using std::size_t;

/// Of all routes of a pair, over all ways.
struct Pair {
  int ways = 0;
  long long switches = 0;
  long long nodes = 0;
  long long mbps = 0;
};

Json summary(const std::vector<long long>& routes) {
  if (routes.empty()) return nullptr;
  const long long sum = std::accumulate(routes.begin(), routes.end(), 0LL);
  return {{"min", *std::min_element(routes.begin(), routes.end())},
          {"mean", exact_number({sum, static_cast<std::int64_t>(routes.size())})},
          {"max", *std::max_element(routes.begin(), routes.end())}};
}

}  // namespace

RouteCensus::RouteCensus(const RoutedNetwork& routed) {
  const Network& network = routed.network;
  const size_t copies = network.copies;
  basic_routes.assign(copies * network.edges().size(), 0);
  std::vector<std::vector<std::uint16_t>> taken(routed.ways.size());
  for (size_t to = 0; to < network.nodes(); ++to) {
    for (size_t from = 0; from < network.nodes(); ++from) {
      if (from == to) continue;
      Pair pair;
      for (size_t way = 0; way < routed.ways.size(); ++way) {
        if (!routed.is_open(way, from, to)) continue;
        auto& route = taken[static_cast<size_t>(pair.ways)];
        route.clear();
        long long least = Network::kUnlimited;
        const bool reached = follow(routed, way, from, to, [&](std::uint16_t number) {
          const Network::Edge& edge = network.edges()[number];
          route.push_back(number);
          least = std::min(least, edge.mbps);
          pair.switches += network.kind(edge.head) == Network::Kind::kSwitch ? 1 : 0;
          pair.nodes += network.is_node(edge.head) && edge.head != to ? 1 : 0;
        });
        if (!reached) continue;
        pair.mbps += least * static_cast<long long>(copies);
        ++pair.ways;
      }
      ++pairs_by_mbps[pair.mbps];
      if (pair.ways == 0) {
        ++unreached;
        continue;
      }
      ++switches[pair.ways][pair.switches];
      ++nodes[pair.ways][pair.nodes];
      const size_t pick = (from + to) % (static_cast<size_t>(pair.ways) * copies);
      for (const std::uint16_t edge : taken[pick / copies]) ++basic_routes[pick % copies * network.edges().size() + edge];
    }
  }
}

Json told_hops(const std::map<int, std::map<long long, long long>>& hops, long long unreached) {
  Rational sum;
  long long pairs = 0;
  Json histogram = Json::object();
  for (const auto& [ways, counts] : hops) {
    for (const auto& [total, count] : counts) {
      const Rational here(total, ways);
      sum = sum + here * Rational(count);
      pairs += count;
      Json& bar = histogram[here.text()];
      bar = (bar.is_null() ? 0 : bar.get<long long>()) + count;
    }
  }
  const Json mean = pairs == 0 ? Json(nullptr) : exact_number(sum / Rational(pairs));
  return {{"mean", mean}, {"histogram", histogram}, {"unreached", unreached}};
}

Json told_forwarding(const RoutedNetwork& routed, const std::vector<long long>& basic_routes) {
  std::vector<long long> nics;
  std::vector<long long> between;
  const std::vector<Network::Edge>& edges = routed.network.edges();
  for (size_t i = 0; i < basic_routes.size(); ++i) {
    const Network::Edge& edge = edges[i % edges.size()];
    if (routed.network.at_node(edge)) nics.push_back(basic_routes[i]);
    else if (routed.network.kind(edge.head) != Network::Kind::kInside) between.push_back(basic_routes[i]);
  }
  return {{"nic", summary(nics)}, {"switch", summary(between)}};
}

}  // namespace fnn
