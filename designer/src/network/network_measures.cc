// SPDX-License-Identifier: GPL-3.0-or-later
#include "network/network_measures.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "evaluate/pair_measures.h"
#include "evaluate/route_loads.h"
#include "network/flow_loads.h"
#include "network/network_exposure.h"
#include "network/route_census.h"

namespace fnn {
namespace {

using std::size_t;

// Edge visits: about half a second, for any network.
constexpr double kMostSteps = 2e8;
constexpr double kMostStepsOfAPattern = 4e5;
constexpr double kMostStepsOfPhases = 1e8;
constexpr size_t kFewestPatterns = 10;

constexpr std::array<const char*, 2> kRoutingNames = {"basic", "advanced"};

template <typename Make>
Json per_routing(Make make) {
  Json json = Json::object();
  for (size_t routing = 0; routing < kRoutingNames.size(); ++routing) json[kRoutingNames[routing]] = make(routing);
  return json;
}

/// Mean bandwidth of a pair without other traffic, in links.
Rational mean_single_flow(const RouteCensus& census, int unit_mbps) {
  long long sum = 0;
  long long pairs = 0;
  for (const auto& [mbps, count] : census.pairs_by_mbps) {
    sum += mbps * count;
    pairs += count;
  }
  return Rational(sum, unit_mbps) / Rational(pairs);
}

/// All NICs busy in both directions, as far as their switches have the capacity.
Rational best_bisection(const Network& network, int unit_mbps) {
  std::vector<long long> link_mbps(network.vertices(), 0);
  for (const Network::Edge& edge : network.edges()) {
    if (network.is_node(edge.tail)) link_mbps[edge.head] += edge.mbps;
  }
  long long sum = 0;
  for (size_t vertex = 0; vertex < network.nodes() + network.switches(); ++vertex) {
    sum += network.is_node(vertex) ? link_mbps[vertex] : std::min(link_mbps[vertex], network.inside_mbps(vertex));
  }
  return Rational(sum, unit_mbps) * Rational(static_cast<std::int64_t>(network.copies));
}

struct Means {
  std::array<Moments, 2> uni;
  std::array<Moments, 2> sym;

  void add(const Means& other) {
    for (size_t routing = 0; routing < uni.size(); ++routing) {
      uni[routing].add(other.uni[routing]);
      sym[routing].add(other.sym[routing]);
    }
  }
};

Json effective_bisection(const RoutedNetwork& routed, int unit_mbps, Sampling sampling, const Rational& single_flow) {
  const PairLoads loads(routed, unit_mbps);
  const double affordable = kMostSteps / std::max(1.0, loads.steps_per_pattern());
  if (affordable < static_cast<double>(sampling.patterns)) {
    sampling.patterns = std::max(kFewestPatterns, static_cast<size_t>(affordable));
  }
  const Means means = sample<Means>(
      routed.network.nodes(), sampling, [&] { return loads; },
      [](PairLoads& worker, RandomOrders& orders, Means& found) {
        const PairMeans pattern = worker.measure(orders.next());
        for (size_t routing = 0; routing < found.uni.size(); ++routing) {
          found.uni[routing].add(pattern.uni[routing]);
          found.sym[routing].add(pattern.sym[routing]);
        }
      });
  const auto with_exact = [&](const Moments& moments, size_t routing) {
    Json number = estimate(moments);
    const Rational copies(static_cast<std::int64_t>(routed.network.copies));
    number["exact"] =
        loads.is_uncongested() ? Json((routing == kBasic ? single_flow / copies : single_flow).text()) : Json(nullptr);
    return number;
  };
  return per_routing([&](size_t routing) -> Json {
    return {{"uni", with_exact(means.uni[routing], routing)}, {"sym", with_exact(means.sym[routing], routing)}};
  });
}

/// Sums and minima over flows.
struct FlowStatistics {
  RoutingRates sum{};
  RoutingRates least{};
  size_t flows = 0;

  void add(const std::vector<RoutingRates>& rates) {
    for (const RoutingRates& rate : rates) {
      for (size_t routing = 0; routing < sum.size(); ++routing) {
        sum[routing] += rate[routing];
        least[routing] = flows == 0 ? rate[routing] : std::min(least[routing], rate[routing]);
      }
      ++flows;
    }
  }
  double mean(size_t routing) const { return flows == 0 ? 0 : sum[routing] / static_cast<double>(flows); }
};

FlowStatistics gather(const FlowPattern& pattern, FlowLoads& loads, const std::vector<std::uint16_t>& map) {
  FlowStatistics all;
  for (const Level& level : pattern.levels) all.add(loads.rates(level, map));
  return all;
}

class PatternMeasures {
 public:
  PatternMeasures(const RoutedNetwork& routed, int unit_mbps, const Sampling& sampling, double mean_steps)
      : nodes_(routed.network.nodes()), loads_(routed, unit_mbps), sampling_(sampling), mean_steps_(mean_steps) {}

