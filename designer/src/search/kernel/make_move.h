// SPDX-License-Identifier: GPL-3.0-or-later
// Making a move: moves the cables and updates the pair sets.
//
// Move a NIC of node i from switch a to switch b. Let k be the number of switches, other than these two,
// that a peer shares with i. A peer on a drops from k + 1 to k, a peer on b rises from k to k + 1.
// Both cross the same threshold. With redundancy r, the peers with
//
//     k = r - 1   toggle in the set `lacking` (fewer than r)
//     k = r       in `tight` (r or fewer)
//     k = r + 1   in `near_tight` (r + 1 or fewer), which is only kept when exposure counts
#pragma once

#include "search/kernel/goal_delta.h"

namespace fnn::FNN_KERNEL {

inline void count_lacking(KernelState& s, int node, int change) {
  const int before = s.lacking_count[node];
  s.lacking_count[node] = before + change;
  if (before == 0) {
    s.problem_place[node] = s.problem_count;
    s.problem_nodes[s.problem_count++] = node;
  } else if (before + change == 0) {
    const int last = s.problem_nodes[--s.problem_count];
    s.problem_nodes[s.problem_place[node]] = last;
    s.problem_place[last] = s.problem_place[node];
  }
}

FNN_HOT void count_lacking(KernelState& s, int node, int peer, int change) {
  count_lacking(s, node, change);
  count_lacking(s, peer, change);
  s.lacking_pairs += change;
}

/// Toggles peers, all in word `w` of a row, in the set of `node`, and `node` in the sets of the peers.
template <int kWords>
FNN_HOT void toggle_peers(KernelState& s, uint64_t* rows, int node, uint64_t peers, int w) {
  using R = Rows<kWords>;
  R::row(s, rows, node)[w] ^= peers;
  uint64_t* column = rows + (node >> 6);
  for (; peers != 0; peers &= peers - 1) {
    const int64_t peer = w * 64 + __builtin_ctzll(peers);
    column[peer * R::words(s)] ^= bit(node);
  }
}

/// Word `w` of the row of nodes that are on at least [l] switches of a node, except the one it leaves.
struct NodesBySharing {
  uint64_t nodes[kMostRedundancy + 3];

