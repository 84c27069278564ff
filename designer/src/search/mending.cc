// SPDX-License-Identifier: GPL-3.0-or-later
//
// Repair by branch and bound
// --------------------------
// Example: six nodes are on red, blue and green, and a seventh is bought. It must share a switch with all
// six, and a node that joins it on another switch needs a free NIC and a free port. Only a few cables
// change, not a whole design, so the search can be exhaustive:
//
//   1. Take a pair that shares too few switches. In every solution one of the two joins a switch of the
//      other, or both join a third: one of a few choices. Branch on them. The pair with the fewest
//      choices goes first (fail-first rule); a pair without choices ends the branch.
//   2. A link may exceed the NICs or ports there. Then one of the standing cables there must be pulled,
//      which counts as one move. Branch on them. This may leave pairs uncovered, see 1.
//   3. After all branches with a link, the remaining branches exclude it; after all branches without a
//      cable, the remaining branches keep it. No state is therefore examined twice.
//
// The caller allows no move first, then one, and so on (iterative deepening). The first wiring found
// moves the fewest cables, and every number that was searched exhaustively without success is a proved
// lower bound. Without moves the search is small: a new node must take a set of switches that meets the
// sets of all others, on free ports only. This is feasible for clusters of a thousand nodes. With
// several moves only small clusters are searched exhaustively; the effort is limited, and for large
// clusters the genetic search takes over.
//
// Unlike a Wiring, the state here may hold more links than there are NICs or ports: the excess must still
// be pulled. Links of NICs of one media are interchangeable; new links are assigned to NICs at the end.
#include "search/mending.h"

#include <algorithm>
#include <tuple>

namespace fnn {
namespace {

using std::size_t;

constexpr int kTries = 8;  // randomized restarts, when the exhaustive search takes too long

/// A link of a node to a group of ports.
struct Join {
  int node;
  int group;
};

/// One or two links that let a pair share one more switch.
struct Choice {
  Join first;
  std::optional<Join> second;
};

enum class Mark : std::uint8_t { kNone, kStanding, kStays };

class Mender {
 public:
  Mender(const Limits& limits, const Demand& demand, const Standing& standing, Random& random)
      : limits_(limits),
        demand_(demand),
        standing_(standing),
        homes_(standing.homes()),
        random_(random),
        nodes_(Limits::at(limits.node_count())),
        devices_(Limits::at(limits.switch_count())),
        marks_(nodes_ * devices_, Mark::kNone),
        group_(nodes_ * devices_, kDummy),
        refused_(nodes_, limits.groups.size()),
        members_(devices_, nodes_),
        on_(nodes_, devices_),
        short_(nodes_, nodes_),
        open_(1, devices_),
        able_(nodes_, false),
        nics_(nodes_ * limits.media_count, 0),
        in_group_(limits.groups.size(), 0),
        load_(devices_, 0) {
    for (const NicSlot& nic : limits.nics) --nics_[nic_place(nic.node, nic.media)];
    for (size_t node = 0; node < nodes_; ++node) {
      for (size_t w = 0; w < short_.words(); ++w) short_.row(node)[w] = demand.wanted().row(node)[w];
    }
    stand();
  }

  /// Whether some wiring meets the demand with at most `most` moves. Unsure when the effort ran out.
  bool solve(int most, std::int64_t effort) {
    most_ = most;
    effort_ = effort;
    return descend();
  }
  bool unsure() const { return effort_ < 0; }
  /// Adds noise to the order of the choices.
  void be_noisy() { noisy_ = true; }

  /// The number of cables that are not where they were, including those displaced by a pin.
  int moved() const { return moved_; }

