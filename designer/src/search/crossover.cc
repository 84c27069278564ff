// SPDX-License-Identifier: GPL-3.0-or-later
//
// Closed sets of connections
// --------------------------
// Two parents differ in some links. Call a link that only the mother has "old", one that only the
// father has "new". A single new link may need a NIC too many at its node and a port too many at its
// switch. An old link must then go at both ends, which leaves room for new links at the far ends of
// those, and so on. A set of old and new links is *closed* when every node and every switch has as
// many old as new links in it. Exchanging the whole set uses every NIC and port as often as before.
//
//        mother          father          the closed set between them
//     A: red  blue     A: red  green     A: - blue  + green
//     B: blue green    B: blue green
//     C: red  green    C: red  blue      C: - green + blue
//
// The smallest closed sets are alternating cycles, like the AB-cycles of edge assembly crossover
// (Nagata). A walk finds them: it leaves a node over a new link, leaves the switch over an old one,
// and so on, until it reaches a node for the second time and thereby closes a cycle. Unused NICs count
// as links to a dummy switch and unused ports as links to a dummy node; these balance the two sides,
// so that no walk can get stuck. The child takes each closed set with probability 1/2.
//
// Media are crossed one after the other, since a NIC never changes its medium. Where a switch has
// ports of several media this can cause one link too many on a switch, or two links between the
// same node and switch. Such a link is left out and its NIC plugged into some free port.
#include "search/crossover.h"

#include <algorithm>

namespace fnn {
namespace {

using std::size_t;

struct Link {
  int node;
  int group;
};
using Links = std::vector<Link>;
constexpr int kNoNic = -1;

struct ClosedSet {
  Links old_links;
  Links new_links;
};

/// The links in which two wirings differ, for one medium, with the dummies that balance them.
class Difference {
 public:
  Difference(const Wiring& mother, const Wiring& father, int media, Random& random)
      : dummy_node_(mother.limits().node_count()),
        dummy_group_(static_cast<int>(mother.limits().groups.size())),
        new_at_node_(Limits::at(dummy_node_) + 1),
        old_at_group_(Limits::at(dummy_group_) + 1),
        node_balance_(new_at_node_.size(), 0),
        group_balance_(old_at_group_.size(), 0) {
    for (const int group : mother.limits().groups_by_media[Limits::at(media)]) {
      add_one_sided(mother, father, group, false);
      add_one_sided(father, mother, group, true);
    }
    even_out();
    for (auto& links : new_at_node_) random.shuffle(links);
    for (auto& links : old_at_group_) random.shuffle(links);
  }

  /// Splits the difference into closed sets, dummy links left out.
  std::vector<ClosedSet> closed_sets() {
    std::vector<ClosedSet> sets;
    for (int start = 0; start <= dummy_node_; ++start) {
      while (!new_at_node_[Limits::at(start)].empty()) walk(start, sets);
    }
    return sets;
  }

 private:
  struct Step {
    int node;
    int group;  ///< reached over the new link node-group, left over an old one
  };

  void add(int node, int group, bool is_new) {
    if (is_new) new_at_node_[Limits::at(node)].push_back(group);
    else old_at_group_[Limits::at(group)].push_back(node);
    node_balance_[Limits::at(node)] += is_new ? 1 : -1;
    group_balance_[Limits::at(group)] += is_new ? 1 : -1;
  }

  void add_one_sided(const Wiring& has, const Wiring& lacks, int group, bool is_new) {
    for (const int nic : has.nics_on(group)) {
      const int node = has.node(nic);
      const auto& there = lacks.nics_on(group);
      const bool both = lacks.is_on(node, lacks.device_of(group)) &&
                        std::any_of(there.begin(), there.end(), [&](int other) { return lacks.node(other) == node; });
      if (!both) add(node, group, is_new);
    }
  }

  void even_out() {
    for (int node = 0; node < dummy_node_; ++node) {
      while (node_balance_[Limits::at(node)] != 0) add(node, dummy_group_, node_balance_[Limits::at(node)] < 0);
    }
    for (int group = 0; group < dummy_group_; ++group) {
      while (group_balance_[Limits::at(group)] != 0) add(dummy_node_, group, group_balance_[Limits::at(group)] < 0);
    }
    // Both dummies are now unbalanced by the same amount: the difference in links of the two parents.
    while (group_balance_[Limits::at(dummy_group_)] != 0) {
      add(dummy_node_, dummy_group_, group_balance_[Limits::at(dummy_group_)] < 0);
    }
  }

  static int take_last(std::vector<int>& from) {
    const int last = from.back();
    from.pop_back();
    return last;
  }

  /// Walks until the path is empty and splits off each cycle as it closes.
  void walk(int start, std::vector<ClosedSet>& sets) {
    std::vector<Step> path;
    int node = start;
    do {
      const int group = take_last(new_at_node_[Limits::at(node)]);
      path.push_back({node, group});
      node = take_last(old_at_group_[Limits::at(group)]);
      const auto seen = std::find_if(path.begin(), path.end(), [&](const Step& step) { return step.node == node; });
      if (seen == path.end()) continue;
      sets.push_back(closed({seen, path.end()}));
      path.erase(seen, path.end());
    } while (!path.empty());
  }

  ClosedSet closed(const std::vector<Step>& loop) const {
    ClosedSet set;
    for (size_t i = 0; i < loop.size(); ++i) {
      const int next_node = loop[(i + 1) % loop.size()].node;
      if (loop[i].group == dummy_group_) continue;
      if (loop[i].node != dummy_node_) set.new_links.push_back({loop[i].node, loop[i].group});
      if (next_node != dummy_node_) set.old_links.push_back({next_node, loop[i].group});
    }
    return set;
  }

  int dummy_node_;
  int dummy_group_;
  std::vector<std::vector<int>> new_at_node_;   ///< groups
  std::vector<std::vector<int>> old_at_group_;  ///< nodes
  std::vector<int> node_balance_;               ///< new links minus old ones
  std::vector<int> group_balance_;
};

/// The NIC of a node that is plugged into `group`; with kDummy, an unused one of that medium.
int find_nic(const Wiring& wiring, int node, int group, int media) {
  const Limits& limits = wiring.limits();
  for (int nic = limits.first_nic[Limits::at(node)]; nic < limits.first_nic[Limits::at(node) + 1]; ++nic) {
    if (wiring.group(nic) == group && wiring.media(nic) == media) return nic;
  }
  return kNoNic;
}

void take_over(Wiring& child, const std::vector<ClosedSet>& sets, int media) {
  for (const ClosedSet& set : sets) {
    for (const Link& link : set.old_links) child.unplug(find_nic(child, link.node, link.group, media));
  }
  for (const ClosedSet& set : sets) {
    for (const Link& link : set.new_links) {
      const int nic = find_nic(child, link.node, kDummy, media);
      if (nic != kNoNic && child.can_plug(nic, link.group)) child.plug(nic, link.group);
    }
  }
}

}  // namespace

Wiring cross(const Wiring& mother, const Wiring& father, Random& random) {
  Wiring child = mother;
  const int media_count = static_cast<int>(mother.limits().media_count);
  for (int media = 0; media < media_count; ++media) {
    std::vector<ClosedSet> sets = Difference(mother, father, media, random).closed_sets();
    std::erase_if(sets, [&](const ClosedSet&) { return random.one_in(2); });
    take_over(child, sets, media);
  }
  // With one group per switch there is nothing to fill: closed sets keep the number of used NICs.
  if (media_count > 1 || mother.limits().groups.size() > mother.limits().usable_ports.size()) child.fill(random);
  return child;
}

}  // namespace fnn
