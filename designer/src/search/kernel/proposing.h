// SPDX-License-Identifier: GPL-3.0-or-later
// Mutation operators: each proposes moves of one kind, always within the limits.
//
// An operator only proposes. Evaluating and making a move are separate, so that the search can evaluate
// many moves and make few. An operator returns false when its random choice allows no move.
#pragma once

#include "search/kernel/dice.h"
#include "search/kernel/judging.h"

namespace fnn::FNN_KERNEL {

FNN_HOT int pick_movable(const Board& b, uint32_t bits) { return b.movable[below(bits, b.movable_count)]; }

/// A random group for a NIC, or kDummy when there is none of its media.
FNN_HOT int some_group(const Board& b, int nic, uint32_t bits) {
  const int media = b.media_of[nic];
  const int first = b.first_group[media];
  const int count = b.first_group[media + 1] - first;
  return count == 0 ? -1 : b.media_group[first + below(bits, count)];
}

FNN_HOT bool has_room(const Board& b, int group) {
  return b.taken[group] < b.ports[group] && b.load[b.device_of[group]] < b.usable_ports[b.device_of[group]];
}

FNN_HOT bool stands_on(const Board& b, int node, int device) {
  return has(b.on + static_cast<int64_t>(node) * b.spots, device);
}

FNN_HOT bool can_join(const Board& b, int nic, int group) {
  return has_room(b, group) && !stands_on(b, b.node_of[nic], b.device_of[group]);
}

/// Exchanges the ports of `nic` and a random NIC on `group`.
FNN_HOT bool exchange_with(const Board& b, int nic, int group, uint32_t bits, Move& move) {
  const int there = b.taken[group];
  if (there == 0 || stands_on(b, b.node_of[nic], b.device_of[group])) return false;
  const int other = b.seat[b.first_seat[group] + below(bits, there)];
  const int from = b.device[nic];
  if (from != b.switches && stands_on(b, b.node_of[other], from)) return false;
  move = {nic, group, other, b.group[nic]};
  return b.may_move[other] != 0;
}

/// Exchanges the ports of two NICs of two nodes. One NIC may be unused, which means on the dummy port.
FNN_HOT bool propose_exchange(const Board& b, Twice where, uint32_t who, Move& move) {
  const int nic = pick_movable(b, where.first);
  const int group = some_group(b, nic, where.second);
  return group != -1 && exchange_with(b, nic, group, who, move);
}

/// Moves a NIC to a free port: an exchange with a dummy node.
FNN_HOT bool propose_relocation(const Board& b, Twice where, Move& move) {
  const int nic = pick_movable(b, where.first);
  const int group = some_group(b, nic, where.second);
  move = {nic, group, kNobody, -1};
  return group != -1 && can_join(b, nic, group);
}

/// Unplugs a NIC: an exchange with the dummy port.
FNN_HOT bool propose_removal(const Board& b, uint32_t who, Move& move) {
  const int nic = pick_movable(b, who);
  move = {nic, -1, kNobody, -1};
  return b.group[nic] != -1;
}

/// A NIC takes the port of another, which moves to a free port (an ejection chain of length two).
FNN_HOT bool propose_shift(const Board& b, Twice where, uint32_t who, Move& move) {
  const int other = pick_movable(b, where.first);
  const int middle = b.group[other];
  const int free = some_group(b, other, where.second);
  if (middle == -1 || free == -1 || !can_join(b, other, free)) return false;
  const int nic = pick_movable(b, who);
  move = {nic, middle, other, free};
  return b.media_of[nic] == b.media_of[other] && b.group[nic] != free &&
         !stands_on(b, b.node_of[nic], b.device_of[middle]);
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

FNN_HOT int some_nic(const Board& b, int node, uint32_t bits) {
  return b.first_nic[node] + below(bits, b.first_nic[node + 1] - b.first_nic[node]);
}

/// Targets a problem spot: moves one node of a pair that shares too few switches to a switch of the other.
FNN_HOT bool propose_bridge(const Board& b, Dice& dice, uint32_t who, Move& move) {
  const Twice pair = draw_two(dice);
  const Twice nics = draw_two(dice);
  int mover = b.troubled[below(pair.first, b.troubled_count)];
  const uint64_t* lacking = b.lacking + static_cast<int64_t>(mover) * b.words;
  int peer = nth_member(lacking, below(pair.second, b.lack_count[mover]));
  if ((who & 1U) != 0) {
    const int swapped = mover;
    mover = peer;
    peer = swapped;
  }
  const int target = some_nic(b, peer, nics.first);
  const int nic = some_nic(b, mover, nics.second);
  if (b.group[target] == -1 || b.may_move[nic] == 0) return false;
  const int group = b.group_at[b.device[target] * b.media_count + b.media_of[nic]];
  if (group == -1 || stands_on(b, mover, b.device_of[group])) return false;
  move = {nic, group, kNobody, -1};
  if (has_room(b, group)) return true;
  // Displacing the target itself would leave the pair apart.
  return exchange_with(b, nic, group, who, move) && move.other != target;
}

/// Chooses an operator. While there are problem spots, half of the steps target one.
template <bool kAims>
FNN_HOT bool propose(const Board& b, Dice& dice, uint32_t die, uint32_t who, Move& move) {
  if (b.troubled_count > 0 && (die & 1U) != 0) return propose_bridge(b, dice, who, move);
  // Removing a link can be an improvement only where links have a cost.
  if (kAims && b.aims->load_cost != nullptr && (die >> 4U & 7U) == 0) return propose_removal(b, who, move);
  const Twice where = draw_two(dice);
  switch (die >> 1U & 7U) {
    case 0: return propose_relocation(b, where, move);
    case 1: return propose_shift(b, where, who, move);
    default: return propose_exchange(b, where, who, move);
  }
}

}  // namespace fnn::FNN_KERNEL
