// SPDX-License-Identifier: GPL-3.0-or-later
// Mutation operators: each proposes moves of one kind, always within the limits.
//
// An operator only proposes. Evaluating and making a move are separate, so that the search can evaluate
// many moves and make few. An operator returns false when its random choice allows no move.
#pragma once

#include "search/kernel/deficit_delta.h"
#include "search/kernel/rng.h"

namespace fnn::FNN_KERNEL {

FNN_HOT int pick_movable(const KernelState& s, uint32_t bits) { return s.movable[below(bits, s.movable_count)]; }

/// A random group for a NIC, or kDummy when there is none of its medium.
FNN_HOT int random_group(const KernelState& s, int nic, uint32_t bits) {
  const int media = s.media_of[nic];
  const int first = s.first_group[media];
  const int count = s.first_group[media + 1] - first;
  return count == 0 ? -1 : s.media_group[first + below(bits, count)];
}

FNN_HOT bool has_room(const KernelState& s, int group) {
  return s.used_ports[group] < s.ports[group] && s.load[s.device_of[group]] < s.usable_ports[s.device_of[group]];
}

FNN_HOT bool has_link_to(const KernelState& s, int node, int device) {
  return has(s.node_switches + static_cast<int64_t>(node) * s.switch_words, device);
}

FNN_HOT bool can_join(const KernelState& s, int nic, int group) {
  if (s.device[nic] == s.device_of[group]) return s.used_ports[group] < s.ports[group] && group != s.group[nic];
  return has_room(s, group) && !has_link_to(s, s.node_of[nic], s.device_of[group]);
}

/// Exchanges the ports of a NIC and another of its node, which is on the switch of `group`; or, if that is the NIC itself
/// in another group, of the NIC and a random one in `group`. Matters only where links differ in speed.
inline bool exchange_by_speed(const KernelState& s, int nic, int group, uint32_t bits, Move& move) {
  if (s.goals == nullptr || s.goals->speed == nullptr || group == s.group[nic]) return false;
  const int device = s.device_of[group];
  int other = s.first_nic[s.node_of[nic]];
  while (s.device[other] != device) ++other;
  if (other == nic) other = s.group_nic[s.first_group_nic[group] + below(bits, s.used_ports[group])];
  move = {nic, s.group[other], other, s.group[nic]};
  return s.may_move[other] != 0 && s.media_of[other] == s.media_of[nic];
}

/// Exchanges the ports of `nic` and a random NIC in `group`.
FNN_HOT bool exchange_with(const KernelState& s, int nic, int group, uint32_t bits, Move& move) {
  const int used = s.used_ports[group];
  if (used == 0) return false;
  if (has_link_to(s, s.node_of[nic], s.device_of[group])) return exchange_by_speed(s, nic, group, bits, move);
  const int other = s.group_nic[s.first_group_nic[group] + below(bits, used)];
  const int from = s.device[nic];
  if (from != s.switches && has_link_to(s, s.node_of[other], from)) return false;
  move = {nic, group, other, s.group[nic]};
  return s.may_move[other] != 0;
}

/// Exchanges the ports of two NICs of two nodes. One NIC may be unused, which means on the dummy port.
FNN_HOT bool propose_exchange(const KernelState& s, RandomPair bits, uint32_t more_bits, Move& move) {
  const int nic = pick_movable(s, bits.first);
  const int group = random_group(s, nic, bits.second);
  return group != -1 && exchange_with(s, nic, group, more_bits, move);
}

/// Moves a NIC to a free port: an exchange with a dummy node.
FNN_HOT bool propose_relocation(const KernelState& s, RandomPair bits, Move& move) {
  const int nic = pick_movable(s, bits.first);
  const int group = random_group(s, nic, bits.second);
  move = {nic, group, kNoIndex, -1};
  return group != -1 && can_join(s, nic, group);
}

/// Unplugs a NIC: an exchange with the dummy port.
FNN_HOT bool propose_removal(const KernelState& s, uint32_t more_bits, Move& move) {
  const int nic = pick_movable(s, more_bits);
  move = {nic, -1, kNoIndex, -1};
  return s.group[nic] != -1;
}

/// A NIC takes the port of another, which moves to a free port (an ejection chain of length two).
FNN_HOT bool propose_shift(const KernelState& s, RandomPair bits, uint32_t more_bits, Move& move) {
  const int other = pick_movable(s, bits.first);
  const int middle = s.group[other];
  const int free = random_group(s, other, bits.second);
  if (middle == -1 || free == -1 || s.device_of[free] == s.device_of[middle] || !can_join(s, other, free)) return false;
  const int nic = pick_movable(s, more_bits);
  move = {nic, middle, other, free};
  return s.media_of[nic] == s.media_of[other] && s.group[nic] != free &&
         !has_link_to(s, s.node_of[nic], s.device_of[middle]);
}

/// The nth member, from 0, of a row with more than n members.
FNN_HOT int nth_member(const uint64_t* row, int n) {
  for (int w = 0;; ++w) {
    const int here = count_ones(row[w]);
    if (n >= here) {
      n -= here;
      continue;
    }
    uint64_t left = row[w];
    for (; n > 0; --n) left &= left - 1;
    return w * 64 + __builtin_ctzll(left);
  }
}

FNN_HOT int random_nic(const KernelState& s, int node, uint32_t bits) {
  return s.first_nic[node] + below(bits, s.first_nic[node + 1] - s.first_nic[node]);
}

/// Targets a problem spot: moves one node of a pair that shares too few switches to a switch of the other.
FNN_HOT bool propose_bridge(const KernelState& s, RngState& rng, uint32_t more_bits, Move& move) {
  const RandomPair pair = draw_pair(rng);
  const RandomPair nics = draw_pair(rng);
  int mover = s.problem_nodes[below(pair.first, s.problem_count)];
  const uint64_t* lacking = s.lacking + static_cast<int64_t>(mover) * s.words;
  int peer = nth_member(lacking, below(pair.second, s.lacking_count[mover]));
  if ((more_bits & 1U) != 0) {
    const int swapped = mover;
    mover = peer;
    peer = swapped;
  }
  const int target = random_nic(s, peer, nics.first);
  const int nic = random_nic(s, mover, nics.second);
  if (s.group[target] == -1 || s.may_move[nic] == 0) return false;
  const int group = s.group_at[s.device[target] * s.media_count + s.media_of[nic]];
  if (group == -1 || has_link_to(s, mover, s.device_of[group])) return false;
  move = {nic, group, kNoIndex, -1};
  if (has_room(s, group)) return true;
  // Displacing the target itself would leave the pair apart.
  return exchange_with(s, nic, group, more_bits, move) && move.other != target;
}

/// Chooses an operator. While there are problem spots, half of the steps target one.
template <bool kWithGoals>
FNN_HOT bool propose(const KernelState& s, RngState& rng, uint32_t operator_bits, uint32_t more_bits, Move& move) {
  if (s.problem_count > 0 && (operator_bits & 1U) != 0) return propose_bridge(s, rng, more_bits, move);
  // Removing a link can be an improvement only where links have a cost.
  if (kWithGoals && s.goals->load_cost != nullptr && (operator_bits >> 4U & 7U) == 0) {
    return propose_removal(s, more_bits, move);
  }
  const RandomPair bits = draw_pair(rng);
  switch (operator_bits >> 1U & 7U) {
    case 0: return propose_relocation(s, bits, move);
    case 1: return propose_shift(s, bits, more_bits, move);
    default: return propose_exchange(s, bits, more_bits, move);
  }
}

}  // namespace fnn::FNN_KERNEL
