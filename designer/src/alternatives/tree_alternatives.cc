// SPDX-License-Identifier: GPL-3.0-or-later
// Alternatives with levels of switches: trees with one root, and fat trees.
//
// Nodes are distributed evenly over leaves, in rank order. Every switch of a level has the same number of cables to
// each switch of the next. A level has the fewest switches whose ports suffice. An example: four leaves of 32 ports
// with 16 nodes each have 16 cables up. One spine would need 64 ports; with two spines, each takes 8 cables from each
// leaf.
#include <algorithm>
#include <map>

#include "alternatives/alternative.h"
#include "evaluate/fabric.h"

namespace fnn {
namespace {

using std::size_t;

int divided_up(int a, int b) { return (a + b - 1) / b; }

const std::vector<RoutingChoice> kAllChoices = {RoutingChoice::kDModK, RoutingChoice::kMinHop, RoutingChoice::kBalanced,
                                                RoutingChoice::kRandom};

/// The connection of two adjacent levels.
struct TierConnection {
  int above;   ///< number of switches above
  int cables;  ///< from each switch below to each above
};

/// The fewest upper switches that take at least `up` cables from each of `below`; nothing where ports do not suffice.
std::optional<TierConnection> connect_tiers(int below, int up, int ports_left, int ports) {
  for (int above = 1; above <= up; ++above) {
    const int cables = divided_up(up, above);
    if (below * cables <= ports && above * cables <= ports_left) return TierConnection{above, cables};
  }
  return std::nullopt;
}

/// A tree under construction, level by level.
class Levels {
 public:
  Levels(const Setting& setting, const SwitchModel& model, int mbps)
      : network_(setting.nodes()), model_(model), mbps_(mbps) {}

  std::vector<std::uint32_t> add_switches(int count, int stride) {
    std::vector<std::uint32_t> level;
    for (int i = 0; i < count; ++i) level.push_back(network_.add_switch(model_.inside_mbps, static_cast<std::uint32_t>(stride)));
    return level;
  }

  /// Distributes nodes in rank order, as evenly as possible.
  void distribute_nodes_evenly(const std::vector<std::uint32_t>& leaves) {
    for (size_t node = 0; node < network_.nodes(); ++node) {
      network_.add_cable(static_cast<std::uint32_t>(node), leaves[node * leaves.size() / network_.nodes()], mbps_);
    }
  }

  /// Adds cables round-robin over the upper switches, so that d-mod-k uses these in turn.
  void connect(const std::vector<std::uint32_t>& below, const std::vector<std::uint32_t>& above, int cables) {
    for (const std::uint32_t low : below) {
      for (int cable = 0; cable < cables; ++cable) {
        for (const std::uint32_t high : above) network_.add_cable(low, high, mbps_);
      }
    }
  }

  Alternative done(const std::string& name, int copies) {
    Alternative found;
    found.name = name;
    const int nodes = static_cast<int>(network_.nodes());
    const int cables = static_cast<int>(network_.cables().size());
    found.parts = {mbps_, {{model_, copies * static_cast<int>(network_.switches())}}, {{copies, nodes}}, copies * cables};
    network_.copies = static_cast<size_t>(copies);
    network_.finish();
    found.network = std::move(network_);
    return found;
  }

