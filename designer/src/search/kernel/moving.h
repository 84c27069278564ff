// SPDX-License-Identifier: GPL-3.0-or-later
// Making a move: the cables change their places, and the problem spots are brought up to date.
//
// A pair becomes a problem spot when it comes to lack a switch, and stops being one when it lacks no
// more. Those are few per move; everything else about the pairs is found anew by every judgement.
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

template <int kWords>
inline void turn_lack(Board& b, int node, int peer, int change) {
  Rows<kWords>::lacking(b, node)[peer >> 6] ^= bit(peer);
  Rows<kWords>::lacking(b, peer)[node >> 6] ^= bit(node);
  note_lack(b, node, change);
  note_lack(b, peer, change);
  b.lack_pairs += change;
}

/// The wanted peers that share just one switch too few with the node of a half beside the one it
/// leaves: of these it loses whom it leaves and meets whom it joins.
template <Want kWant, int kWords>
inline uint64_t on_the_edge(const Board& b, const Half& half, int w) {
  using R = Rows<kWords>;
  uint64_t layer[kMostRedundancy + 1];
  const int enough = kWant == Want::layers ? b.redundancy : 1;
  for (int l = 0; l < enough; ++l) layer[l] = 0;
  for_each_other<kWords>(b, half, [&](const uint64_t* members) FNN_LAMBDA {
    const uint64_t row = members[w];
    for (int l = enough - 1; l > 0; --l) layer[l] |= layer[l - 1] & row;
    layer[0] |= row;
  });
  const uint64_t wanted = kWant == Want::everyone ? ~uint64_t{0} : R::wanted(b, half.node)[w];
  return wanted & ~layer[enough - 1] & (enough == 1 ? ~uint64_t{0} : layer[enough - 2]);
}

template <Want kWant, int kWords>
inline void turn_lacks(Board& b, const Half& half, int partner) {
  using R = Rows<kWords>;
  for (int w = 0; w < R::words(b); ++w) {
    const uint64_t from = R::members(b, half.from)[w];
    const uint64_t to = R::members(b, half.to)[w];
    uint64_t changed = from ^ to;
    if (half.node >> 6 == w) changed &= ~bit(half.node);
    if (partner >> 6 == w) changed &= ~bit(partner);
    if (changed == 0) continue;
    changed &= on_the_edge<kWant, kWords>(b, half, w);
    for (uint64_t left = changed; left != 0; left &= left - 1) {
      const int peer = w * 64 + __builtin_ctzll(left);
      turn_lack<kWords>(b, half.node, peer, (from >> (peer & 63) & 1U) != 0 ? 1 : -1);
    }
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
  --b.links[half.node];
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
  ++b.links[half.node];
  b.group[half.nic] = group;
  b.device[half.nic] = half.to;
  b.members[static_cast<int64_t>(half.to) * b.words + (half.node >> 6)] |= bit(half.node);
  b.on[static_cast<int64_t>(half.node) * b.spots + (half.to >> 6)] |= bit(half.to);
}

FNN_HOT Half half_of(const Board& b, int nic, int group) {
  return {nic, b.node_of[nic], b.device[nic], b.device_of[group]};
}

template <Want kWant, int kWords>
__attribute__((noinline)) void make_move(Board& b, const Move& move, const Verdict& verdict) {
  const Half one = half_of(b, move.nic, move.to);
  if (move.other == kNobody) {
    turn_lacks<kWant, kWords>(b, one, kNobody);
    if (b.aims != nullptr && b.aims->nic_load != nullptr) swing_loads<kWords>(b, one, nullptr);
    unplug(b, one);
    plug(b, one, move.to);
  } else {
    const Half two = half_of(b, move.other, move.other_to);
    turn_lacks<kWant, kWords>(b, one, two.node);
    turn_lacks<kWant, kWords>(b, two, one.node);
    if (wants<kWant>(b, one.node, two.node)) {
      const int before = shared(b, one.node, two.node);
      const int after = shared_after<kWords>(b, one, two, before);
      if ((before < b.redundancy) != (after < b.redundancy)) {
        turn_lack<kWords>(b, one.node, two.node, after < b.redundancy ? 1 : -1);
      }
    }
    if (b.aims != nullptr && b.aims->nic_load != nullptr) swing_loads<kWords>(b, one, &two);
    // Both leave before either joins, because each may wait for the port of the other.
    unplug(b, one);
    unplug(b, two);
    plug(b, two, move.other_to);
    plug(b, one, move.to);
  }
  b.deficit += verdict.deficit;
  b.cost += verdict.cost;
}

template <Want kWant, int kWords, bool kAims>
FNN_HOT Verdict judge_move(const Board& b, const Move& move) {
  const Half one = half_of(b, move.nic, move.to);
  Standing standing{};
  int64_t cost = 0;
  if (move.other == kNobody) {
    standing = judge_half<kWant, kWords>(b, one);
    if constexpr (kAims) cost = weigh<kWords>(b, one, nullptr);
  } else {
    const Half two = half_of(b, move.other, move.other_to);
    standing = judge_two<kWant, kWords>(b, one, two);
    if constexpr (kAims) cost = weigh<kWords>(b, one, &two);
  }
  if constexpr (kAims) cost += standing.exposed * b.aims->exposure;
  return {standing.deficit, cost};
}

}  // namespace fnn::FNN_KERNEL
