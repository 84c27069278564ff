// SPDX-License-Identifier: GPL-3.0-or-later
#include "evaluate/exposure.h"

#include <algorithm>
#include <numeric>

#include "design/shared_switches.h"

namespace fnn {
namespace {

using std::size_t;

/// Pairs that depend on each switch, and on each link of each node.
struct Dependent {
  std::vector<long long> on_switch;
  std::vector<std::vector<long long>> on_link;

  explicit Dependent(const Fabric& fabric) : on_switch(fabric.links.size(), 0) {
    for (const auto& of_node : fabric.legs) on_link.emplace_back(of_node.size(), 0);
    for (size_t a = 0; a < fabric.nodes(); ++a) {
      for (size_t b = a + 1; b < fabric.nodes(); ++b) add(fabric, a, b);
    }
  }

 private:
  void add(const Fabric& fabric, size_t a, size_t b) {
    int shared = 0;
    SharedLeg only{};
    for_each_shared(fabric.legs[a], fabric.legs[b], [&](size_t from_leg, size_t to_leg) {
      ++shared;
      only = {from_leg, to_leg};
    });
    if (shared != 1) return;
    ++on_switch[static_cast<size_t>(fabric.legs[a][only.from_leg].device)];
    ++on_link[a][only.from_leg];
    ++on_link[b][only.to_leg];
  }
};

/// Single failures of one kind.
struct Failures {
  std::vector<long long> lost;
  std::vector<Json> named;

  Json to_json() const {
    Json losses = losses_json(lost);
    if (!lost.empty()) losses["worst"] = named[static_cast<size_t>(std::max_element(lost.begin(), lost.end()) - lost.begin())];
    return losses;
  }
};

}  // namespace

Json losses_json(const std::vector<long long>& lost) {
  if (lost.empty()) return nullptr;
  const long long sum = std::accumulate(lost.begin(), lost.end(), 0LL);
  return {{"min", *std::min_element(lost.begin(), lost.end())},
          {"mean", exact_number({sum, static_cast<std::int64_t>(lost.size())})},
          {"max", *std::max_element(lost.begin(), lost.end())}};
}

Json exposure(const Fabric& fabric, const Spec& spec) {
  const Dependent dependent(fabric);
  Failures switches;
  Failures nics;
  for (size_t device = 0; device < fabric.links.size(); ++device) {
    if (fabric.links[device] == 0) continue;
    switches.lost.push_back(dependent.on_switch[device]);
    switches.named.push_back({{"switch", spec.switches[device].name}});
  }
  for (size_t node = 0; node < fabric.nodes(); ++node) {
    for (size_t link = 0; link < fabric.legs[node].size(); ++link) {
      const auto device = static_cast<size_t>(fabric.legs[node][link].device);
      nics.lost.push_back(dependent.on_link[node][link]);
      nics.named.push_back({{"node", spec.nodes[node].name}, {"switch", spec.switches[device].name}});
    }
  }
  Failures cables = nics;
  for (size_t device = 0; device < fabric.uplinked.size(); ++device) {
    if (!fabric.uplinked[device]) continue;
    cables.lost.push_back(0);
    cables.named.push_back({{"switch", spec.switches[device].name}});
  }
  return {{"switch", switches.to_json()}, {"nic", nics.to_json()}, {"cable", cables.to_json()}};
}

}  // namespace fnn
