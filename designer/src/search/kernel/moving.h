// SPDX-License-Identifier: GPL-3.0-or-later
// Making a move: moves the cables and updates the pair sets of the board.
//
// Move a NIC of node i from switch a to switch b. Let k be the number of switches, other than these two,
// that a peer shares with i. A peer on a drops from k + 1 to k, a peer on b rises from k to k + 1.
// Both cross the same threshold. With redundancy r, the peers with
//
//     k = r - 1   toggle in the set `lacking` (fewer than r)
//     k = r       in `scarce` (r or fewer)
//     k = r + 1   in `sparing` (r + 1 or fewer), which is only kept when exposure counts
#pragma once

#include "search/kernel/weighing.h"

namespace fnn::FNN_KERNEL {

inline void note_lack(Board& b, int node, int change) {
  const int before = b.lack_count[node];
  b.lack_count[node] = before + change;
  if (before == 0) {
    b.trouble_place[node] = b.troubled_count;
    b.troubled[b.troubled_count++] = node;
  } else if (before + change == 0) {
    const int last = b.troubled[--b.troubled_count];
    b.troubled[b.trouble_place[node]] = last;
    b.trouble_place[last] = b.trouble_place[node];
  }
}

FNN_HOT void note_lack(Board& b, int node, int peer, int change) {
  note_lack(b, node, change);
  note_lack(b, peer, change);
  b.lack_pairs += change;
}

/// Toggles peers, all in word `w` of a row, in the set of `node`, and `node` in the sets of the peers.
template <int kWords>
FNN_HOT void turn(Board& b, uint64_t* rows, int node, uint64_t peers, int w) {
  using R = Rows<kWords>;
  R::row(b, rows, node)[w] ^= peers;
  uint64_t* column = rows + (node >> 6);
  for (; peers != 0; peers &= peers - 1) {
    const int64_t peer = w * 64 + __builtin_ctzll(peers);
    column[peer * R::words(b)] ^= bit(node);
  }
}

/// Word `w` of the row of nodes that are on at least [l] switches of a node, except the one it leaves.
struct AtLeast {
  uint64_t nodes[kMostRedundancy + 3];

