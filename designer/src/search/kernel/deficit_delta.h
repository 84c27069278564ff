// SPDX-License-Identifier: GPL-3.0-or-later
//
// Delta evaluation of a move
// --------------------------
// Move one cable of node i from switch a to switch b. Only the pairs of i can change, and of these
// only the pairs with a node on exactly one of the two switches:
//
//     left     the nodes on a, not on b       row(a) & ~row(b)
//     joined   the nodes on b, not on a       row(b) & ~row(a)
//
// The change depends on how many switches they share with i now. For every node the state keeps two
// sets of wanted peers: `lacking` share too few switches; its superset `tight` share at most the
// required number. The deficit then rises by
//
//     |left & tight|  -  |joined & lacking|
//
// This reads four rows for any number of NICs, any redundancy and any demand. The price is paid when
// a move is made (make_move.h): it updates the sets of all affected peers. A search evaluates ten or more
// moves for each move it makes. Without the sets, every evaluation would have to collect the nodes on
// the other switches of i, which is four times slower.
//
// A move of two cables consists of two such halves. Each half assumes the other node at its place before
// the move. Its result for the pair of the two movers is therefore replaced by a separate evaluation.
#pragma once

#include "search/kernel/lanes.h"

namespace fnn::FNN_KERNEL {

template <int kWords>
struct Rows {
  static constexpr int kBlock = kWords == 0 || kWords > kWidest ? kWidest : kWords;
  using Block = Lanes<kBlock>;

