// SPDX-License-Identifier: GPL-3.0-or-later
//
// Adversarial traffic is a permutation: every node sends to one other and receives from one other. For each edge, the
// permutation with the most flows over it is an assignment problem (Towles and Dally, Worst-case Traffic for Oblivious
// Routing Functions, 2002). An example is a tree of two switches with three nodes each and one cable between them. If
// every node sends to the other switch, three flows share the cable in each direction, so each gets a third of a link.
#include "topology/topology_evaluation.h"

#include "base/assignment.h"
#include "base/digest.h"
#include "evaluate/rational.h"
#include "network/network_measures.h"
#include "network/route_census.h"
#include "spec/patterns.h"
#include "topology/topology_network.h"
#include "version.h"

namespace fnn {
namespace {

using std::size_t;

/// The assignment problem takes time with the third power of the nodes, for each edge between switches; if nodes
/// forward, for each edge.
constexpr size_t kMostNodesOfAWorstCase = 512;
constexpr size_t kMostForwardingNodesOfAWorstCase = 128;

/// Layers that a pair uses; a pair with several splits its traffic evenly.
std::vector<size_t> open_layers(const RoutedNetwork& routed, size_t from, size_t to) {
  std::vector<size_t> open;
  for (size_t layer = 0; layer < routed.layers.size(); ++layer) {
    if (routed.is_open(layer, from, to)) open.push_back(layer);
  }
  return open;
}

/// The intermediate nodes and switches of each pair; a pair with several paths counts with their mean.
Json hops_of_pairs(const RoutedNetwork& routed, const Json& nodes) {
  const Network& network = routed.network;
  Json pairs = Json::array();
  for (size_t a = 0; a < network.nodes(); ++a) {
    for (size_t b = a + 1; b < network.nodes(); ++b) {
      const std::vector<size_t> open = open_layers(routed, a, b);
      std::int64_t between = 0;
      std::int64_t switches = 0;
      for (const size_t layer : open) {
        follow(routed, layer, a, b, [&](std::uint16_t edge) {
          const std::uint32_t head = network.edges()[edge].head;
          if (network.is_node(head)) between += head == b ? 0 : 1;
          else switches += network.kind(head) == Network::Kind::kSwitch ? 1 : 0;
        });
      }
      const auto paths = static_cast<std::int64_t>(open.size());
      pairs.push_back({{"a", nodes[a]["name"]},
                       {"b", nodes[b]["name"]},
                       {"nodes_between", exact_number(Rational(between, paths))},
                       {"switches", exact_number(Rational(switches, paths))}});
    }
  }
  return pairs;
}

/// Finds the edge on which flows of some permutation meet most, relative to its speed.
class WorstPermutation {
 public:
  WorstPermutation(const RoutedNetwork& routed, int unit_mbps)
      : routed_(routed), unit_mbps_(unit_mbps), paths_(static_cast<int>(routed.layers.size())) {}

  /// The guaranteed throughput of each flow, in links.
  Rational throughput() {
    const Network& network = routed_.network;
    std::optional<Rational> least;
    for (size_t edge = 0; edge < network.edges().size(); ++edge) {
      const long long load = load_on(edge);
      if (load == 0) continue;
      const Rational here(network.edges()[edge].mbps * paths_, static_cast<std::int64_t>(unit_mbps_) * load);
      if (!least || here < *least) least = here;
    }
    return *least;
  }

 private:
  /// The most flows over an edge, times the number of layers.
  long long load_on(size_t edge) const {
    const Network::Edge& ends = routed_.network.edges()[edge];
    // Only the flow from or to the node itself crosses the edge of a node that does not forward.
    for (const std::uint32_t end : {ends.tail, ends.head}) {
      if (routed_.network.is_node(end) && !routed_.network.forwards(end) && paths_ == 1) return 1;
    }
    const std::vector<std::vector<int>> gain = flows_over(edge);
    const std::vector<int> chosen = best_assignment(gain);
    long long load = 0;
    for (size_t from = 0; from < gain.size(); ++from) load += gain[from][static_cast<size_t>(chosen[from])];
    return load;
  }

  std::vector<std::vector<int>> flows_over(size_t edge) const {
    const size_t nodes = routed_.network.nodes();
    std::vector<std::vector<int>> flows(nodes, std::vector<int>(nodes, 0));
    for (size_t from = 0; from < nodes; ++from) {
      for (size_t to = 0; to < nodes; ++to) {
        if (from == to) continue;
        const std::vector<size_t> open = open_layers(routed_, from, to);
        for (const size_t layer : open) {
          follow(routed_, layer, from, to, [&](std::uint16_t used) {
            if (used == edge) flows[from][to] += paths_ / static_cast<int>(open.size());
          });
        }
      }
    }
    return flows;
  }

  const RoutedNetwork& routed_;
  int unit_mbps_;
  int paths_;
};

Json worst_case(const TopologyNetwork& network) {
  const Network& plain = network.routed.network;
  if (plain.nodes() > (plain.nodes_forward ? kMostForwardingNodesOfAWorstCase : kMostNodesOfAWorstCase)) return nullptr;
  return {{"permutation", {{"throughput", exact_number(WorstPermutation(network.routed, network.slowest_mbps).throughput())}}}};
}

Json names_of(const Json& items) {
  Json names = Json::array();
  for (const Json& each : items) names.push_back(each["name"]);
  return names;
}

}  // namespace

Json topology_evaluation(const Design& design, const Sampling& sampling) {
  const Json& spec = design.spec.normal;
  const TopologyNetwork network = network_of_design(design, sampling.seed);
  Json evaluation = network_measures(network.routed, network.slowest_mbps, own_patterns(design.spec),
                                     {sampling.seed, sampling.patterns, 1});
  evaluation.update({{"format", "fnn-network"},
                     {"version", 1},
                     {"cluster", design.spec.cluster},
                     {"engine", kEngine},
                     {"seed", sampling.seed},
                     {"topology", spec["topology"]},
                     {"mode", spec.value("mode", Json())},
                     {"design_digest", digest(design.document)},
                     {"link_mbps", network.slowest_mbps},
                     {"routing", name_of(network.choice)},
                     {"nodes", names_of(spec["nodes"])},
                     {"switches", names_of(spec["switches"])},
                     {"cables", network.routed.network.cables().size()},
                     {"hops", hops_of_pairs(network.routed, spec["nodes"])},
                     {"worst_case", worst_case(network)}});
  return evaluation;
}

}  // namespace fnn