 private:
  Network network_;
  SwitchModel model_;
  int mbps_;
};

Alternative unavailable(const std::string& name, const std::string& reason) {
  Alternative none;
  none.name = name;
  none.reason = reason;
  return none;
}

/// A message: the model has too few ports.
std::string too_narrow(const SwitchModel& model, int nodes) {
  return "switches of " + std::to_string(model.ports) + " ports are too narrow for " + std::to_string(nodes) + " nodes";
}

/// A message: nodes have no second NIC of the speed, perhaps slower ones.
std::string one_nic(const Bundle& bundle) {
  return "not every node has two NICs of " + std::to_string(bundle.mbps) + " Mb/s";
}

/// One cable up from each leaf, and half of its ports for nodes, as in the paper (KLAT2, 6.1).
Alternative tree_of(const std::string& name, const Setting& setting, const SwitchModel& model, const Bundle& bundle) {
  const int nodes = static_cast<int>(setting.nodes());
  if (model.ports >= nodes) return unavailable(name, "one switch holds all nodes");
  const int leaves = divided_up(nodes, std::max(1, model.ports / 2));
  if (leaves > model.ports || model.ports < 2) return unavailable(name, too_narrow(model, nodes));
  Levels levels(setting, model, bundle.mbps);
  const auto low = levels.add_switches(leaves, 1);
  levels.distribute_nodes_evenly(low);
  levels.connect(low, levels.add_switches(1, 1), 1);
  return levels.done(name, bundle.nics);
}

/// Two levels: leaves have `room` ports for nodes and one cable up per `per_cable` nodes.
std::optional<Alternative> two_levels(const std::string& name, const Setting& setting, const SwitchModel& model,
                                      const Bundle& bundle, int room, int per_cable) {
  const int nodes = static_cast<int>(setting.nodes());
  if (room < 1) return std::nullopt;
  const int leaves = divided_up(nodes, room);
  const int on_leaf = divided_up(nodes, leaves);
  const std::optional<TierConnection> connection = connect_tiers(leaves, divided_up(on_leaf, per_cable),
                                                                   model.ports - on_leaf, model.ports);
  if (!connection) return std::nullopt;
  Levels levels(setting, model, bundle.mbps);
  const auto low = levels.add_switches(leaves, 1);
  levels.distribute_nodes_evenly(low);
  levels.connect(low, levels.add_switches(connection->above, connection->above), connection->cables);
  Alternative found = levels.done(name, bundle.nics);
  found.routings = kAllChoices;
  return found;
}

/// Pods of leaves and middle switches; middle switches with the same number in their pods share cores.
std::optional<Alternative> three_levels(const std::string& name, const Setting& setting, const SwitchModel& model,
                                        const Bundle& bundle) {
  const int nodes = static_cast<int>(setting.nodes());
  const int half = model.ports / 2;
  if (half < 1) return std::nullopt;
  const int pods = divided_up(divided_up(nodes, half), half);
  const std::optional<TierConnection> cores = connect_tiers(pods, half, model.ports - half, model.ports);
  if (!cores) return std::nullopt;
  const int leaves_of_pod = divided_up(divided_up(nodes, half), pods);
  Levels levels(setting, model, bundle.mbps);
  std::vector<std::uint32_t> leaves;
  std::vector<std::vector<std::uint32_t>> middles(static_cast<size_t>(half));
  for (int pod = 0; pod < pods; ++pod) {
    const auto low = levels.add_switches(leaves_of_pod, 1);
    const auto high = levels.add_switches(half, half);
    levels.connect(low, high, 1);
    leaves.insert(leaves.end(), low.begin(), low.end());
    for (int i = 0; i < half; ++i) middles[static_cast<size_t>(i)].push_back(high[static_cast<size_t>(i)]);
  }
  levels.distribute_nodes_evenly(leaves);
  for (const auto& group : middles) levels.connect(group, levels.add_switches(cores->above, half * cores->above), cores->cables);
  Alternative found = levels.done(name, bundle.nics);
  found.routings = kAllChoices;
  return found;
}

/// A full-bisection fat tree: as many cables up as nodes below.
Alternative full_tree(const std::string& name, const Setting& setting, const SwitchModel& model, const Bundle& bundle) {
  const int nodes = static_cast<int>(setting.nodes());
  if (model.ports >= nodes) return unavailable(name, "one switch holds all nodes");
  if (auto two = two_levels(name, setting, model, bundle, model.ports / 2, 1)) return *two;
  if (auto three = three_levels(name, setting, model, bundle)) return *three;
  return unavailable(name, too_narrow(model, nodes));
}

using SwitchNumbers = std::map<std::string, size_t>;

/// The switch of the NIC over which a node communicates in the uplink tree: the first on a switch with a cable to the
/// uplink switch, else the first; nothing without a cable. Links are in the order of their NICs.
std::optional<size_t> switch_in_uplink_tree(const Json& links, const SwitchNumbers& numbers, const Fabric& fabric) {
  std::optional<size_t> first;
  for (const Json& link : links) {
    const size_t device = numbers.at(link["switch"].get<std::string>());
    if (fabric.uplinked[device]) return device;
    if (!first) first = device;
  }
  return first;
}

}  // namespace

Alternative plain_tree(const Setting& setting) {
  return cheapest("tree", setting.catalog, setting.mbps,
                  [&](const SwitchModel& model) { return tree_of("tree", setting, model, {1, setting.mbps}); });
}

Alternative bonded_tree(const Setting& setting) {
  const Bundle bundle = best_bundle(setting.catalog);
  if (bundle.nics < 2) return unavailable("bonded-tree", one_nic(bundle));
  return cheapest("bonded-tree", setting.catalog, bundle.mbps,
                  [&](const SwitchModel& model) { return tree_of("bonded-tree", setting, model, bundle); });
}

Alternative clos(const Setting& setting) {
  constexpr int kNodesPerCable = 3;
  const int nodes = static_cast<int>(setting.nodes());
  return cheapest("clos", setting.catalog, setting.mbps, [&](const SwitchModel& model) {
    if (model.ports >= nodes) return unavailable("clos", "one switch holds all nodes");
    const int room = model.ports * kNodesPerCable / (kNodesPerCable + 1);
    auto found = two_levels("clos", setting, model, {1, setting.mbps}, room, kNodesPerCable);
    return found ? *found : unavailable("clos", too_narrow(model, nodes));
  });
}

Alternative fat_tree(const Setting& setting) {
  return cheapest("fat-tree", setting.catalog, setting.mbps,
                  [&](const SwitchModel& model) { return full_tree("fat-tree", setting, model, {1, setting.mbps}); });
}

Alternative parallel_fat_trees(const Setting& setting) {
  const Bundle bundle = best_bundle(setting.catalog);
  if (bundle.nics < 2) return unavailable("planes", one_nic(bundle) + ": see fat-tree");
  return cheapest("planes", setting.catalog, bundle.mbps,
                  [&](const SwitchModel& model) { return full_tree("planes", setting, model, bundle); });
}

Alternative uplink_tree(const Setting& setting) {
  const Spec& spec = setting.design.spec;
  const Json& uplink = spec.normal["uplink"];
  if (uplink.is_null()) return unavailable("uplink-tree", "the design has no uplink switch");
  SwitchNumbers numbers;
  for (const Switch& device : spec.switches) numbers.emplace(device.name, numbers.size());
  const Fabric fabric = fabric_of(setting.design);
  Network network(setting.nodes());
  std::map<size_t, std::uint32_t> used;
  std::map<size_t, int> members;
  int nics = 0;
  for (size_t node = 0; node < setting.nodes(); ++node) {
    const auto device = switch_in_uplink_tree(setting.design.document["nodes"][node]["links"], numbers, fabric);
    if (!device) continue;
    const auto leg = std::find_if(fabric.legs[node].begin(), fabric.legs[node].end(),
                                  [&](const Leg& each) { return each.device == static_cast<int>(*device); });
    if (!used.contains(*device)) used.emplace(*device, network.add_switch(fabric.inside_mbps[*device]));
    network.add_cable(static_cast<std::uint32_t>(node), used[*device], leg->mbps);
    ++members[*device];
    ++nics;
  }
  const std::uint32_t root = network.add_switch();
  Alternative found;
  found.name = "uplink-tree";
  found.parts.mbps = fabric.unit_mbps;
  int uplinked = 0;
  const Prices prices(spec);
  for (const auto& [device, vertex] : used) {
    const Switch& model = spec.switches[device];
    found.parts.switches.push_back({{model.name, model.all_ports(), fabric.unit_mbps, prices.of_switch(model)}, 1});
    if (!fabric.uplinked[device]) continue;
    network.add_cable(vertex, root, fabric.unit_mbps);
    found.uplinks.push_back({model.name, members[device]});
    ++uplinked;
  }
  const int ports = uplink["ports"].get<int>();
  found.parts.switches.push_back({{uplink["name"], ports, fabric.unit_mbps, prices.of_switch(ports)}, 1});
  found.parts.nics = {{1, nics}};
  found.parts.cables = nics + uplinked;
  network.finish();
  found.network = std::move(network);
  return found;
}

}  // namespace fnn
