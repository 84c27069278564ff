// SPDX-License-Identifier: GPL-3.0-or-later
#include "evaluate/pattern_measures.h"

#include <algorithm>

#include "evaluate/route_loads.h"

namespace fnn {
namespace {

using std::size_t;

// Gives three significant digits, at a tenth of a second per pattern.
constexpr size_t kMostFlows = 400000;
constexpr size_t kFewestPatterns = 30;

/// Per routing, the mean throughput of the flows of a pattern.
struct PatternMeans {
  std::array<Moments, kRoutings.size()> means;

  void add(const PatternMeans& other) {
    for (size_t routing = 0; routing < means.size(); ++routing) means[routing].add(other.means[routing]);
  }
};

Json in_rank_order(const FlowPattern& pattern, RouteLoads& loads, size_t nodes) {
  const FlowRates rates = loads.measure(pattern, rank_order(nodes));
  Json json = Json::object();
  for (size_t routing = 0; routing < kRoutings.size(); ++routing) {
    json[kRoutings[routing]] = {{"mean", round_decimals(rates.mean(routing))},
                                {"least", round_decimals(rates.least[routing])}};
  }
  return json;
}

Json over_random_mappings(const FlowPattern& pattern, const RouteLoads& loads, size_t nodes, Sampling sampling) {
  const size_t affordable = std::max(kFewestPatterns, kMostFlows / std::max<size_t>(1, pattern.flows()));
  sampling.patterns = std::min(sampling.patterns, affordable);
  const PatternMeans found = sample<PatternMeans>(
      nodes, sampling, [&] { return loads; },
      [&](RouteLoads& worker, RandomOrders& orders, PatternMeans& means) {
        const FlowRates rates = worker.measure(pattern, orders.next());
        for (size_t routing = 0; routing < kRoutings.size(); ++routing) means.means[routing].add(rates.mean(routing));
      });
  Json json = Json::object();
  for (size_t routing = 0; routing < kRoutings.size(); ++routing) {
    json[kRoutings[routing]] = estimate(found.means[routing]);
  }
  return json;
}

}  // namespace

Json pattern_measures(const Fabric& fabric, const Choice& choice, const Spec& spec, const Sampling& sampling) {
  RouteLoads loads(fabric, choice);
  Json all = Json::array();
  const auto add = [&](const FlowPattern& pattern, bool own) {
    all.push_back({{"pattern", pattern.name},
                   {"own", own},
                   {"group", pattern.group == 0 ? Json(nullptr) : Json(pattern.group)},
                   {"flows", pattern.flows()},
                   {"in_rank_order", in_rank_order(pattern, loads, fabric.nodes())},
                   {"anywhere", own ? Json(nullptr) : over_random_mappings(pattern, loads, fabric.nodes(), sampling)}});
  };
  for (const FlowPattern& pattern : standard_patterns(fabric.nodes())) add(pattern, false);
  for (const Json& own : spec.normal["patterns"]) {
    add({own["kind"], 0, {both_directions(traffic_of(spec, own))}}, true);
  }
  return all;
}

}  // namespace fnn