  Json measure(const FlowPattern& pattern, bool own) {
    const FlowStatistics ranked = gather(pattern, loads_, rank_order(nodes_));
    const auto in_rank_order = [&](size_t routing) -> Json {
      return {{"mean", round_decimals(ranked.mean(routing))}, {"least", round_decimals(ranked.least[routing])}};
    };
    return {{"pattern", pattern.name},
            {"own", own},
            {"group", pattern.group == 0 ? Json(nullptr) : Json(pattern.group)},
            {"flows", pattern.flows()},
            {"in_rank_order", per_routing(in_rank_order)},
            {"anywhere", own ? Json(nullptr) : over_random_mappings(pattern)}};
  }

 private:
  struct PatternMeans {
    std::array<Moments, 2> means;

    void add(const PatternMeans& other) {
      for (size_t routing = 0; routing < means.size(); ++routing) means[routing].add(other.means[routing]);
    }
  };

  Json over_random_mappings(const FlowPattern& pattern) const {
    Sampling sampling = sampling_;
    const double steps = static_cast<double>(std::max<size_t>(1, pattern.flows())) * mean_steps_;
    const auto affordable = static_cast<size_t>(kMostStepsOfAPattern / std::max(1.0, steps));
    sampling.patterns = std::min(sampling.patterns, std::max(kFewestPatterns, affordable));
    const PatternMeans found = sample<PatternMeans>(
        nodes_, sampling, [&] { return loads_; },
        [&](FlowLoads& worker, RandomOrders& orders, PatternMeans& means) {
          const FlowStatistics gathered = gather(pattern, worker, orders.next());
          for (size_t routing = 0; routing < means.means.size(); ++routing) means.means[routing].add(gathered.mean(routing));
        });
    return per_routing([&](size_t routing) { return estimate(found.means[routing]); });
  }

  size_t nodes_;
  FlowLoads loads_;
  Sampling sampling_;
  double mean_steps_;
};

/// The throughput of a pair of mean weight in each direction, given the edge loads.
Json throughput(const Network& network, int unit_mbps, const std::vector<double>& loads) {
  const std::vector<Network::Edge>& edges = network.edges();
  double least = std::numeric_limits<double>::infinity();
  for (size_t i = 0; i < loads.size(); ++i) {
    if (loads[i] > 0) least = std::min(least, static_cast<double>(edges[i % edges.size()].mbps) / unit_mbps / loads[i]);
  }
  return std::isfinite(least) ? Json(round_decimals(least)) : Json(nullptr);
}

/// Both directions of weighted pairs, scaled to a mean weight of 1, as loads on the edges of their routes.
class EdgeLoads {
 public:
  explicit EdgeLoads(const RoutedNetwork& routed)
      : routed_(routed), edges_(routed.network.edges().size()), basic(routed.network.copies * edges_, 0), advanced(edges_, 0) {}

  void add(const std::vector<WeightedPair>& pairs) {
    double weight = 0;
    for (const WeightedPair& pair : pairs) weight += pair.weight;
    for (const WeightedPair& pair : pairs) {
      const double amount = pair.weight * static_cast<double>(pairs.size()) / weight;
      add(static_cast<size_t>(pair.a), static_cast<size_t>(pair.b), amount);
      add(static_cast<size_t>(pair.b), static_cast<size_t>(pair.a), amount);
    }
  }

 private:
  void add(size_t from, size_t to, double amount) {
    const size_t copies = routed_.network.copies;
    std::vector<size_t> open;
    for (size_t layer = 0; layer < routed_.layers.size(); ++layer) {
      if (routed_.is_open(layer, from, to)) open.push_back(layer);
    }
    const size_t all = open.size() * copies;
    const size_t pick = (from + to) % all;
    follow(routed_, open[pick / copies], from, to,
           [&](std::uint16_t edge) { basic[pick % copies * edges_ + edge] += amount; });
    for (const size_t layer : open) {
      follow(routed_, layer, from, to,
             [&](std::uint16_t edge) { advanced[edge] += amount / static_cast<double>(all); });
    }
  }

  const RoutedNetwork& routed_;
  size_t edges_;

