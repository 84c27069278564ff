// SPDX-License-Identifier: GPL-3.0-or-later
#include "design/cabling.h"

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>
#include <optional>

#include "base/assignment.h"
#include "design/pins.h"
#include "spec/goals.h"
#include "spec/spec.h"

namespace fnn {
namespace {

using std::size_t;
using Places = std::vector<size_t>;

constexpr int kMostRounds = 20;         // tidying converges in two or three
constexpr size_t kLargestMatching = 600;  // the matching is cubic, so larger ones would take minutes

/// Interchangeable items: per class, their indexes in ascending order.
using Classes = std::vector<Places>;

template <typename Item>
Classes by_kind(const std::vector<Item>& items, const std::vector<bool>& excluded) {
  std::map<std::string, Places> kinds;
  for (size_t i = 0; i < items.size(); ++i) {
    if (!excluded[i]) kinds[items[i].kind].push_back(i);
  }
  Classes result;
  for (auto& [kind, places] : kinds) result.push_back(std::move(places));
  return result;
}

Classes alike_nodes(const Spec& spec, const Cabling& pinned) {
  if (!spec.normal["patterns"].empty() || !valued_pairs_of(spec).empty()) return {};
  std::vector<bool> excluded;
  for (const auto& cables : pinned) excluded.push_back(!cables.empty());
  return by_kind(spec.nodes, excluded);
}

Classes alike_switches(const Spec& spec, const Cabling& pinned) {
  std::vector<bool> excluded(spec.switches.size(), false);
  for (const auto& cables : pinned) {
    for (const Cable& cable : cables) excluded[Limits::at(cable.device)] = true;
  }
  return by_kind(spec.switches, excluded);
}

void sort_nodes(Links& links, const Classes& kinds) {
  for (const Places& places : kinds) {
    Links sets;
    for (const size_t place : places) sets.push_back(std::move(links[place]));
    std::sort(sets.begin(), sets.end());
    for (size_t i = 0; i < places.size(); ++i) links[places[i]] = std::move(sets[i]);
  }
}

void rename_switches(Links& links, const std::vector<int>& new_name) {
  for (auto& of_node : links) {
    for (Link& link : of_node) link.device = new_name[Limits::at(link.device)];
    std::sort(of_node.begin(), of_node.end());
  }
}

std::vector<int> identity(size_t count) {
  std::vector<int> names(count);
  for (size_t i = 0; i < count; ++i) names[i] = static_cast<int>(i);
  return names;
}

std::vector<int> names_by_appearance(const Links& links, size_t switches, const Classes& kinds) {
  Places rank(switches, links.size() * switches);  // switches without links come last
  size_t next = 0;
  for (const auto& of_node : links) {
    for (const Link& link : of_node) {
      size_t& known = rank[Limits::at(link.device)];
      known = std::min(known, next++);
    }
  }
  std::vector<int> new_name = identity(switches);
  for (const Places& places : kinds) {
    Places order = places;
    std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) { return rank[a] < rank[b]; });
    for (size_t i = 0; i < places.size(); ++i) new_name[order[i]] = static_cast<int>(places[i]);
  }
  return new_name;
}

/// Assignment problem: row i of `gain` is the item now called places[i], column k the place it could take instead.
void match(const Places& places, const std::function<int(size_t, size_t)>& gain, std::vector<int>& new_name) {
  if (places.size() > kLargestMatching) return;
  std::vector<std::vector<int>> table(places.size(), std::vector<int>(places.size(), 0));
  for (size_t i = 0; i < places.size(); ++i) {
    for (size_t k = 0; k < places.size(); ++k) {
      // Ties prefer the present place, for a stable result.
      table[i][k] = 2 * gain(places[i], places[k]) + (i == k ? 1 : 0);
    }
  }
  const std::vector<int> column = best_assignment(table);
  for (size_t i = 0; i < places.size(); ++i) new_name[places[i]] = static_cast<int>(places[Limits::at(column[i])]);
}

/// Whether a node was on a switch in the old cabling.
class FormerLinkRows {
 public:
  FormerLinkRows(const Cabling& old, size_t switches) : rows_(old.size(), switches) {
    for (size_t node = 0; node < old.size(); ++node) {
      for (const Cable& cable : old[node]) rows_.insert(node, Limits::at(cable.device));
    }
  }
  bool operator()(size_t node, int device) const { return rows_.has(node, Limits::at(device)); }

 private:
  BitRows rows_;
};

int overlap(const Links& links, const FormerLinkRows& was_on) {
  int count = 0;
  for (size_t node = 0; node < links.size(); ++node) {
    for (const Link& link : links[node]) count += was_on(node, link.device) ? 1 : 0;
  }
  return count;
}

void match_switches(Links& links, size_t switches, const FormerLinkRows& was_on, const Classes& kinds) {
  std::vector<std::vector<int>> common(switches, std::vector<int>(switches, 0));
  for (size_t node = 0; node < links.size(); ++node) {
    for (const Link& link : links[node]) {
      for (size_t device = 0; device < switches; ++device) {
        common[Limits::at(link.device)][device] += was_on(node, static_cast<int>(device)) ? 1 : 0;
      }
    }
  }
  std::vector<int> new_name = identity(switches);
  for (const Places& places : kinds) {
    match(places, [&](size_t a, size_t b) { return common[a][b]; }, new_name);
  }
  rename_switches(links, new_name);
}

