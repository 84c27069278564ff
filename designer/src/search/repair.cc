// SPDX-License-Identifier: GPL-3.0-or-later
//
// Repair by branch and bound
// --------------------------
// Example: six nodes are on red, blue and green, and a seventh is added. It must share a switch with all
// six, and a node that joins it on another switch needs a free NIC and a free port. Only a few cables
// change, not a whole design, so the search can be exhaustive:
//
//   1. Take a pair that shares too few switches. In every solution one of the two joins a switch of the
//      other, or both join a third: one of a few choices. Branch on them. The pair with the fewest
//      choices goes first (fail-first rule); a pair without choices ends the branch.
//   2. A link may exceed the NICs or ports there. Then one of the standing cables there must be pulled,
//      which counts as one move. Branch on them. This may leave pairs uncovered, see 1.
//   3. After all branches with a single link, the remaining branches exclude it; after all branches
//      without a cable, the remaining branches keep it. This avoids most repeated states. A choice of two
//      links excludes neither of them, because each may still be needed alone.
//
// The caller allows no move first, then one, and so on (iterative deepening). The first wiring found
// moves the fewest cables, and every number that was searched exhaustively without success is a proved
// lower bound. Without moves the search is small: a new node must take a set of switches that meets the
// sets of all others, on free ports only. This is feasible for clusters of a thousand nodes. With
// several moves only small clusters are searched exhaustively; the effort is limited, and for large
// clusters the genetic search takes over.
//
// Unlike a Wiring, the state here may hold more links than there are NICs or ports: the excess must still
// be pulled. Links of NICs of one medium are interchangeable; new links are assigned to NICs at the end.
#include "search/repair.h"

#include <algorithm>
#include <tuple>

namespace fnn {
namespace {

using std::size_t;

constexpr int kMaxRestarts = 8;  // randomized restarts, when the exhaustive search takes too long

/// A link of a node to a group of ports.
struct NodeLink {
  int node;
  int group;
};

/// One or two links that let a pair share one more switch.
struct Choice {
  NodeLink first;
  std::optional<NodeLink> second;
};

enum class LinkState : std::uint8_t { kNone, kStanding, kStays };

class RepairSearch {
 public:
  RepairSearch(const Limits& limits, const Demand& demand, const Standing& standing, Random& random)
      : limits_(limits),
        demand_(demand),
        standing_(standing),
        to_keep_(standing.cables_to_keep()),
        random_(random),
        nodes_(Limits::at(limits.node_count())),
        devices_(Limits::at(limits.switch_count())),
        states_(nodes_ * devices_, LinkState::kNone),
        group_(nodes_ * devices_, kDummy),
        excluded_(nodes_, limits.groups.size()),
        members_(devices_, nodes_),
        node_switches_(nodes_, devices_),
        lacking_(nodes_, nodes_),
        open_switches_(1, devices_),
        can_add_link_(nodes_, false),
        nics_(nodes_ * limits.media_count, 0),
        in_group_(limits.groups.size(), 0),
        load_(devices_, 0) {
    for (const NicSlot& nic : limits.nics) --nics_[nic_place(nic.node, nic.media)];
    for (size_t node = 0; node < nodes_; ++node) {
      for (size_t w = 0; w < lacking_.words(); ++w) lacking_.row(node)[w] = demand.wanted().row(node)[w];
    }
    add_standing_links();
  }

  /// Whether some wiring meets the demand with at most `max_moves` moves. Undecided when the budget ran out.
  bool solve(int max_moves, std::int64_t effort) {
    max_moves_ = max_moves;
    budget_ = effort;
    return descend();
  }
  bool out_of_budget() const { return budget_ < 0; }
  /// Adds noise to the order of the choices.
  void randomize() { randomized_ = true; }

  /// The number of cables that are not where they were, including those displaced by a pin.
  int moved() const { return moved_; }

  /// After a success.
  Wiring wiring() const {
    Wiring wiring(limits_);
    for_each_link([&](const NodeLink& link) { plug_into_former_nic(wiring, link); });
    for_each_link([&](const NodeLink& link) {
      if (!wiring.is_on(link.node, device_of(link.group))) plug_into_free_nic(wiring, link);
    });
    return wiring;
  }

