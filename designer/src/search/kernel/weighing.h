// SPDX-License-Identifier: GPL-3.0-or-later
// Delta evaluation of the secondary goals (search/objective.h).
//
// All but one are sums over links or over communicating pairs, so a move changes a few terms. The
// exception is balance, a sum of squared NIC loads, which depends on the peers of the movers. Its loads
// are changed to the state after the move and back, which gives the difference.
#pragma once

#include "search/kernel/judging.h"

namespace fnn::FNN_KERNEL {

inline int64_t link_cost(const Board& b, const Half& half) {
  const int64_t* cost = b.aims->link_cost + static_cast<int64_t>(half.node) * (b.switches + 1);
  return cost[half.to] - cost[half.from];
}

/// The price of one more or one less link on a switch; the dummy costs nothing.
inline int64_t load_cost(const Board& b, int device, int change) {
  if (device == b.switches) return 0;
  const int64_t* cost = b.aims->load_cost + b.aims->first_load[device];
  return cost[b.load[device] + change] - cost[b.load[device]];
}

/// The speed of the link of a node to a switch that it is on.
inline int speed_at(const Board& b, int node, int device) {
  int nic = b.first_nic[node];
  while (b.device[nic] != device) ++nic;
  return b.aims->speed[static_cast<int64_t>(nic) * b.switches + device];
}

inline int lower(int one, int other) { return one < other ? one : other; }

inline int bandwidth(const Board& b, int node, int peer) {
  if (b.aims->speed == nullptr) return shared(b, node, peer);
  int sum = 0;
  for (int nic = b.first_nic[node]; nic < b.first_nic[node + 1]; ++nic) {
    const int device = b.device[nic];
    if (!has(b.on + static_cast<int64_t>(peer) * b.spots, device) || device == b.switches) continue;
    sum += lower(b.aims->speed[static_cast<int64_t>(nic) * b.switches + device], speed_at(b, peer, device));
  }
  return sum;
}

/// The change of a half in the bandwidth between its node and a peer that does not move.
template <int kWords>
inline int bandwidth_change(const Board& b, const Half& half, int peer) {
  const bool leaves = is_on<kWords>(b, peer, half.from);
  const bool joins = is_on<kWords>(b, peer, half.to);
  if (b.aims->speed == nullptr) return (joins ? 1 : 0) - (leaves ? 1 : 0);
  const int32_t* speed = b.aims->speed + static_cast<int64_t>(half.nic) * b.switches;
  const int lost = leaves ? lower(speed[half.from], speed_at(b, peer, half.from)) : 0;
  const int won = joins ? lower(speed[half.to], speed_at(b, peer, half.to)) : 0;
  return won - lost;
}

/// The same for the pair of the two movers.
template <int kWords>
inline int bandwidth_change(const Board& b, const Half& one, const Half& two) {
  if (one.from == two.to && one.to == two.from) return 0;
  const bool leaves = is_on<kWords>(b, two.node, one.from);
  const bool joins = two.to != b.switches && is_on<kWords>(b, one.node, two.to);
  if (b.aims->speed == nullptr) return (joins ? 1 : 0) - (leaves ? 1 : 0);
  const int32_t* speed = b.aims->speed;
  const int64_t row = b.switches;
  const int lost = leaves ? lower(speed[one.nic * row + one.from], speed_at(b, two.node, one.from)) : 0;
  const int won = joins ? lower(speed[two.nic * row + two.to], speed_at(b, one.node, two.to)) : 0;
  return won - lost;
}

/// The change in traffic cost of the node of `half`, except with `partner`; kNobody when it moves alone.
template <int kWords>
inline int64_t traffic_cost(const Board& b, const Half& half, int partner) {
  const Aims& aims = *b.aims;
  int64_t gain = 0;
  for (int32_t i = aims.first_peer[half.node]; i < aims.first_peer[half.node + 1]; ++i) {
    const int peer = aims.peer[i];
    if (peer == partner) continue;
    const int change = bandwidth_change<kWords>(b, half, peer);
    if (change == 0) continue;
    const int now = bandwidth(b, half.node, peer);
    gain += static_cast<int64_t>(aims.weight[i]) * (aims.value[now + change] - aims.value[now]);
  }
  return -gain;
}

/// The weight of the traffic between two nodes.
inline int weight_between(const Aims& aims, int node, int peer) {
  for (int32_t i = aims.first_peer[node]; i < aims.first_peer[node + 1]; ++i) {
    if (aims.peer[i] == peer) return aims.weight[i];
  }
  return 0;
}

template <int kWords>
inline int64_t pair_cost(const Board& b, const Half& one, const Half& two) {
  const int change = bandwidth_change<kWords>(b, one, two);
  if (change == 0) return 0;
  const int now = bandwidth(b, one.node, two.node);
  const int64_t weight = weight_between(*b.aims, one.node, two.node);
  return -weight * (b.aims->value[now + change] - b.aims->value[now]);
}

/// Adds to the load of one NIC; returns the change in cost.
inline int64_t load_nic(const Board& b, int node, int device, int64_t share) {
  int64_t& load = b.aims->nic_load[static_cast<int64_t>(node) * b.switches + device];
  const int64_t before = (load * load) >> b.aims->balance_shift;
  load += share;
  return ((load * load) >> b.aims->balance_shift) - before;
}

/// Distributes the traffic of a pair evenly over its shared switches, or removes it (`sign`).
inline int64_t load_pair(const Board& b, int node, int peer, int64_t weight, int sign) {
  const int count = shared(b, node, peer);
  if (count == 0) return 0;
  const int64_t share = sign * ((weight * b.aims->inverse[count]) >> 20U);
  const uint64_t* mine = b.on + static_cast<int64_t>(node) * b.spots;
  const uint64_t* theirs = b.on + static_cast<int64_t>(peer) * b.spots;
  int64_t cost = 0;
  for (int w = 0; w < b.spots; ++w) {
    for (uint64_t left = mine[w] & theirs[w]; left != 0; left &= left - 1) {
      const int device = w * 64 + __builtin_ctzll(left);
      cost += load_nic(b, node, device, share) + load_nic(b, peer, device, share);
    }
  }
  return cost;
}

/// The same for all pairs of the node of `half` that the half may change, except with `partner`.
template <int kWords>
inline int64_t load_pairs(const Board& b, const Half& half, int partner, int sign) {
  const Aims& aims = *b.aims;
  int64_t cost = 0;
  for (int32_t i = aims.first_peer[half.node]; i < aims.first_peer[half.node + 1]; ++i) {
    const int peer = aims.peer[i];
    if (peer == partner || !(is_on<kWords>(b, peer, half.from) || is_on<kWords>(b, peer, half.to))) continue;
    cost += load_pair(b, half.node, peer, aims.weight[i], sign);
  }
  return cost;
}

inline void hop(const Board& b, int node, int device) {
  if (device != b.switches) b.on[static_cast<int64_t>(node) * b.spots + (device >> 6)] ^= bit(device);
}

inline void hop(const Board& b, const Half& one, const Half* two) {
  hop(b, one.node, one.from);
  hop(b, one.node, one.to);
  if (two == nullptr) return;
  hop(b, two->node, two->from);
  hop(b, two->node, two->to);
}

template <int kWords>
inline int64_t load_all(const Board& b, const Half& one, const Half* two, int sign) {
  if (two == nullptr) return load_pairs<kWords>(b, one, kNobody, sign);
  const int64_t between = weight_between(*b.aims, one.node, two->node);
  return load_pairs<kWords>(b, one, two->node, sign) + load_pairs<kWords>(b, *two, one.node, sign) +
         (between == 0 ? 0 : load_pair(b, one.node, two->node, between, sign));
}

/// Changes the loads of one or two halves to those after the move, without moving the cables.
template <int kWords>
inline int64_t swing_loads(const Board& b, const Half& one, const Half* two) {
  int64_t cost = load_all<kWords>(b, one, two, -1);
  hop(b, one, two);
  cost += load_all<kWords>(b, one, two, 1);
  hop(b, one, two);
  return cost;
}

/// Reverses swing_loads().
template <int kWords>
inline void swing_loads_back(const Board& b, const Half& one, const Half* two) {
  hop(b, one, two);
  load_all<kWords>(b, one, two, -1);
  hop(b, one, two);
  load_all<kWords>(b, one, two, 1);
}

/// The change in all secondary goals except exposure, which is counted with the deficit.
template <int kWords>
inline int64_t weigh(const Board& b, const Half& one, const Half* two) {
  const Aims& aims = *b.aims;
  int64_t cost = 0;
  if (aims.link_cost != nullptr) cost += link_cost(b, one) + (two == nullptr ? 0 : link_cost(b, *two));
  // An exchange does not change the load of any switch.
  if (aims.load_cost != nullptr && (two == nullptr || two->to != one.from)) {
    cost += load_cost(b, one.from, -1) + load_cost(b, two == nullptr ? one.to : two->to, 1);
  }
  if (aims.value != nullptr) {
    cost += traffic_cost<kWords>(b, one, two == nullptr ? kNobody : two->node);
    if (two != nullptr) cost += traffic_cost<kWords>(b, *two, one.node) + pair_cost<kWords>(b, one, *two);
  }
  if (aims.nic_load != nullptr) {
    cost += swing_loads<kWords>(b, one, two);
    swing_loads_back<kWords>(b, one, two);
  }
  return cost;
}

}  // namespace fnn::FNN_KERNEL
