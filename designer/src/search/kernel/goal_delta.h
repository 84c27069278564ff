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

/// The speed of the link of a node to a switch that it is on.
inline int speed_at(const KernelState& s, int node, int device) {
  int nic = s.first_nic[node];
  while (s.device[nic] != device) ++nic;
  return s.goals->speed[static_cast<int64_t>(nic) * s.switches + device];
}

inline int lower(int one, int other) { return one < other ? one : other; }

inline int bandwidth(const KernelState& s, int node, int peer) {
  if (s.goals->speed == nullptr) return shared(s, node, peer);
  int sum = 0;
  for (int nic = s.first_nic[node]; nic < s.first_nic[node + 1]; ++nic) {
    const int device = s.device[nic];
    if (!has(s.node_switches + static_cast<int64_t>(peer) * s.switch_words, device) || device == s.switches) continue;
    sum += lower(s.goals->speed[static_cast<int64_t>(nic) * s.switches + device], speed_at(s, peer, device));
  }
  return sum;
}

/// The change of a half in the bandwidth between its node and a peer that does not move.
template <int kWords>
inline int bandwidth_change(const KernelState& s, const Half& half, int peer) {
  const bool leaves = is_on<kWords>(s, peer, half.from);
  const bool joins = is_on<kWords>(s, peer, half.to);
  if (s.goals->speed == nullptr) return (joins ? 1 : 0) - (leaves ? 1 : 0);
  const int32_t* speed = s.goals->speed + static_cast<int64_t>(half.nic) * s.switches;
  const int lost = leaves ? lower(speed[half.from], speed_at(s, peer, half.from)) : 0;
  const int won = joins ? lower(speed[half.to], speed_at(s, peer, half.to)) : 0;
  return won - lost;
}

/// The same for the pair of the two movers.
template <int kWords>
inline int bandwidth_change(const KernelState& s, const Half& one, const Half& two) {
  if (one.from == two.to && one.to == two.from) return 0;
  const bool leaves = is_on<kWords>(s, two.node, one.from);
  const bool joins = two.to != s.switches && is_on<kWords>(s, one.node, two.to);
  if (s.goals->speed == nullptr) return (joins ? 1 : 0) - (leaves ? 1 : 0);
  const int32_t* speed = s.goals->speed;
  const int64_t row = s.switches;
  const int lost = leaves ? lower(speed[one.nic * row + one.from], speed_at(s, two.node, one.from)) : 0;
  const int won = joins ? lower(speed[two.nic * row + two.to], speed_at(s, one.node, two.to)) : 0;
  return won - lost;
}

/// The change in traffic cost of the node of `half`, except with `partner`; kNoIndex when it moves alone.
template <int kWords>
inline int64_t traffic_cost(const KernelState& s, const Half& half, int partner) {
  const GoalTables& goals = *s.goals;
  int64_t gain = 0;
  for (int32_t i = goals.first_peer[half.node]; i < goals.first_peer[half.node + 1]; ++i) {
    const int peer = goals.peer[i];
    if (peer == partner) continue;
    const int change = bandwidth_change<kWords>(s, half, peer);
    if (change == 0) continue;
    const int now = bandwidth(s, half.node, peer);
    gain += static_cast<int64_t>(goals.weight[i]) * (goals.value[now + change] - goals.value[now]);
  }
  return -gain;
}

/// The weight of the traffic between two nodes.
inline int weight_between(const GoalTables& goals, int node, int peer) {
  for (int32_t i = goals.first_peer[node]; i < goals.first_peer[node + 1]; ++i) {
    if (goals.peer[i] == peer) return goals.weight[i];
  }
  return 0;
}

template <int kWords>
inline int64_t pair_cost(const KernelState& s, const Half& one, const Half& two) {
  const int change = bandwidth_change<kWords>(s, one, two);
  if (change == 0) return 0;
  const int now = bandwidth(s, one.node, two.node);
  const int64_t weight = weight_between(*s.goals, one.node, two.node);
  return -weight * (s.goals->value[now + change] - s.goals->value[now]);
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
inline int64_t goal_delta(const KernelState& s, const Half& one, const Half* two) {
  const GoalTables& goals = *s.goals;
  int64_t cost = 0;
  if (goals.link_cost != nullptr) cost += link_cost(s, one) + (two == nullptr ? 0 : link_cost(s, *two));
  // An exchange does not change the load of any switch.
  if (goals.load_cost != nullptr && (two == nullptr || two->to != one.from)) {
    cost += load_cost(s, one.from, -1) + load_cost(s, two == nullptr ? one.to : two->to, 1);
  }
  if (goals.value != nullptr) {
    cost += traffic_cost<kWords>(s, one, two == nullptr ? kNoIndex : two->node);
    if (two != nullptr) cost += traffic_cost<kWords>(s, *two, one.node) + pair_cost<kWords>(s, one, *two);
  }
  if (goals.nic_load != nullptr) {
    cost += apply_load_changes<kWords>(s, one, two);
    revert_load_changes<kWords>(s, one, two);
  }
  return cost;
}

}  // namespace fnn::FNN_KERNEL