void match_nodes(Links& links, const FormerLinkRows& was_on, const Classes& kinds) {
  std::vector<int> new_place = identity(links.size());
  const auto gain = [&](size_t set, size_t node) {
    return static_cast<int>(std::count_if(links[set].begin(), links[set].end(),
                                          [&](const Link& link) { return was_on(node, link.device); }));
  };
  for (const Places& places : kinds) match(places, gain, new_place);
  Links placed(links.size());
  for (size_t i = 0; i < links.size(); ++i) placed[Limits::at(new_place[i])] = std::move(links[i]);
  links = std::move(placed);
}

/// The cables of one node during NIC selection.
class NicChoice {
 public:
  NicChoice(const Limits& limits, size_t node)
      : limits_(limits),
        first_(limits.first_nic[node]),
        used_(Limits::at(limits.nic_count(static_cast<int>(node))), false) {}

  bool free(int nic, int media) const {
    return Limits::at(nic) < used_.size() && !used_[Limits::at(nic)] &&
           limits_.nics[Limits::at(first_ + nic)].media == media;
  }

  int first_free(int media) const {
    int nic = 0;
    while (!free(nic, media)) ++nic;  // the wiring guarantees a free NIC
    return nic;
  }

  std::optional<int> first_free(int media, int kind) const {
    for (int nic = 0; Limits::at(nic) < used_.size(); ++nic) {
      if (free(nic, media) && limits_.nics[Limits::at(first_ + nic)].kind == kind) return nic;
    }
    return std::nullopt;
  }

  void take(int nic, const Link& link) {
    used_[Limits::at(nic)] = true;
    cables_.push_back({nic, link.device, link.port_mbps});
  }

  std::vector<Cable> sorted() {
    std::sort(cables_.begin(), cables_.end());
    return cables_;
  }

 private:
  const Limits& limits_;
  int first_;
  std::vector<bool> used_;
  std::vector<Cable> cables_;
};

/// Gives links that are among the `cables` their present NICs; returns the other links.
std::vector<Link> keep_nics(const std::vector<Link>& links, const std::vector<Cable>& cables, NicChoice& choice) {
  std::vector<Link> others;
  for (const Link& link : links) {
    const auto same = std::find_if(cables.begin(), cables.end(), [&](const Cable& cable) {
      return cable.device == link.device && choice.free(cable.nic, link.media);
    });
    if (same == cables.end()) others.push_back(link);
    else choice.take(same->nic, link);
  }
  return others;
}

std::vector<Cable> cable_node(const std::vector<Link>& links, const std::vector<Cable>& old, NicChoice choice) {
  std::vector<Link> others;
  for (const Link& link : keep_nics(links, old, choice)) {
    if (const auto nic = choice.first_free(link.media, link.kind)) choice.take(*nic, link);
    else others.push_back(link);
  }
  for (const Link& link : others) choice.take(choice.first_free(link.media), link);
  return choice.sorted();
}

}  // namespace

Links links_of(const Wiring& wiring) {
  const Limits& limits = wiring.limits();
  Links links(Limits::at(limits.node_count()));
  for (size_t nic = 0; nic < limits.nics.size(); ++nic) {
    const int group = wiring.group(static_cast<int>(nic));
    const NicSlot& slot = limits.nics[nic];
    if (group == kDummy) continue;
    const Group& ports = limits.groups[Limits::at(group)];
    links[Limits::at(slot.node)].push_back({ports.device, slot.media, slot.kind, ports.port_mbps});
  }
  for (auto& of_node : links) std::sort(of_node.begin(), of_node.end());
  return links;
}

Links tidied(Links links, const Spec& spec) {
  const Cabling pinned = pins_of(spec);
  const Classes nodes = alike_nodes(spec, pinned);
  const Classes switches = alike_switches(spec, pinned);
  sort_nodes(links, nodes);
  Links best = links;
  for (int round = 0; round < kMostRounds; ++round) {
    const Links before = links;
    rename_switches(links, names_by_appearance(links, spec.switches.size(), switches));
    sort_nodes(links, nodes);
    best = std::min(best, links);
    if (links == before) break;
  }
  return best;
}

Links matched(Links links, const Cabling& old, const Spec& spec) {
  const Cabling pinned = pins_of(spec);
  const Classes nodes = alike_nodes(spec, pinned);
  const Classes switches = alike_switches(spec, pinned);
  const FormerLinkRows was_on(old, spec.switches.size());
  for (int before = -1; overlap(links, was_on) > before;) {
    before = overlap(links, was_on);
    match_switches(links, spec.switches.size(), was_on, switches);
    match_nodes(links, was_on, nodes);
  }
  return links;
}

Cabling cabled(const Links& links, const Cabling& old, const Limits& limits) {
  Cabling cabling;
  for (size_t node = 0; node < links.size(); ++node) {
    const std::vector<Cable> none;
    cabling.push_back(cable_node(links[node], node < old.size() ? old[node] : none, NicChoice(limits, node)));
  }
  return cabling;
}

int count_cables(const Cabling& cabling) {
  return std::accumulate(cabling.begin(), cabling.end(), 0,
                         [](int sum, const auto& cables) { return sum + static_cast<int>(cables.size()); });
}

int count_kept(const Cabling& now, const Cabling& old) {
  int count = 0;
  for (size_t node = 0; node < old.size(); ++node) {
    for (const Cable& cable : old[node]) {
      count += static_cast<int>(std::count(now[node].begin(), now[node].end(), cable));
    }
  }
  return count;
}

}  // namespace fnn