  FNN_HOT uint64_t just(int count) const { return nodes[count] & ~nodes[count + 1]; }
};

template <int kWords>
FNN_HOT void count_beside(const Board& b, const Half& half, int w, int most, AtLeast& beside) {
  beside.nodes[0] = ~uint64_t{0};
  for (int l = 1; l <= most; ++l) beside.nodes[l] = 0;
  for (int nic = b.first_nic[half.node]; nic < b.first_nic[half.node + 1]; ++nic) {
    if (nic == half.nic) continue;
    const uint64_t row = Rows<kWords>::members(b, b.device[nic])[w];
    for (int l = most; l > 0; --l) beside.nodes[l] |= beside.nodes[l - 1] & row;
  }
}

/// Updates the pair sets of one node, except for its pair with `partner`.
template <int kWords>
inline void turn_pairs(Board& b, const Half& half, int partner) {
  using R = Rows<kWords>;
  const int enough = b.redundancy;
  AtLeast beside;
  for (int w = 0; w < R::words(b); ++w) {
    const uint64_t from = R::members(b, half.from)[w];
    uint64_t changed = from ^ R::members(b, half.to)[w];
    if (b.wanted != nullptr) changed &= b.wanted[static_cast<int64_t>(half.node) * R::words(b) + w];
    if (half.node >> 6 == w) changed &= ~bit(half.node);
    if (partner >> 6 == w) changed &= ~bit(partner);
    if (changed == 0) continue;
    count_beside<kWords>(b, half, w, b.sparing == nullptr ? enough + 1 : enough + 2, beside);
    const uint64_t below = changed & beside.just(enough - 1);
    turn<kWords>(b, b.lacking, half.node, below, w);
    turn<kWords>(b, b.scarce, half.node, changed & beside.just(enough), w);
    if (b.sparing != nullptr) turn<kWords>(b, b.sparing, half.node, changed & beside.just(enough + 1), w);
    for (uint64_t left = below; left != 0; left &= left - 1) {
      const int at = __builtin_ctzll(left);
      note_lack(b, half.node, w * 64 + at, (from >> at & 1U) != 0 ? 1 : -1);
    }
  }
}

/// The same for the pair of two movers.
template <int kWords>
inline void turn_partners(Board& b, const Half& one, const Half& two) {
  if (!wants(b, one.node, two.node)) return;
  const int enough = b.redundancy;
  const int before = shared(b, one.node, two.node);
  const int after = shared_after<kWords>(b, one, two, before);
  const int w = two.node >> 6;
  if ((before < enough) != (after < enough)) {
    turn<kWords>(b, b.lacking, one.node, bit(two.node), w);
    note_lack(b, one.node, two.node, after < enough ? 1 : -1);
  }
  if ((before <= enough) != (after <= enough)) turn<kWords>(b, b.scarce, one.node, bit(two.node), w);
  if (b.sparing != nullptr && (before <= enough + 1) != (after <= enough + 1)) {
    turn<kWords>(b, b.sparing, one.node, bit(two.node), w);
  }
}

inline void unplug(Board& b, const Half& half) {
  const int group = b.group[half.nic];
  if (group == -1) return;
  int32_t* seats = b.seat + b.first_seat[group];
  const int last = seats[--b.taken[group]];
  seats[b.place[half.nic]] = last;
  b.place[last] = b.place[half.nic];
  --b.load[half.from];
  b.group[half.nic] = -1;
  b.device[half.nic] = b.switches;
  b.members[static_cast<int64_t>(half.from) * b.words + (half.node >> 6)] &= ~bit(half.node);
  b.on[static_cast<int64_t>(half.node) * b.spots + (half.from >> 6)] &= ~bit(half.from);
}

inline void plug(Board& b, const Half& half, int group) {
  if (group == -1) return;
  b.place[half.nic] = b.taken[group];
  b.seat[b.first_seat[group] + b.taken[group]++] = half.nic;
  ++b.load[half.to];
  b.group[half.nic] = group;
  b.device[half.nic] = half.to;
  b.members[static_cast<int64_t>(half.to) * b.words + (half.node >> 6)] |= bit(half.node);
  b.on[static_cast<int64_t>(half.node) * b.spots + (half.to >> 6)] |= bit(half.to);
}

FNN_HOT Half half_of(const Board& b, int nic, int group) {
  return {nic, b.node_of[nic], b.device[nic], b.device_of[group]};
}

template <int kWords>
__attribute__((noinline)) void make_move(Board& b, const Move& move, const Verdict& verdict) {
  const Half one = half_of(b, move.nic, move.to);
  if (move.other == kNobody) {
    turn_pairs<kWords>(b, one, kNobody);
    if (b.aims != nullptr && b.aims->nic_load != nullptr) swing_loads<kWords>(b, one, nullptr);
    unplug(b, one);
    plug(b, one, move.to);
  } else {
    const Half two = half_of(b, move.other, move.other_to);
    turn_pairs<kWords>(b, one, two.node);
    turn_pairs<kWords>(b, two, one.node);
    turn_partners<kWords>(b, one, two);
    if (b.aims != nullptr && b.aims->nic_load != nullptr) swing_loads<kWords>(b, one, &two);
    // Both leave before either joins, because each may need the port of the other.
    unplug(b, one);
    unplug(b, two);
    plug(b, two, move.other_to);
    plug(b, one, move.to);
  }
  b.deficit += verdict.deficit;
  b.cost += verdict.cost;
}

template <int kWords, bool kAims>
FNN_HOT Verdict judge_move(const Board& b, const Move& move) {
  const Half one = half_of(b, move.nic, move.to);
  if (move.other == kNobody) {
    const int deficit = judge_half<kWords>(b, one);
    if constexpr (!kAims) return {deficit, 0};
    const int exposed = b.sparing == nullptr ? 0 : expose_half<kWords>(b, one);
    return {deficit, weigh<kWords>(b, one, nullptr) + exposed * b.aims->exposure};
  }
  const Half two = half_of(b, move.other, move.other_to);
  const int deficit = judge_two<kWords>(b, one, two);
  if constexpr (!kAims) return {deficit, 0};
  const int exposed = b.sparing == nullptr ? 0 : expose_two<kWords>(b, one, two);
  return {deficit, weigh<kWords>(b, one, &two) + exposed * b.aims->exposure};
}

}  // namespace fnn::FNN_KERNEL