  /// After a success.
  Wiring wiring() const {
    Wiring wiring(limits_);
    for_each_link([&](const Join& link) { plug_at_home(wiring, link); });
    for_each_link([&](const Join& link) {
      if (!wiring.is_on(link.node, device_of(link.group))) plug_anywhere(wiring, link);
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

  void stand() {
    for (size_t node = 0; node < nodes_; ++node) {
      const auto& pins = standing_.pinned[node];
      for (const Cable& cable : homes_[node]) {
        const bool pinned = std::find(pins.begin(), pins.end(), cable) != pins.end();
        link({static_cast<int>(node), group_of(node, cable)}, pinned ? Mark::kStays : Mark::kStanding);
      }
    }
    // Cables displaced by a pin move in any case.
    moved_ = count_cables(standing_.cabling) - count_kept(homes_, standing_.cabling);
  }

  // Changes of the state, each with its reverse.

  void link(const Join& join, Mark mark) {
    const int device = device_of(join.group);
    marks_[place(join.node, device)] = mark;
    group_[place(join.node, device)] = join.group;
    count(join, 1);
    members_.insert(Limits::at(device), Limits::at(join.node));
    on_.insert(Limits::at(join.node), Limits::at(device));
    look_again(join.node, device);
  }

  void unlink(const Join& join) {
    const int device = device_of(join.group);
    marks_[place(join.node, device)] = Mark::kNone;
    count(join, -1);
    members_.erase(Limits::at(device), Limits::at(join.node));
    on_.erase(Limits::at(join.node), Limits::at(device));
    look_again(join.node, device);
  }

  /// Counts the NICs, ports of a media and ports of a switch that are used beyond their limits.
  void count(const Join& join, int change) {
    const Group& group = limits_.groups[Limits::at(join.group)];
    const auto adjust = [change](int& used, int& excess) {
      excess -= std::max(used, 0);
      used += change;
      excess += std::max(used, 0);
    };
    adjust(nics_[nic_place(join.node, group.media)], excess_nics_);
    int group_used = in_group_[Limits::at(join.group)] - group.ports;
    adjust(group_used, excess_in_groups_);
    in_group_[Limits::at(join.group)] = group_used + group.ports;
    const int usable = limits_.usable_ports[Limits::at(group.device)];
    int load = load_[Limits::at(group.device)] - usable;
    adjust(load, excess_on_switches_);
    load_[Limits::at(group.device)] = load + usable;
  }

  void look_again(int node, int device) {
    const size_t me = Limits::at(node);
    for_each_member(members_.row(Limits::at(device)), members_.words(), [&](size_t peer) {
      if (peer == me || !demand_.wants(me, peer)) return;
      if (shared(me, peer) < demand_.redundancy()) {
        short_.insert(me, peer);
        short_.insert(peer, me);
      } else {
        short_.erase(me, peer);
        short_.erase(peer, me);
      }
    });
  }

  int shared(size_t node, size_t peer) const {
    int count = 0;
    for (size_t w = 0; w < on_.words(); ++w) count += count_bits(on_.row(node)[w] & on_.row(peer)[w]);
    return count;
  }

  /// A lower bound on the pulls still needed: one pull ends at most one excess of each kind.
  int excess() const { return std::max({excess_nics_, excess_in_groups_, excess_on_switches_}); }

  bool descend() {
    if (--effort_ < 0 || moved_ + excess() > most_) return false;
    if (excess() > 0) return relieve();
    return meet();
  }

  // Excess: some standing cable must be pulled.

  bool relieve() {
    std::vector<Join> fewest;
    bool any = false;
    const auto offer = [&](std::vector<Join> candidates) {
      if (!any || candidates.size() < fewest.size()) fewest = std::move(candidates);
      any = true;
    };
    for (int node = 0; node < limits_.node_count(); ++node) {
      for (int media = 0; media < static_cast<int>(limits_.media_count); ++media) {
        if (nics_[nic_place(node, media)] > 0) offer(standing_links_of(node, media));
      }
    }
    for (int group = 0; group < static_cast<int>(limits_.groups.size()); ++group) {
      const int device = device_of(group);
      if (in_group_[Limits::at(group)] > limits_.groups[Limits::at(group)].ports) offer(standing_links_on(device, group));
      if (load_[Limits::at(device)] > limits_.usable_ports[Limits::at(device)]) offer(standing_links_on(device, kDummy));
    }
    return try_pulls(fewest);
  }

  std::vector<Join> standing_links_of(int node, int media) const {
    std::vector<Join> links;
    for (int device = 0; device < static_cast<int>(devices_); ++device) {
      const size_t here = place(node, device);
      if (marks_[here] == Mark::kStanding && media_of(group_[here]) == media) links.push_back({node, group_[here]});
    }
    return links;
  }

  /// The standing links of one group, or with kDummy of any group on the switch.
  std::vector<Join> standing_links_on(int device, int group) const {
    std::vector<Join> links;
    for_each_member(members_.row(Limits::at(device)), members_.words(), [&](size_t node) {
      const size_t here = node * devices_ + Limits::at(device);
      if (marks_[here] != Mark::kStanding || (group != kDummy && group_[here] != group)) return;
      links.push_back({static_cast<int>(node), group_[here]});
    });
    return links;
  }

  bool try_pulls(const std::vector<Join>& links) {
    size_t tried = 0;
    bool solved = false;
    for (; tried < links.size() && !solved && effort_ >= 0; ++tried) {
      const Join& pulled = links[tried];
      unlink(pulled);
      refused_.insert(Limits::at(pulled.node), Limits::at(pulled.group));
      ++moved_;
      solved = descend();
      if (solved) return true;
      --moved_;
      refused_.erase(Limits::at(pulled.node), Limits::at(pulled.group));
      link(pulled, Mark::kStays);  // all branches without it have been tried
    }
    for (size_t i = 0; i < tried; ++i) marks_[place(links[i].node, device_of(links[i].group))] = Mark::kStanding;
    return false;
  }

  // Pairs that share too few switches: some link must be added.

  bool meet() {
    note_what_is_open();
    std::optional<std::pair<int, int>> tightest;
    int fewest = 0;
    for (size_t node = 0; node < nodes_; ++node) {
      for_each_member(short_.row(node), short_.words(), [&](size_t peer) {
        if (peer < node || (tightest && fewest == 0)) return;
        int count = 0;
        for_each_choice(static_cast<int>(node), static_cast<int>(peer), [&](const Choice&) { ++count; });
        effort_ -= 1 + count;
        if (tightest && count >= fewest) return;
        tightest = {static_cast<int>(node), static_cast<int>(peer)};
        fewest = count;
      });
    }
    if (!tightest) return true;
    if (fewest == 0 || effort_ < 0) return false;
    std::vector<Choice> choices;
    for_each_choice(tightest->first, tightest->second, [&](const Choice& choice) { choices.push_back(choice); });
    order(choices);
    return try_choices(choices);
  }

  /// Switches and nodes that may take one more link. With a move left, all of them.
  void note_what_is_open() {
    const bool pulls = moved_ < most_;
    for (size_t device = 0; device < devices_; ++device) {
      if (pulls || load_[device] < limits_.usable_ports[device]) open_.insert(0, device);
      else open_.erase(0, device);
    }
    for (size_t node = 0; node < nodes_; ++node) {
      const auto first = nics_.begin() + static_cast<std::ptrdiff_t>(node * limits_.media_count);
      able_[node] = pulls || std::any_of(first, first + static_cast<std::ptrdiff_t>(limits_.media_count),
                                         [](int used) { return used < 0; });
    }
  }

  template <typename Visit>
  void for_each_choice(int node, int peer, Visit visit) const {
    const bool node_able = able_[Limits::at(node)];
    const bool peer_able = able_[Limits::at(peer)];
    for (size_t w = 0; w < on_.words(); ++w) {
      const Word mine = on_.row(Limits::at(node))[w];
      const Word theirs = on_.row(Limits::at(peer))[w];
      Word either = (node_able ? theirs & ~mine : 0) | (peer_able ? mine & ~theirs : 0);
      if (node_able && peer_able) either |= ~mine & ~theirs;
      for (Word left = either & open_.row(0)[w]; left != 0; left &= left - 1) {
        const int bit = std::countr_zero(left);
        const int device = static_cast<int>(w * 64) + bit;
        if ((mine >> bit & 1U) != 0) {
          for_each_way(peer, device, [&](const Join& join) { visit({join, std::nullopt}); });
        } else if ((theirs >> bit & 1U) != 0) {
          for_each_way(node, device, [&](const Join& join) { visit({join, std::nullopt}); });
        } else {
          for_each_way(node, device, [&](const Join& one) {
            for_each_way(peer, device, [&](const Join& other) { visit({one, other}); });
          });
        }
      }
    }
  }

  /// The possible links of a node to a switch, perhaps after pulling a cable or two.
  template <typename Visit>
  void for_each_way(int node, int device, Visit visit) const {
    for (int media = 0; media < static_cast<int>(limits_.media_count); ++media) {
      const int group = limits_.group_of(device, media);
      if (group == kDummy || refused_.has(Limits::at(node), Limits::at(group))) continue;
      if (moved_ >= most_ && !is_free({node, group})) continue;
      if (has_nic_for(node, media)) visit(Join{node, group});
    }
  }

  bool has_nic_for(int node, int media) const {
    for (int nic = limits_.first_nic[Limits::at(node)]; nic < limits_.first_nic[Limits::at(node) + 1]; ++nic) {
      if (limits_.nics[Limits::at(nic)].media == media) return true;
    }
    return false;
  }

  bool is_free(const Join& join) const {
    const Group& group = limits_.groups[Limits::at(join.group)];
    return nics_[nic_place(join.node, group.media)] < 0 && free_ports(join.group) > 0;
  }

  int free_ports(int group) const {
    const Group& ports = limits_.groups[Limits::at(group)];
    return std::min(ports.ports - in_group_[Limits::at(group)],
                    limits_.usable_ports[Limits::at(ports.device)] - load_[Limits::at(ports.device)]);
  }

  /// Choices without a pull first, then those that help most pairs, then those with most free ports.
  void order(std::vector<Choice>& choices) {
    using Key = std::tuple<int, int, int, size_t>;
    std::vector<std::pair<Key, Choice>> keyed;
    for (const Choice& choice : choices) {
      const bool free = is_free(choice.first) && (!choice.second || is_free(*choice.second));
      const int noise = noisy_ ? static_cast<int>(random_.below(4)) : 0;
      keyed.push_back({{free ? 0 : 1, -helped(choice) - noise, -free_ports(choice.first.group), keyed.size()}, choice});
    }
    std::sort(keyed.begin(), keyed.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    for (size_t i = 0; i < choices.size(); ++i) choices[i] = keyed[i].second;
  }

  int helped(const Choice& choice) const {
    return helped(choice.first) + (choice.second ? helped(*choice.second) : 0);
  }

  int helped(const Join& join) const {
    const Word* there = members_.row(Limits::at(device_of(join.group)));
    const Word* missing = short_.row(Limits::at(join.node));
    int count = 0;
    for (size_t w = 0; w < members_.words(); ++w) count += count_bits(there[w] & missing[w]);
    return count;
  }

  bool try_choices(const std::vector<Choice>& choices) {
    std::vector<Join> refused;
    bool solved = false;
    for (const Choice& choice : choices) {
      link(choice.first, Mark::kStays);
      if (choice.second) link(*choice.second, Mark::kStays);
      solved = descend();
      if (solved) return true;
      if (choice.second) unlink(*choice.second);
      unlink(choice.first);
      if (effort_ < 0) break;
      if (choice.second) continue;
      refused.push_back(choice.first);  // all branches with it have been tried
      refused_.insert(Limits::at(choice.first.node), Limits::at(choice.first.group));
    }
    for (const Join& join : refused) refused_.erase(Limits::at(join.node), Limits::at(join.group));
    return false;
  }

  // Assignment of links to NICs.

  template <typename Visit>
  void for_each_link(Visit visit) const {
    for (size_t node = 0; node < nodes_; ++node) {
      for_each_member(on_.row(node), on_.words(), [&](size_t device) {
        visit(Join{static_cast<int>(node), group_[node * devices_ + device]});
      });
    }
  }

  void plug_at_home(Wiring& wiring, const Join& link) const {
    for (const Cable& cable : homes_[Limits::at(link.node)]) {
      const int nic = limits_.first_nic[Limits::at(link.node)] + cable.nic;
      if (cable.device == device_of(link.group) && wiring.media(nic) == media_of(link.group)) {
        wiring.plug(nic, link.group);
      }
    }
  }

  void plug_anywhere(Wiring& wiring, const Join& link) const {
    for (int nic = limits_.first_nic[Limits::at(link.node)];; ++nic) {
      if (wiring.group(nic) != kDummy || wiring.media(nic) != media_of(link.group)) continue;
      wiring.plug(nic, link.group);
      return;
    }
  }

  const Limits& limits_;
  const Demand& demand_;
  const Standing& standing_;
  Cabling homes_;  ///< the cables that may stay, and the pins
  Random& random_;
  size_t nodes_;
  size_t devices_;
  std::vector<Mark> marks_;    ///< per node and switch
  std::vector<int> group_;     ///< per node and switch: of the link, when there is one
  BitRows refused_;            ///< per node, the groups it must not join
  BitRows members_;            ///< per switch, the nodes on it
  BitRows on_;                 ///< per node, the switches it is on
  BitRows short_;              ///< per node, the wanted peers that share too few switches with it
  BitRows open_;               ///< the switches that may take one more link
  std::vector<bool> able_;     ///< per node, whether it may take one more link
  std::vector<int> nics_;      ///< per node and media: links minus NICs; mostly negative
  std::vector<int> in_group_;  ///< links
  std::vector<int> load_;      ///< per switch, links
  int excess_nics_ = 0;
  int excess_in_groups_ = 0;
  int excess_on_switches_ = 0;
  int moved_ = 0;
  int most_ = 0;
  std::int64_t effort_ = 0;
  bool noisy_ = false;
};

}  // namespace

Mended mend(const Limits& limits, const Demand& demand, const Standing& standing, int moves, std::int64_t effort,
            Random& random) {
  Mender mender(limits, demand, standing, random);
  bool solved = mender.solve(moves, effort);
  const bool sure = !mender.unsure();
  for (int attempt = 0; attempt < kTries && !solved && mender.unsure(); ++attempt) {
    mender.be_noisy();
    solved = mender.solve(moves, effort / kTries);
  }
  if (!solved) return {std::nullopt, 0, sure || !mender.unsure()};
  return {mender.wiring(), mender.moved(), true};
}

}  // namespace fnn
