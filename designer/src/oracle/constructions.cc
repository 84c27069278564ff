// SPDX-License-Identifier: GPL-3.0-or-later
//
// A family (oracle/families.h) is blown up to the number of nodes on the widest available switches. Then each node
// takes a type. Where NICs have different media, or nodes different numbers of NICs, not every node fits every type.
// The nodes with the fewest NICs choose first, each the type on which it can connect to the most switches.
#include "oracle/constructions.h"

#include <algorithm>
#include <cstdlib>
#include <numeric>

#include "oracle/blow_ups.h"

namespace fnn {
namespace {

using std::size_t;

constexpr size_t kMostSeeds = 4;
constexpr size_t kMostMisses = 8;           // families that are tried although they do not fit
constexpr long long kLargestExcess = 10;    // in percent of the nodes; a larger excess is not a near miss
constexpr std::uint64_t kSeed = 1;

/// The switches, widest first.
std::vector<int> by_width(const Limits& limits) {
  std::vector<int> devices(limits.usable_ports.size());
  std::iota(devices.begin(), devices.end(), 0);
  std::stable_sort(devices.begin(), devices.end(), [&](int a, int b) {
    return limits.usable_ports[Limits::at(a)] > limits.usable_ports[Limits::at(b)];
  });
  return devices;
}

std::vector<int> nodes_by_nics(const Limits& limits) {
  std::vector<int> nodes(Limits::at(limits.node_count()));
  std::iota(nodes.begin(), nodes.end(), 0);
  std::stable_sort(nodes.begin(), nodes.end(),
                   [&](int a, int b) { return limits.nic_count(a) < limits.nic_count(b); });
  return nodes;
}

/// A free group of the switch for a NIC, or kDummy.
int group_for(const Wiring& wiring, int nic, int device) {
  const int group = wiring.limits().group_of(device, wiring.media(nic));
  return group != kDummy && wiring.group(nic) == kDummy && wiring.can_plug(nic, group) ? group : kDummy;
}

/// Plugs a node into as many of the switches as possible; returns the number missed.
size_t plug_node(Wiring& wiring, int node, const std::vector<int>& devices) {
  const Limits& limits = wiring.limits();
  size_t missed = 0;
  for (const int device : devices) {
    bool plugged = false;
    for (int nic = limits.first_nic[Limits::at(node)]; !plugged && nic < limits.first_nic[Limits::at(node) + 1]; ++nic) {
      const int group = group_for(wiring, nic, device);
      if (group == kDummy) continue;
      wiring.plug(nic, group);
      plugged = true;
    }
    if (!plugged) ++missed;
  }
  return missed;
}

void unplug_node(Wiring& wiring, int node) {
  const Limits& limits = wiring.limits();
  for (int nic = limits.first_nic[Limits::at(node)]; nic < limits.first_nic[Limits::at(node) + 1]; ++nic) {
    if (wiring.group(nic) != kDummy) wiring.unplug(nic);
  }
}

/// The switches of the spec that take the roles of those of a family's type.
using Roles = std::vector<std::vector<int>>;

Roles roles_of(const Family& family, const std::vector<int>& devices) {
  Roles roles;
  for (const auto& type : family.types) {
    std::vector<int> real;
    for (const int device : type) real.push_back(devices[Limits::at(device)]);
    roles.push_back(real);
  }
  return roles;
}

Wiring wire(const Limits& limits, const Roles& roles, std::vector<int> copies) {
  Wiring wiring(limits);
  for (const int node : nodes_by_nics(limits)) {
    size_t best = roles.size();
    size_t fewest_missed = 0;
    for (size_t type = 0; type < roles.size(); ++type) {
      if (copies[type] == 0) continue;
      const size_t missed = plug_node(wiring, node, roles[type]);
      unplug_node(wiring, node);
      if (best == roles.size() || missed < fewest_missed) {
        best = type;
        fewest_missed = missed;
      }
      if (fewest_missed == 0) break;
    }
    --copies[best];
    plug_node(wiring, node, roles[best]);
  }
  Random random(kSeed);
  wiring.fill(random);
  return wiring;
}

std::vector<int> widths_of(const Limits& limits, const Family& family, const std::vector<int>& devices) {
  std::vector<int> widths;
  for (int j = 0; j < family.switches; ++j) {
    widths.push_back(limits.usable_ports[Limits::at(devices[Limits::at(j)])]);
  }
  return widths;
}

size_t fewest_nics(const Limits& limits) {
  int fewest = limits.nic_count(0);
  for (int node = 1; node < limits.node_count(); ++node) fewest = std::min(fewest, limits.nic_count(node));
  return Limits::at(fewest);
}

/// Missing shared switches over all wanted pairs of one node.
long long missing_at(const Wiring& wiring, const Demand& demand, int node) {
  const BitRows& members = wiring.members();
  const size_t words = members.words();
  std::vector<std::vector<Word>> met(Limits::at(demand.redundancy()), std::vector<Word>(words, 0));
  for (int device = 0; device < wiring.limits().switch_count(); ++device) {
    if (!wiring.is_on(node, device)) continue;
    const Word* on = members.row(Limits::at(device));
    // met[k] holds the nodes met more than k times.
    for (size_t k = met.size(); k-- > 0;) {
      for (size_t w = 0; w < words; ++w) met[k][w] |= k == 0 ? on[w] : on[w] & met[k - 1][w];
    }
  }
  const Word* wanted = demand.wanted().row(Limits::at(node));
  long long missing = 0;
  for (const auto& level : met) {
    for (size_t w = 0; w < words; ++w) missing += count_bits(wanted[w] & ~level[w]);
  }
  return missing;
}

}  // namespace

long long missing_shares(const Wiring& wiring, const Demand& demand) {
  long long missing = 0;
  for (int node = 0; node < wiring.limits().node_count(); ++node) missing += missing_at(wiring, demand, node);
  return missing / 2;
}

std::vector<Wiring> construct(const Limits& limits, const Demand& demand) {
  if (!demand.is_universal()) return {};
  const std::vector<int> devices = by_width(limits);
  struct Candidate {
    long long missing;
    Wiring wiring;
  };
  std::vector<Candidate> candidates;
  size_t misses = 0;
  for (const Family& family : families(fewest_nics(limits), limits.switch_count(), demand.redundancy())) {
    if (misses == kMostMisses) break;
    const std::vector<int> widths = widths_of(limits, family, devices);
    if (family.is_design() && most_nodes_of_family(family, widths.back()) < limits.node_count()) continue;
    const BlowUp blown = blow_up(family, limits.node_count(), widths);
    if (!blown.fits()) ++misses;
    if (blown.excess * 100 > kLargestExcess * limits.node_count()) continue;
    Wiring wiring = wire(limits, roles_of(family, devices), blown.copies);
    const long long missing = missing_shares(wiring, demand);
    candidates.push_back({missing, std::move(wiring)});
    if (missing == 0) break;
  }
  std::stable_sort(candidates.begin(), candidates.end(),
                   [](const Candidate& a, const Candidate& b) { return a.missing < b.missing; });
  std::vector<Wiring> wirings;
  for (Candidate& candidate : candidates) {
    if (wirings.size() < kMostSeeds) wirings.push_back(std::move(candidate.wiring));
  }
  return wirings;
}

}  // namespace fnn