  FNN_HOT uint64_t exactly(int count) const { return nodes[count] & ~nodes[count + 1]; }
};

template <int kWords>
FNN_HOT void count_other_shared(const KernelState& s, const Half& half, int w, int most, NodesBySharing& others) {
  others.nodes[0] = ~uint64_t{0};
  for (int l = 1; l <= most; ++l) others.nodes[l] = 0;
  for (int nic = s.first_nic[half.node]; nic < s.first_nic[half.node + 1]; ++nic) {
    if (nic == half.nic) continue;
    const uint64_t row = Rows<kWords>::members(s, s.device[nic])[w];
    for (int l = most; l > 0; --l) others.nodes[l] |= others.nodes[l - 1] & row;
  }
}

/// Updates the pair sets of one node, except for its pair with `partner`.
template <int kWords>
inline void update_pair_sets(KernelState& s, const Half& half, int partner) {
  using R = Rows<kWords>;
  const int required = s.redundancy;
  NodesBySharing others;
  for (int w = 0; w < R::words(s); ++w) {
    const uint64_t from = R::members(s, half.from)[w];
    uint64_t changed = from ^ R::members(s, half.to)[w];
    if (s.wanted != nullptr) changed &= s.wanted[static_cast<int64_t>(half.node) * R::words(s) + w];
    if (half.node >> 6 == w) changed &= ~bit(half.node);
    if (partner >> 6 == w) changed &= ~bit(partner);
    if (changed == 0) continue;
    count_other_shared<kWords>(s, half, w, s.near_tight == nullptr ? required + 1 : required + 2, others);
    const uint64_t at_threshold = changed & others.exactly(required - 1);
    toggle_peers<kWords>(s, s.lacking, half.node, at_threshold, w);
    toggle_peers<kWords>(s, s.tight, half.node, changed & others.exactly(required), w);
    if (s.near_tight != nullptr) {
      toggle_peers<kWords>(s, s.near_tight, half.node, changed & others.exactly(required + 1), w);
    }
    for (uint64_t left = at_threshold; left != 0; left &= left - 1) {
      const int at = __builtin_ctzll(left);
      count_lacking(s, half.node, w * 64 + at, (from >> at & 1U) != 0 ? 1 : -1);
    }
  }
}

/// The same for the pair of two movers.
template <int kWords>
inline void update_partner_pair(KernelState& s, const Half& one, const Half& two) {
  if (!wants(s, one.node, two.node)) return;
  const int required = s.redundancy;
  const int before = shared(s, one.node, two.node);
  const int after = shared_after<kWords>(s, one, two, before);
  const int w = two.node >> 6;
  if ((before < required) != (after < required)) {
    toggle_peers<kWords>(s, s.lacking, one.node, bit(two.node), w);
    count_lacking(s, one.node, two.node, after < required ? 1 : -1);
  }
  if ((before <= required) != (after <= required)) toggle_peers<kWords>(s, s.tight, one.node, bit(two.node), w);
  if (s.near_tight != nullptr && (before <= required + 1) != (after <= required + 1)) {
    toggle_peers<kWords>(s, s.near_tight, one.node, bit(two.node), w);
  }
}

inline void unplug(KernelState& s, const Half& half) {
  const int group = s.group[half.nic];
  if (group == -1) return;
  int32_t* nics = s.group_nic + s.first_group_nic[group];
  const int last = nics[--s.used_ports[group]];
  nics[s.place[half.nic]] = last;
  s.place[last] = s.place[half.nic];
  --s.load[half.from];
  s.group[half.nic] = -1;
  s.device[half.nic] = s.switches;
  s.members[static_cast<int64_t>(half.from) * s.words + (half.node >> 6)] &= ~bit(half.node);
  s.node_switches[static_cast<int64_t>(half.node) * s.switch_words + (half.from >> 6)] &= ~bit(half.from);
}

inline void plug(KernelState& s, const Half& half, int group) {
  if (group == -1) return;
  s.place[half.nic] = s.used_ports[group];
  s.group_nic[s.first_group_nic[group] + s.used_ports[group]++] = half.nic;
  ++s.load[half.to];
  s.group[half.nic] = group;
  s.device[half.nic] = half.to;
  s.members[static_cast<int64_t>(half.to) * s.words + (half.node >> 6)] |= bit(half.node);
  s.node_switches[static_cast<int64_t>(half.node) * s.switch_words + (half.to >> 6)] |= bit(half.to);
}

FNN_HOT Half half_of(const KernelState& s, int nic, int group) {
  return {nic, s.node_of[nic], s.device[nic], s.device_of[group], group};
}

/// Updates the pair sets and the loads of NICs, while the cables are at their places before the move.
template <int kWords>
inline void update_pairs(KernelState& s, const Half& one, const Half* two) {
  update_pair_sets<kWords>(s, one, two == nullptr ? kNoIndex : two->node);
  if (two != nullptr) {
    update_pair_sets<kWords>(s, *two, one.node);
    update_partner_pair<kWords>(s, one, *two);
  }
  if (s.goals != nullptr && s.goals->nic_load != nullptr) apply_load_changes<kWords>(s, one, two);
}

template <int kWords>
__attribute__((noinline)) void make_move(KernelState& s, const Move& move, const Delta& delta) {
  const Half one = half_of(s, move.nic, move.to);
  if (move.other == kNoIndex) {
    if (!keeps_switches(one, nullptr)) update_pairs<kWords>(s, one, nullptr);
    unplug(s, one);
    plug(s, one, move.to);
  } else {
    const Half two = half_of(s, move.other, move.other_to);
    if (!keeps_switches(one, &two)) update_pairs<kWords>(s, one, &two);
    // Both leave before either joins, because each may need the port of the other.
    unplug(s, one);
    unplug(s, two);
    plug(s, two, move.other_to);
    plug(s, one, move.to);
  }
  s.deficit += delta.deficit;
  s.cost += delta.cost;
}

template <int kWords, bool kWithGoals>
FNN_HOT Delta move_delta(const KernelState& s, const Move& move) {
  const Half one = half_of(s, move.nic, move.to);
  if (move.other == kNoIndex) {
    if constexpr (!kWithGoals) return {deficit_of_half<kWords>(s, one), 0};
    Delta delta = goal_delta<kWords>(s, one, nullptr);
    if (keeps_switches(one, nullptr)) return delta;
    delta.deficit += deficit_of_half<kWords>(s, one);
    if (s.near_tight != nullptr) delta.cost += exposure_of_half<kWords>(s, one) * s.goals->exposure;
    return delta;
  }
  const Half two = half_of(s, move.other, move.other_to);
  if constexpr (!kWithGoals) return {deficit_of_two_halves<kWords>(s, one, two), 0};
  Delta delta = goal_delta<kWords>(s, one, &two);
  if (keeps_switches(one, &two)) return delta;
  delta.deficit += deficit_of_two_halves<kWords>(s, one, two);
  if (s.near_tight != nullptr) delta.cost += exposure_of_two_halves<kWords>(s, one, two) * s.goals->exposure;
  return delta;
}

}  // namespace fnn::FNN_KERNEL