 public:
  std::vector<double> basic;     ///< per copy and edge
  std::vector<double> advanced;  ///< per edge
};

Json saturations(const RoutedNetwork& routed, int unit_mbps, const std::vector<OwnPattern>& own, const RouteCensus& census) {
  const auto make = [&](const std::string& name, size_t pairs, const std::vector<double>& basic,
                        const std::vector<double>& advanced) -> Json {
    return {{"pattern", name}, {"pairs", pairs}, {"basic", throughput(routed.network, unit_mbps, basic)},
            {"advanced", throughput(routed.network, unit_mbps, advanced)}};
  };
  const size_t nodes = routed.network.nodes();
  const std::vector<double> routes(census.basic_routes.begin(), census.basic_routes.end());
  Json json = Json::array({make("all-to-all", nodes * (nodes - 1) / 2, routes, census.advanced_routes)});
  for (const OwnPattern& pattern : own) {
    EdgeLoads loading(routed);
    loading.add(pattern.pairs);
    json.push_back(make(pattern.name, pattern.pairs.size(), loading.basic, loading.advanced));
  }
  return json;
}

Json all_to_all_phases(FlowLoads& loads, size_t nodes) {
  const std::vector<std::uint16_t> order = rank_order(nodes);
  RoutingRates time{};
  RoutingRates least{std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity()};
  for (size_t offset = 1; offset < nodes; ++offset) {
    FlowStatistics here;
    here.add(loads.rates(phase(nodes, offset), order));
    for (size_t routing = 0; routing < time.size(); ++routing) {
      time[routing] += 1 / here.least[routing];
      least[routing] = std::min(least[routing], here.least[routing]);
    }
  }
  return per_routing([&](size_t routing) -> Json {
    return {{"time", std::isfinite(time[routing]) ? Json(round_decimals(time[routing])) : Json(nullptr)},
            {"minimum", round_decimals(least[routing])}};
  });
}

Json bisections(const RoutedNetwork& routed, int unit_mbps, FlowLoads& loads, const Rational& single_flow) {
  const size_t nodes = routed.network.nodes();
  FlowStatistics halves;
  halves.add(loads.rates(across(nodes), rank_order(nodes)));
  const Rational conservative = Rational(static_cast<std::int64_t>(nodes)) * single_flow;
  Json bisection = bisection_json({best_bisection(routed.network, unit_mbps), conservative}, unit_mbps);
  bisection["across"] = per_routing([&](size_t routing) { return round_decimals(halves.sum[routing]); });
  return bisection;
}

}  // namespace

Level across(size_t nodes) {
  Level level;
  for (size_t i = 0; i < nodes / 2; ++i) {
    const auto here = static_cast<std::uint16_t>(i);
    const auto there = static_cast<std::uint16_t>(i + nodes / 2);
    level.push_back({here, there});
    level.push_back({there, here});
  }
  return level;
}

Json network_measures(const RoutedNetwork& routed, int unit_mbps, const std::vector<OwnPattern>& own,
                      const Sampling& sampling) {
  const size_t nodes = routed.network.nodes();
  const RouteCensus census(routed);
  const Rational single_flow = mean_single_flow(census, unit_mbps);
  PatternMeasures measures(routed, unit_mbps, sampling, census.steps / static_cast<double>(nodes * (nodes - 1)));
  Json patterns = Json::array();
  for (const FlowPattern& pattern : standard_patterns(nodes)) patterns.push_back(measures.measure(pattern, false));
  for (const OwnPattern& pattern : own) {
    patterns.push_back(measures.measure({pattern.name, 0, {both_directions(pattern.pairs)}}, true));
  }
  FlowLoads loads(routed, unit_mbps);
  return {{"switches_traversed",
           routed.network.switches() == 0 ? Json(nullptr) : hops_json(census.switches, census.unreached)},
          {"nodes_between", routed.network.nodes_forward ? hops_json(census.nodes, census.unreached) : Json(nullptr)},
          {"pairwise",
           {{"mean", exact_number(single_flow)},
            {"min", exact_number({census.pairs_by_mbps.begin()->first, unit_mbps})}}},
          {"bisection", bisections(routed, unit_mbps, loads, single_flow)},
          {"ebb", effective_bisection(routed, unit_mbps, sampling, single_flow)},
          {"patterns", patterns},
          {"saturation", saturations(routed, unit_mbps, own, census)},
          {"aapc", census.steps > kMostStepsOfPhases ? Json(nullptr) : all_to_all_phases(loads, nodes)},
          {"forwarding_index", forwarding_json(routed, census.basic_routes)},
          {"exposure", network_exposure(routed.network)}};
}

}  // namespace fnn
