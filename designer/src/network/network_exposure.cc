// SPDX-License-Identifier: GPL-3.0-or-later
#include "network/network_exposure.h"

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>

#include "evaluate/exposure.h"

namespace fnn {
namespace {

using std::size_t;

constexpr size_t kNothing = std::numeric_limits<size_t>::max();

/// Connectivity of nodes after the removal of one vertex or one cable.
class SurvivingNetwork {
 public:
  explicit SurvivingNetwork(const Network& network) : network_(network), plain_(network.nodes() + network.switches()) {}

  long long connected_pairs(size_t dead_vertex, size_t dead_cable) {
    join(dead_vertex, dead_cable);
    attach(dead_vertex, dead_cable);
    return count();
  }

 private:
  size_t root(size_t vertex) {
    while (parent_[vertex] != vertex) vertex = parent_[vertex] = parent_[parent_[vertex]];
    return vertex;
  }

  template <typename Visit>
  void for_each_cable(size_t dead_vertex, size_t dead_cable, Visit visit) const {
    for (size_t i = 0; i < network_.cables().size(); ++i) {
      const Network::Cable& cable = network_.cables()[i];
      if (i != dead_cable && cable.a != dead_vertex && cable.b != dead_vertex) visit(cable.a, cable.b);
    }
  }

  /// Union-find: merges every forwarding vertex with its forwarding neighbors.
  void join(size_t dead_vertex, size_t dead_cable) {
    parent_.resize(plain_);
    std::iota(parent_.begin(), parent_.end(), size_t{0});
    for_each_cable(dead_vertex, dead_cable, [&](size_t a, size_t b) {
      if (network_.forwards(a) && network_.forwards(b)) parent_[root(a)] = root(b);
    });
  }

  /// Assigns the other nodes to every component that they have a cable to.
  void attach(size_t dead_vertex, size_t dead_cable) {
    member_of_.assign(network_.nodes(), {});
    for (size_t node = 0; node < network_.nodes(); ++node) {
      if (network_.forwards(node)) member_of_[node].push_back(root(node));
    }
    for_each_cable(dead_vertex, dead_cable, [&](size_t a, size_t b) {
      if (network_.is_node(a) && !network_.forwards(a) && network_.forwards(b)) member_of_[a].push_back(root(b));
      if (network_.is_node(b) && !network_.forwards(b) && network_.forwards(a)) member_of_[b].push_back(root(a));
    });
    for (auto& of_node : member_of_) {
      std::sort(of_node.begin(), of_node.end());
      of_node.erase(std::unique(of_node.begin(), of_node.end()), of_node.end());
    }
  }

  /// There are few distinct sets of memberships, so pairs are counted per set.
  long long count() const {
    std::map<std::vector<size_t>, long long> nodes;
    for (const auto& of_node : member_of_) ++nodes[of_node];
    long long pairs = 0;
    for (auto a = nodes.begin(); a != nodes.end(); ++a) {
      if (a->first.empty()) continue;
      pairs += a->second * (a->second - 1) / 2;
      for (auto b = std::next(a); b != nodes.end(); ++b) {
        if (share_one(a->first, b->first)) pairs += a->second * b->second;
      }
    }
    return pairs;
  }

  static bool share_one(const std::vector<size_t>& a, const std::vector<size_t>& b) {
    return std::any_of(a.begin(), a.end(), [&](size_t one) { return std::binary_search(b.begin(), b.end(), one); });
  }

  const Network& network_;
  size_t plain_;  ///< vertices, not counting the insides of switches
  std::vector<size_t> parent_;
  std::vector<std::vector<size_t>> member_of_;
};

}  // namespace

Json network_exposure(const Network& network) {
  SurvivingNetwork remaining(network);
  const long long all = remaining.connected_pairs(kNothing, kNothing);
  // A component that fails in one copy remains in the others.
  const bool safe = network.copies > 1;
  std::vector<long long> switches;
  for (size_t vertex = network.nodes(); vertex < network.nodes() + network.switches(); ++vertex) {
    switches.push_back(safe ? 0 : all - remaining.connected_pairs(vertex, kNothing));
  }
  std::vector<long long> nics;
  std::vector<long long> cables;
  std::map<std::pair<std::uint32_t, std::uint32_t>, long long> known;  // parallel cables give equal results
  for (size_t i = 0; i < network.cables().size(); ++i) {
    const Network::Cable& cable = network.cables()[i];
    const auto [place, is_new] = known.emplace(std::pair(cable.a, cable.b), 0);
    if (is_new && !safe) place->second = all - remaining.connected_pairs(kNothing, i);
    cables.push_back(place->second);
    for (const std::uint32_t end : {cable.a, cable.b}) {
      if (network.is_node(end)) nics.push_back(place->second);
    }
  }
  return {{"switch", losses_json(switches)},
          {"nic", losses_json(nics)},
          {"cable", losses_json(cables)}};
}

}  // namespace fnn
