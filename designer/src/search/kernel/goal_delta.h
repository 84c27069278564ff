// SPDX-License-Identifier: GPL-3.0-or-later
// Delta evaluation of the secondary goals (search/objective.h).
//
// All but one are sums over links or over communicating pairs, so a move changes a few terms. The
// exception is balance, a sum of squared NIC loads, which depends on the peers of the movers. Its loads
// are changed to the state after the move and back, which gives the difference.
#pragma once

#include "search/kernel/deficit_delta.h"

namespace fnn::FNN_KERNEL {

inline int64_t link_cost(const KernelState& s, const Half& half) {
  const int64_t* cost = s.goals->link_cost + static_cast<int64_t>(half.node) * (s.switches + 1);
  return cost[half.to] - cost[half.from];
}

/// The price of one more or one less link on a switch; the dummy costs nothing.
inline int64_t load_cost(const KernelState& s, int device, int change) {
  if (device == s.switches) return 0;
  const int64_t* cost = s.goals->load_cost + s.goals->first_load[device];
  return cost[s.load[device] + change] - cost[s.load[device]];
}

/// The speed of a NIC's link in a group.
FNN_HOT int speed_in(const KernelState& s, int nic, int group) {
  return s.goals->speed[static_cast<int64_t>(nic) * s.goals->groups + group];
}

/// The speed of the link of a node to a switch that it is on.
inline int speed_at(const KernelState& s, int node, int device) {
  int nic = s.first_nic[node];
  while (s.device[nic] != device) ++nic;
  return speed_in(s, nic, s.group[nic]);
}

inline int lower(int one, int other) { return one < other ? one : other; }

inline int bandwidth(const KernelState& s, int node, int peer) {
  if (s.goals->speed == nullptr) return shared(s, node, peer);
  int sum = 0;
  for (int nic = s.first_nic[node]; nic < s.first_nic[node + 1]; ++nic) {
    const int device = s.device[nic];
    if (!has(s.node_switches + static_cast<int64_t>(peer) * s.switch_words, device) || device == s.switches) continue;
    sum += lower(speed_in(s, nic, s.group[nic]), speed_at(s, peer, device));
  }
  return sum;
}

/// The change of a half in the bandwidth between its node and a peer that does not move.
template <int kWords>
inline int bandwidth_change(const KernelState& s, const Half& half, int peer) {
  const bool leaves = is_on<kWords>(s, peer, half.from);
  const bool joins = is_on<kWords>(s, peer, half.to);
  if (s.goals->speed == nullptr) return (joins ? 1 : 0) - (leaves ? 1 : 0);
  const int lost = leaves ? lower(speed_in(s, half.nic, s.group[half.nic]), speed_at(s, peer, half.from)) : 0;
  const int won = joins ? lower(speed_in(s, half.nic, half.group), speed_at(s, peer, half.to)) : 0;
  return won - lost;
}

/// The same for the pair of the two movers.
template <int kWords>
inline int bandwidth_change(const KernelState& s, const Half& one, const Half& two) {
  if (one.from == one.to) {
    return lower(speed_in(s, one.nic, one.group), speed_in(s, two.nic, two.group)) -
           lower(speed_in(s, one.nic, s.group[one.nic]), speed_in(s, two.nic, s.group[two.nic]));
  }
  if (one.from == two.to && one.to == two.from) return 0;
  const bool leaves = is_on<kWords>(s, two.node, one.from);
  const bool joins = two.to != s.switches && is_on<kWords>(s, one.node, two.to);
  if (s.goals->speed == nullptr) return (joins ? 1 : 0) - (leaves ? 1 : 0);
  const int lost = leaves ? lower(speed_in(s, one.nic, s.group[one.nic]), speed_at(s, two.node, one.from)) : 0;
  const int won = joins ? lower(speed_in(s, two.nic, two.group), speed_at(s, one.node, two.to)) : 0;
  return won - lost;
}

/// Adds what a change in the bandwidth of a pair, entry `i` of the peers of `node`, changes in cost and shortage.
FNN_HOT void add_pair_change(const KernelState& s, int node, int32_t i, int change, Delta& delta) {
  if (change == 0) return;
  const GoalTables& goals = *s.goals;
  const int now = bandwidth(s, node, goals.peer[i]);
  delta.cost -= static_cast<int64_t>(goals.weight[i]) * (goals.value[now + change] - goals.value[now]);
  if (goals.shortage == nullptr || goals.required[i] == 0) return;
  delta.deficit += goals.shortage[now + change] - goals.shortage[now];
}

/// Adds the change in the bandwidth of all pairs of the node of `half`, except with `partner`; kNoIndex when it moves
/// alone. `second`: another half of the same node, or null.
template <int kWords>
inline void add_traffic(const KernelState& s, const Half& half, const Half* second, int partner, Delta& delta) {
  const GoalTables& goals = *s.goals;
  for (int32_t i = goals.first_peer[half.node]; i < goals.first_peer[half.node + 1]; ++i) {
    const int peer = goals.peer[i];
    if (peer == partner) continue;
    int change = bandwidth_change<kWords>(s, half, peer);
    if (second != nullptr) change += bandwidth_change<kWords>(s, *second, peer);
    add_pair_change(s, half.node, i, change, delta);
  }
}

/// The entry of a peer among those of a node, or kNoIndex.
inline int32_t find_peer(const GoalTables& goals, int node, int peer) {
  for (int32_t i = goals.first_peer[node]; i < goals.first_peer[node + 1]; ++i) {
    if (goals.peer[i] == peer) return i;
  }
  return kNoIndex;
}

/// The weight of the traffic between two nodes.
inline int weight_between(const GoalTables& goals, int node, int peer) {
  const int32_t i = find_peer(goals, node, peer);
  return i == kNoIndex ? 0 : goals.weight[i];
}

template <int kWords>
inline void add_all_traffic(const KernelState& s, const Half& one, const Half* two, Delta& delta) {
  if (two == nullptr) return add_traffic<kWords>(s, one, nullptr, kNoIndex, delta);
  if (one.node == two->node) return add_traffic<kWords>(s, one, two, kNoIndex, delta);
  add_traffic<kWords>(s, one, nullptr, two->node, delta);
  add_traffic<kWords>(s, *two, nullptr, one.node, delta);
  const int change = bandwidth_change<kWords>(s, one, *two);
  if (change == 0) return;
  const int32_t i = find_peer(*s.goals, one.node, two->node);
  if (i != kNoIndex) add_pair_change(s, one.node, i, change, delta);
}

/// The change in the number of NICs with a link slower than they are.
FNN_HOT int below_change(const KernelState& s, const Half& half) {
  const uint8_t* row = s.goals->below + static_cast<int64_t>(half.nic) * (s.goals->groups + 1) + 1;
  return row[half.group] - row[s.group[half.nic]];
}

/// Adds to the load of one NIC; returns the change in cost.
inline int64_t add_nic_load(const KernelState& s, int node, int device, int64_t share) {
  int64_t& load = s.goals->nic_load[static_cast<int64_t>(node) * s.switches + device];
  const int64_t before = (load * load) >> s.goals->balance_shift;
  load += share;
  return ((load * load) >> s.goals->balance_shift) - before;
}

/// Distributes the traffic of a pair evenly over its shared switches, or removes it (`sign`).
inline int64_t add_pair_load(const KernelState& s, int node, int peer, int64_t weight, int sign) {
  const int count = shared(s, node, peer);
  if (count == 0) return 0;
  const int64_t share = sign * ((weight * s.goals->inverse[count]) >> 20U);
  const uint64_t* mine = s.node_switches + static_cast<int64_t>(node) * s.switch_words;
  const uint64_t* theirs = s.node_switches + static_cast<int64_t>(peer) * s.switch_words;
  int64_t cost = 0;
  for (int w = 0; w < s.switch_words; ++w) {
    for (uint64_t left = mine[w] & theirs[w]; left != 0; left &= left - 1) {
      const int device = w * 64 + __builtin_ctzll(left);
      cost += add_nic_load(s, node, device, share) + add_nic_load(s, peer, device, share);
    }
  }
  return cost;
}

/// The same for all pairs of the node of `half` that the half may change, except with `partner`.
template <int kWords>
inline int64_t add_pair_loads(const KernelState& s, const Half& half, int partner, int sign) {
  const GoalTables& goals = *s.goals;
  int64_t cost = 0;
  for (int32_t i = goals.first_peer[half.node]; i < goals.first_peer[half.node + 1]; ++i) {
    const int peer = goals.peer[i];
    if (peer == partner || !(is_on<kWords>(s, peer, half.from) || is_on<kWords>(s, peer, half.to))) continue;
    cost += add_pair_load(s, half.node, peer, goals.weight[i], sign);
  }
  return cost;
}

inline void toggle_links(const KernelState& s, int node, int device) {
  if (device != s.switches) s.node_switches[static_cast<int64_t>(node) * s.switch_words + (device >> 6)] ^= bit(device);
}

inline void toggle_links(const KernelState& s, const Half& one, const Half* two) {
  toggle_links(s, one.node, one.from);
  toggle_links(s, one.node, one.to);
  if (two == nullptr) return;
  toggle_links(s, two->node, two->from);
  toggle_links(s, two->node, two->to);
}

template <int kWords>
inline int64_t add_all_loads(const KernelState& s, const Half& one, const Half* two, int sign) {
  if (two == nullptr) return add_pair_loads<kWords>(s, one, kNoIndex, sign);
  const int64_t between = weight_between(*s.goals, one.node, two->node);
  return add_pair_loads<kWords>(s, one, two->node, sign) + add_pair_loads<kWords>(s, *two, one.node, sign) +
         (between == 0 ? 0 : add_pair_load(s, one.node, two->node, between, sign));
}

/// Changes the loads of one or two halves to those after the move, without moving the cables.
template <int kWords>
inline int64_t apply_load_changes(const KernelState& s, const Half& one, const Half* two) {
  int64_t cost = add_all_loads<kWords>(s, one, two, -1);
  toggle_links(s, one, two);
  cost += add_all_loads<kWords>(s, one, two, 1);
  toggle_links(s, one, two);
  return cost;
}

/// Reverses apply_load_changes().
template <int kWords>
inline void revert_load_changes(const KernelState& s, const Half& one, const Half* two) {
  toggle_links(s, one, two);
  add_all_loads<kWords>(s, one, two, -1);
  toggle_links(s, one, two);
  add_all_loads<kWords>(s, one, two, 1);
}

/// The change in all secondary goals except exposure, which is counted with the deficit.
template <int kWords>
inline Delta goal_delta(const KernelState& s, const Half& one, const Half* two) {
  const GoalTables& goals = *s.goals;
  Delta delta = {0, 0};
  if (goals.value != nullptr) add_all_traffic<kWords>(s, one, two, delta);
  if (goals.below != nullptr) {
    delta.below = below_change(s, one) + (two == nullptr ? 0 : below_change(s, *two));
    delta.cost += delta.below * goals.below_cost;
  }
  if (keeps_switches(one, two)) return delta;
  if (goals.link_cost != nullptr) delta.cost += link_cost(s, one) + (two == nullptr ? 0 : link_cost(s, *two));
  // An exchange does not change the load of any switch.
  if (goals.load_cost != nullptr && (two == nullptr || two->to != one.from)) {
    delta.cost += load_cost(s, one.from, -1) + load_cost(s, two == nullptr ? one.to : two->to, 1);
  }
  if (goals.nic_load != nullptr) {
    delta.cost += apply_load_changes<kWords>(s, one, two);
    revert_load_changes<kWords>(s, one, two);
  }
  return delta;
}

}  // namespace fnn::FNN_KERNEL