 private:
  int device_of(int group) const { return limits_.groups[Limits::at(group)].device; }
  int media_of(int group) const { return limits_.groups[Limits::at(group)].media; }
  size_t place(int node, int device) const { return Limits::at(node) * devices_ + Limits::at(device); }
  size_t nic_place(int node, int media) const { return Limits::at(node) * limits_.media_count + Limits::at(media); }

  int group_of(size_t node, const Cable& cable) const {
    const int nic = limits_.first_nic[node] + cable.nic;
    return limits_.group_of(cable.device, limits_.nics[Limits::at(nic)].media);
  }

  void add_standing_links() {
    for (size_t node = 0; node < nodes_; ++node) {
      const auto& pins = standing_.pinned[node];
      for (const Cable& cable : to_keep_[node]) {
        const bool pinned = std::find(pins.begin(), pins.end(), cable) != pins.end();
        add_link({static_cast<int>(node), group_of(node, cable)}, pinned ? LinkState::kStays : LinkState::kStanding);
      }
    }
    // Cables displaced by a pin move in any case.
    moved_ = count_cables(standing_.cabling) - count_kept(to_keep_, standing_.cabling);
  }

  // Changes of the state, each with its reverse.

  void add_link(const NodeLink& link, LinkState state) {
    const int device = device_of(link.group);
    states_[place(link.node, device)] = state;
    group_[place(link.node, device)] = link.group;
    count_link(link, 1);
    members_.insert(Limits::at(device), Limits::at(link.node));
    node_switches_.insert(Limits::at(link.node), Limits::at(device));
    update_lacking(link.node, device);
  }

  void remove_link(const NodeLink& link) {
    const int device = device_of(link.group);
    states_[place(link.node, device)] = LinkState::kNone;
    count_link(link, -1);
    members_.erase(Limits::at(device), Limits::at(link.node));
    node_switches_.erase(Limits::at(link.node), Limits::at(device));
    update_lacking(link.node, device);
  }

  /// Counts the NICs, ports of a medium and ports of a switch that are used beyond their limits.
  void count_link(const NodeLink& link, int change) {
    const Group& group = limits_.groups[Limits::at(link.group)];
    const auto adjust = [change](int& used, int& excess) {
      excess -= std::max(used, 0);
      used += change;
      excess += std::max(used, 0);
    };
    adjust(nics_[nic_place(link.node, group.media)], excess_nics_);
    int group_used = in_group_[Limits::at(link.group)] - group.ports;
    adjust(group_used, excess_in_groups_);
    in_group_[Limits::at(link.group)] = group_used + group.ports;
    const int usable = limits_.usable_ports[Limits::at(group.device)];
    int load = load_[Limits::at(group.device)] - usable;
    adjust(load, excess_on_switches_);
    load_[Limits::at(group.device)] = load + usable;
  }

  void update_lacking(int node, int device) {
    const size_t me = Limits::at(node);
    for_each_member(members_.row(Limits::at(device)), members_.words(), [&](size_t peer) {
      if (peer == me || !demand_.wants(me, peer)) return;
      if (shared(me, peer) < demand_.redundancy()) {
        lacking_.insert(me, peer);
        lacking_.insert(peer, me);
      } else {
        lacking_.erase(me, peer);
        lacking_.erase(peer, me);
      }
    });
  }

  int shared(size_t node, size_t peer) const {
    int count = 0;
    for (size_t w = 0; w < node_switches_.words(); ++w) {
      count += count_bits(node_switches_.row(node)[w] & node_switches_.row(peer)[w]);
    }
    return count;
  }

  /// A lower bound on the pulls still needed: one pull ends at most one excess of each kind.
  int excess() const { return std::max({excess_nics_, excess_in_groups_, excess_on_switches_}); }

  bool descend() {
    if (--budget_ < 0 || moved_ + excess() > max_moves_) return false;
    if (excess() > 0) return branch_on_pulls();
    return branch_on_links();
  }