  static FNN_HOT int words(const KernelState& s) { return kWords == 0 ? s.words : kWords; }
  static FNN_HOT uint64_t* row(const KernelState& s, uint64_t* rows, int index) {
    return rows + static_cast<int64_t>(index) * words(s);
  }
  static FNN_HOT const uint64_t* members(const KernelState& s, int device) { return row(s, s.members, device); }
  static FNN_HOT const uint64_t* lacking(const KernelState& s, int node) { return row(s, s.lacking, node); }
  static FNN_HOT const uint64_t* tight(const KernelState& s, int node) { return row(s, s.tight, node); }
  static FNN_HOT const uint64_t* near_tight(const KernelState& s, int node) { return row(s, s.near_tight, node); }
};

FNN_HOT bool has(const uint64_t* row, int member) { return (row[member >> 6U] >> (member & 63) & 1U) != 0; }
FNN_HOT uint64_t bit(int member) { return uint64_t{1} << (member & 63); }

template <int kWords>
FNN_HOT bool is_on(const KernelState& s, int node, int device) {
  return has(Rows<kWords>::members(s, device), node);
}

/// The switches that two nodes share.
FNN_HOT int shared(const KernelState& s, int node, int peer) {
  const uint64_t* mine = s.node_switches + static_cast<int64_t>(node) * s.switch_words;
  const uint64_t* theirs = s.node_switches + static_cast<int64_t>(peer) * s.switch_words;
  int count = count_ones(mine[0] & theirs[0]);
  for (int w = 1; w < s.switch_words; ++w) count += count_ones(mine[w] & theirs[w]);
  return count;
}

FNN_HOT bool wants(const KernelState& s, int node, int peer) {
  return s.wanted == nullptr || has(s.wanted + static_cast<int64_t>(node) * s.words, peer);
}

/// Half of a move: a NIC, the switches it leaves and joins, and the group that it joins.
struct Half {
  int nic;
  int node;
  int from;
  int to;
  int group;
};

/// Whether every node stays on its switches: the move is within a switch or exchanges two NICs of a node.
FNN_HOT bool keeps_switches(const Half& one, const Half* two) {
  return one.from == one.to || (two != nullptr && one.node == two->node);
}

/// The state of a wanted pair that shares `count` switches.
struct PairState {
  int deficit;
  int exposed;
};
FNN_HOT PairState pair_state(const KernelState& s, int count) {
  return {count < s.redundancy ? s.redundancy - count : 0, count == s.redundancy ? 1 : 0};
}

/// The rise of the deficit when no other node moves. Never inlined: next to an exchange the compiler
/// would compute their common subexpressions first, which costs a third of the time.
template <int kWords>
__attribute__((noinline)) int deficit_of_half(const KernelState& s, const Half& half) {
  using R = Rows<kWords>;
  using Block = typename R::Block;
  Tally<R::kBlock> deficit;
  for (int w = 0; w < R::words(s); w += R::kBlock) {
    const Block from = Block::load(R::members(s, half.from) + w);
    const Block to = Block::load(R::members(s, half.to) + w);
    const Block lacking = Block::load(R::lacking(s, half.node) + w);
    const Block tight = Block::load(R::tight(s, half.node) + w);
    deficit.add(from.without(to) & tight, to.without(from) & lacking);
  }
  return deficit.total();
}

/// Both halves of an exchange at once: one node joins the peers that the other leaves.
template <int kWords>
FNN_HOT int deficit_of_exchange(const KernelState& s, const Half& one, const Half& two) {
  using R = Rows<kWords>;
  using Block = typename R::Block;
  Tally<R::kBlock> deficit;
  for (int w = 0; w < R::words(s); w += R::kBlock) {
    const Block from = Block::load(R::members(s, one.from) + w);
    const Block to = Block::load(R::members(s, one.to) + w);
    const Block first_lacking = Block::load(R::lacking(s, one.node) + w);
    const Block second_lacking = Block::load(R::lacking(s, two.node) + w);
    const Block first_tight = Block::load(R::tight(s, one.node) + w);
    const Block second_tight = Block::load(R::tight(s, two.node) + w);
    const Block left = from.without(to);
    const Block joined = to.without(from);
    deficit.add((left & first_tight) | (joined & second_tight), (joined & first_lacking) | (left & second_lacking));
  }
  // The movers share as many switches as before, although each half counts the other as joined.
  const int apart = has(R::lacking(s, one.node), two.node) ? 1 : 0;
  return deficit.total() + apart + (apart & (one.from != s.switches));
}

/// Of some lacking peers in word `w` of a row, those that lack a single switch.
FNN_HOT uint64_t lacking_one(const KernelState& s, int node, uint64_t lacking, int w) {
  if (s.redundancy == 1) return lacking;
  uint64_t one = 0;
  for (; lacking != 0; lacking &= lacking - 1) {
    const int peer = w * 64 + __builtin_ctzll(lacking);
    if (shared(s, node, peer) == s.redundancy - 1) one |= bit(peer);
  }
  return one;
}

/// The rise in exposed pairs, those that share exactly enough switches, when no other node moves.
template <int kWords>
FNN_HOT int exposure_of_half(const KernelState& s, const Half& half) {
  using R = Rows<kWords>;
  int exposed = 0;
  for (int w = 0; w < R::words(s); ++w) {
    const uint64_t from = R::members(s, half.from)[w];
    const uint64_t to = R::members(s, half.to)[w];
    const uint64_t lacking = R::lacking(s, half.node)[w];
    const uint64_t tight = R::tight(s, half.node)[w];
    const uint64_t newly_exposed = (from & ~to & R::near_tight(s, half.node)[w] & ~tight) |
                                   lacking_one(s, half.node, to & ~from & lacking, w);
    exposed += count_ones(newly_exposed) - count_ones((from ^ to) & tight & ~lacking);
  }
  return exposed;
}

/// The result of a half for the pair of its node and `partner`, which share `count` switches.
template <int kWords>
FNN_HOT PairState pair_delta_of_half(const KernelState& s, const Half& half, int partner, int count) {
  const int others = count - (is_on<kWords>(s, partner, half.from) ? 1 : 0);
  const PairState before = pair_state(s, count);
  const PairState after = pair_state(s, others + (is_on<kWords>(s, partner, half.to) ? 1 : 0));
  return {after.deficit - before.deficit, after.exposed - before.exposed};
}

/// The switches that the nodes of two halves share after the move.
template <int kWords>
FNN_HOT int shared_after(const KernelState& s, const Half& one, const Half& two, int count) {
  if (one.from == two.to && one.to == two.from) return count;
  // one: a -> m, two: m -> t. They share m neither before nor after the move.
  const bool lost = is_on<kWords>(s, two.node, one.from) && one.from != s.switches;
  const bool won = two.to != one.from && is_on<kWords>(s, one.node, two.to);
  return count - (lost ? 1 : 0) + (won ? 1 : 0);
}

/// The change of the pair of two movers, minus the results of the halves for it.
template <int kWords>
FNN_HOT PairState pair_correction(const KernelState& s, const Half& one, const Half& two) {
  if (!wants(s, one.node, two.node)) return {0, 0};
  const int count = shared(s, one.node, two.node);
  const PairState delta_of_one = pair_delta_of_half<kWords>(s, one, two.node, count);
  const PairState delta_of_two = pair_delta_of_half<kWords>(s, two, one.node, count);
  const PairState before = pair_state(s, count);
  const PairState after = pair_state(s, shared_after<kWords>(s, one, two, count));
  return {after.deficit - before.deficit - delta_of_one.deficit - delta_of_two.deficit,
          after.exposed - before.exposed - delta_of_one.exposed - delta_of_two.exposed};
}

template <int kWords>
__attribute__((noinline)) int deficit_of_shift(const KernelState& s, const Half& one, const Half& two) {
  return deficit_of_half<kWords>(s, one) + deficit_of_half<kWords>(s, two) +
         pair_correction<kWords>(s, one, two).deficit;
}

template <int kWords>
FNN_HOT int deficit_of_two_halves(const KernelState& s, const Half& one, const Half& two) {
  return one.from == two.to ? deficit_of_exchange<kWords>(s, one, two) : deficit_of_shift<kWords>(s, one, two);
}

template <int kWords>
inline int exposure_of_two_halves(const KernelState& s, const Half& one, const Half& two) {
  return exposure_of_half<kWords>(s, one) + exposure_of_half<kWords>(s, two) +
         pair_correction<kWords>(s, one, two).exposed;
}

}  // namespace fnn::FNN_KERNEL