  // Excess: some standing cable must be pulled.

  bool branch_on_pulls() {
    std::vector<NodeLink> fewest;
    bool any = false;
    const auto consider = [&](std::vector<NodeLink> candidates) {
      if (!any || candidates.size() < fewest.size()) fewest = std::move(candidates);
      any = true;
    };
    for (int node = 0; node < limits_.node_count(); ++node) {
      for (int media = 0; media < static_cast<int>(limits_.media_count); ++media) {
        if (nics_[nic_place(node, media)] > 0) consider(standing_links_of(node, media));
      }
    }
    for (int group = 0; group < static_cast<int>(limits_.groups.size()); ++group) {
      const int device = device_of(group);
      if (in_group_[Limits::at(group)] > limits_.groups[Limits::at(group)].ports) {
        consider(standing_links_on(device, group));
      }
      if (load_[Limits::at(device)] > limits_.usable_ports[Limits::at(device)]) {
        consider(standing_links_on(device, kDummy));
      }
    }
    return try_pulls(fewest);
  }

  std::vector<NodeLink> standing_links_of(int node, int media) const {
    std::vector<NodeLink> links;
    for (int device = 0; device < static_cast<int>(devices_); ++device) {
      const size_t here = place(node, device);
      if (states_[here] == LinkState::kStanding && media_of(group_[here]) == media) {
        links.push_back({node, group_[here]});
      }
    }
    return links;
  }

  /// The standing links of one group, or with kDummy of any group on the switch.
  std::vector<NodeLink> standing_links_on(int device, int group) const {
    std::vector<NodeLink> links;
    for_each_member(members_.row(Limits::at(device)), members_.words(), [&](size_t node) {
      const size_t here = node * devices_ + Limits::at(device);
      if (states_[here] != LinkState::kStanding || (group != kDummy && group_[here] != group)) return;
      links.push_back({static_cast<int>(node), group_[here]});
    });
    return links;
  }

  bool try_pulls(const std::vector<NodeLink>& links) {
    size_t tried = 0;
    bool solved = false;
    for (; tried < links.size() && !solved && budget_ >= 0; ++tried) {
      const NodeLink& pulled = links[tried];
      remove_link(pulled);
      excluded_.insert(Limits::at(pulled.node), Limits::at(pulled.group));
      ++moved_;
      solved = descend();
      if (solved) return true;
      --moved_;
      excluded_.erase(Limits::at(pulled.node), Limits::at(pulled.group));
      add_link(pulled, LinkState::kStays);  // all branches without it have been tried
    }
    for (size_t i = 0; i < tried; ++i) states_[place(links[i].node, device_of(links[i].group))] = LinkState::kStanding;
    return false;
  }

  // Pairs that share too few switches: some link must be added.

  bool branch_on_links() {
    find_open_places();
    std::optional<std::pair<int, int>> tightest;
    int fewest = 0;
    for (size_t node = 0; node < nodes_; ++node) {
      for_each_member(lacking_.row(node), lacking_.words(), [&](size_t peer) {
        if (peer < node || (tightest && fewest == 0)) return;
        int count = 0;
        for_each_choice(static_cast<int>(node), static_cast<int>(peer), [&](const Choice&) { ++count; });
        budget_ -= 1 + count;
        if (tightest && count >= fewest) return;
        tightest = {static_cast<int>(node), static_cast<int>(peer)};
        fewest = count;
      });
    }
    if (!tightest) return true;
    if (fewest == 0 || budget_ < 0) return false;
    std::vector<Choice> choices;
    for_each_choice(tightest->first, tightest->second, [&](const Choice& choice) { choices.push_back(choice); });
    sort_choices(choices);
    return try_choices(choices);
  }

  /// Switches and nodes that may take one more link. With a move left, all of them.
  void find_open_places() {
    const bool pulls = moved_ < max_moves_;
    for (size_t device = 0; device < devices_; ++device) {
      if (pulls || load_[device] < limits_.usable_ports[device]) open_switches_.insert(0, device);
      else open_switches_.erase(0, device);
    }
    for (size_t node = 0; node < nodes_; ++node) {
      const auto first = nics_.begin() + static_cast<std::ptrdiff_t>(node * limits_.media_count);
      can_add_link_[node] = pulls || std::any_of(first, first + static_cast<std::ptrdiff_t>(limits_.media_count),
                                                 [](int used) { return used < 0; });
    }
  }

  template <typename Visit>
  void for_each_choice(int node, int peer, Visit visit) const {
    const bool node_can_add = can_add_link_[Limits::at(node)];
    const bool peer_can_add = can_add_link_[Limits::at(peer)];
    for (size_t w = 0; w < node_switches_.words(); ++w) {
      const Word mine = node_switches_.row(Limits::at(node))[w];
      const Word theirs = node_switches_.row(Limits::at(peer))[w];
      Word either = (node_can_add ? theirs & ~mine : 0) | (peer_can_add ? mine & ~theirs : 0);
      if (node_can_add && peer_can_add) either |= ~mine & ~theirs;
      for (Word left = either & open_switches_.row(0)[w]; left != 0; left &= left - 1) {
        const int bit = std::countr_zero(left);
        const int device = static_cast<int>(w * 64) + bit;
        if ((mine >> bit & 1U) != 0) {
          for_each_possible_link(peer, device, [&](const NodeLink& link) { visit({link, std::nullopt}); });
        } else if ((theirs >> bit & 1U) != 0) {
          for_each_possible_link(node, device, [&](const NodeLink& link) { visit({link, std::nullopt}); });
        } else {
          for_each_possible_link(node, device, [&](const NodeLink& one) {
            for_each_possible_link(peer, device, [&](const NodeLink& other) { visit({one, other}); });
          });
        }
      }
    }
  }

  /// The possible links of a node to a switch, perhaps after pulling a cable or two.
  template <typename Visit>
  void for_each_possible_link(int node, int device, Visit visit) const {
    for (int media = 0; media < static_cast<int>(limits_.media_count); ++media) {
      const int group = limits_.group_of(device, media);
      if (group == kDummy || excluded_.has(Limits::at(node), Limits::at(group))) continue;
      if (moved_ >= max_moves_ && !has_free_nic_and_port({node, group})) continue;
      if (has_nic_for(node, media)) visit(NodeLink{node, group});
    }
  }

  bool has_nic_for(int node, int media) const {
    for (int nic = limits_.first_nic[Limits::at(node)]; nic < limits_.first_nic[Limits::at(node) + 1]; ++nic) {
      if (limits_.nics[Limits::at(nic)].media == media) return true;
    }
    return false;
  }

  bool has_free_nic_and_port(const NodeLink& link) const {
    const Group& group = limits_.groups[Limits::at(link.group)];
    return nics_[nic_place(link.node, group.media)] < 0 && free_ports(link.group) > 0;
  }

  int free_ports(int group) const {
    const Group& ports = limits_.groups[Limits::at(group)];
    return std::min(ports.ports - in_group_[Limits::at(group)],
                    limits_.usable_ports[Limits::at(ports.device)] - load_[Limits::at(ports.device)]);
  }

  /// Choices without a pull first, then those that help most pairs, then those with most free ports.
  void sort_choices(std::vector<Choice>& choices) {
    using Key = std::tuple<int, int, int, size_t>;
    std::vector<std::pair<Key, Choice>> keyed;
    for (const Choice& choice : choices) {
      const bool free = has_free_nic_and_port(choice.first) && (!choice.second || has_free_nic_and_port(*choice.second));
      const int noise = randomized_ ? static_cast<int>(random_.below(4)) : 0;
      keyed.push_back({{free ? 0 : 1, -count_helped(choice) - noise, -free_ports(choice.first.group), keyed.size()},
                       choice});
    }
    std::sort(keyed.begin(), keyed.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    for (size_t i = 0; i < choices.size(); ++i) choices[i] = keyed[i].second;
  }

  int count_helped(const Choice& choice) const {
    return count_helped(choice.first) + (choice.second ? count_helped(*choice.second) : 0);
  }

  int count_helped(const NodeLink& link) const {
    const Word* there = members_.row(Limits::at(device_of(link.group)));
    const Word* missing = lacking_.row(Limits::at(link.node));
    int count = 0;
    for (size_t w = 0; w < members_.words(); ++w) count += count_bits(there[w] & missing[w]);
    return count;
  }

  bool try_choices(const std::vector<Choice>& choices) {
    std::vector<NodeLink> excluded_here;
    bool solved = false;
    for (const Choice& choice : choices) {
      add_link(choice.first, LinkState::kStays);
      if (choice.second) add_link(*choice.second, LinkState::kStays);
      solved = descend();
      if (solved) return true;
      if (choice.second) remove_link(*choice.second);
      remove_link(choice.first);
      if (budget_ < 0) break;
      if (choice.second) continue;
      excluded_here.push_back(choice.first);  // all branches with it have been tried
      excluded_.insert(Limits::at(choice.first.node), Limits::at(choice.first.group));
    }
    for (const NodeLink& link : excluded_here) excluded_.erase(Limits::at(link.node), Limits::at(link.group));
    return false;
  }

  // Assignment of links to NICs.

  template <typename Visit>
  void for_each_link(Visit visit) const {
    for (size_t node = 0; node < nodes_; ++node) {
      for_each_member(node_switches_.row(node), node_switches_.words(), [&](size_t device) {
        visit(NodeLink{static_cast<int>(node), group_[node * devices_ + device]});
      });
    }
  }

  void plug_into_former_nic(Wiring& wiring, const NodeLink& link) const {
    for (const Cable& cable : to_keep_[Limits::at(link.node)]) {
      const int nic = limits_.first_nic[Limits::at(link.node)] + cable.nic;
      if (cable.device == device_of(link.group) && wiring.media(nic) == media_of(link.group)) {
        wiring.plug(nic, link.group);
      }
    }
  }

  void plug_into_free_nic(Wiring& wiring, const NodeLink& link) const {
    for (int nic = limits_.first_nic[Limits::at(link.node)];; ++nic) {
      if (wiring.group(nic) != kDummy || wiring.media(nic) != media_of(link.group)) continue;
      wiring.plug(nic, link.group);
      return;
    }
  }

  const Limits& limits_;
  const Demand& demand_;
  const Standing& standing_;
  Cabling to_keep_;  ///< the cables that may stay, and the pins
  Random& random_;
  size_t nodes_;
  size_t devices_;
  std::vector<LinkState> states_;   ///< per node and switch
  std::vector<int> group_;          ///< per node and switch: of the link, when there is one
  BitRows excluded_;                ///< per node, the groups it must not join
  BitRows members_;                 ///< per switch, the nodes on it
  BitRows node_switches_;           ///< per node, the switches it is on
  BitRows lacking_;                 ///< per node, the wanted peers that share too few switches with it
  BitRows open_switches_;           ///< the switches that may take one more link
  std::vector<bool> can_add_link_;  ///< per node, whether it may take one more link
  std::vector<int> nics_;           ///< per node and media: links minus NICs; mostly negative
  std::vector<int> in_group_;       ///< links
  std::vector<int> load_;           ///< per switch, links
  int excess_nics_ = 0;
  int excess_in_groups_ = 0;
  int excess_on_switches_ = 0;
  int moved_ = 0;
  int max_moves_ = 0;
  std::int64_t budget_ = 0;
  bool randomized_ = false;
};

}  // namespace

RepairResult repair(const Limits& limits, const Demand& demand, const Standing& standing, int moves,
                    std::int64_t effort, Random& random) {
  RepairSearch search(limits, demand, standing, random);
  bool solved = search.solve(moves, effort);
  const bool proved = !search.out_of_budget();
  for (int attempt = 0; attempt < kMaxRestarts && !solved && search.out_of_budget(); ++attempt) {
    search.randomize();
    solved = search.solve(moves, effort / kMaxRestarts);
  }
  if (!solved) return {std::nullopt, 0, proved || !search.out_of_budget()};
  return {search.wiring(), search.moved(), true};
}

}  // namespace fnn
