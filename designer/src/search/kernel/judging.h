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
// The change depends on how many switches they share with i now. For every node the board keeps two
// sets of wanted peers: `lacking` share too few switches; its superset `scarce` share at most the
// required number. The deficit then rises by
//
//     |left & scarce|  -  |joined & lacking|
//
// This reads four rows for any number of NICs, any redundancy and any demand. The price is paid when
// a move is made (moving.h): it updates the sets of all affected peers. A search evaluates ten or more
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

  static FNN_HOT int words(const Board& b) { return kWords == 0 ? b.words : kWords; }
  static FNN_HOT uint64_t* row(const Board& b, uint64_t* rows, int index) {
    return rows + static_cast<int64_t>(index) * words(b);
  }
  static FNN_HOT const uint64_t* members(const Board& b, int device) { return row(b, b.members, device); }
  static FNN_HOT const uint64_t* lacking(const Board& b, int node) { return row(b, b.lacking, node); }
  static FNN_HOT const uint64_t* scarce(const Board& b, int node) { return row(b, b.scarce, node); }
  static FNN_HOT const uint64_t* sparing(const Board& b, int node) { return row(b, b.sparing, node); }
};

FNN_HOT bool has(const uint64_t* row, int member) { return (row[member >> 6U] >> (member & 63) & 1U) != 0; }
FNN_HOT uint64_t bit(int member) { return uint64_t{1} << (member & 63); }

template <int kWords>
FNN_HOT bool is_on(const Board& b, int node, int device) {
  return has(Rows<kWords>::members(b, device), node);
}

/// The switches that two nodes share.
FNN_HOT int shared(const Board& b, int node, int peer) {
  const uint64_t* mine = b.on + static_cast<int64_t>(node) * b.spots;
  const uint64_t* theirs = b.on + static_cast<int64_t>(peer) * b.spots;
  int count = count_ones(mine[0] & theirs[0]);
  for (int w = 1; w < b.spots; ++w) count += count_ones(mine[w] & theirs[w]);
  return count;
}

FNN_HOT bool wants(const Board& b, int node, int peer) {
  return b.wanted == nullptr || has(b.wanted + static_cast<int64_t>(node) * b.words, peer);
}

/// Half of a move: a NIC and the switches it leaves and joins.
struct Half {
  int nic;
  int node;
  int from;
  int to;
};

/// The state of a wanted pair that shares `count` switches.
struct Standing {
  int deficit;
  int exposed;
};
FNN_HOT Standing standing(const Board& b, int count) {
  return {count < b.redundancy ? b.redundancy - count : 0, count == b.redundancy ? 1 : 0};
}

/// The rise of the deficit when no other node moves. Never inlined: beside an exchange the compiler
/// would compute their common subexpressions first, which costs a third of the time.
template <int kWords>
__attribute__((noinline)) int judge_half(const Board& b, const Half& half) {
  using R = Rows<kWords>;
  using Block = typename R::Block;
  Tally<R::kBlock> deficit;
  for (int w = 0; w < R::words(b); w += R::kBlock) {
    const Block from = Block::load(R::members(b, half.from) + w);
    const Block to = Block::load(R::members(b, half.to) + w);
    const Block lacking = Block::load(R::lacking(b, half.node) + w);
    const Block scarce = Block::load(R::scarce(b, half.node) + w);
    deficit.add(from.without(to) & scarce, to.without(from) & lacking);
  }
  return deficit.total();
}

/// Both halves of an exchange at once: one node joins the peers that the other leaves.
template <int kWords>
FNN_HOT int judge_exchange(const Board& b, const Half& one, const Half& two) {
  using R = Rows<kWords>;
  using Block = typename R::Block;
  Tally<R::kBlock> deficit;
  for (int w = 0; w < R::words(b); w += R::kBlock) {
    const Block from = Block::load(R::members(b, one.from) + w);
    const Block to = Block::load(R::members(b, one.to) + w);
    const Block first_lacking = Block::load(R::lacking(b, one.node) + w);
    const Block second_lacking = Block::load(R::lacking(b, two.node) + w);
    const Block first_scarce = Block::load(R::scarce(b, one.node) + w);
    const Block second_scarce = Block::load(R::scarce(b, two.node) + w);
    const Block left = from.without(to);
    const Block joined = to.without(from);
    deficit.add((left & first_scarce) | (joined & second_scarce), (joined & first_lacking) | (left & second_lacking));
  }
  // The movers share as many switches as before, although each half counts the other as joined.
  const int apart = has(R::lacking(b, one.node), two.node) ? 1 : 0;
  return deficit.total() + apart + (apart & (one.from != b.switches));
}

/// Of some lacking peers in word `w` of a row, those that lack a single switch.
FNN_HOT uint64_t lacking_one(const Board& b, int node, uint64_t lacking, int w) {
  if (b.redundancy == 1) return lacking;
  uint64_t one = 0;
  for (; lacking != 0; lacking &= lacking - 1) {
    const int peer = w * 64 + __builtin_ctzll(lacking);
    if (shared(b, node, peer) == b.redundancy - 1) one |= bit(peer);
  }
  return one;
}

/// The rise in exposed pairs, those that share exactly enough switches, when no other node moves.
template <int kWords>
FNN_HOT int expose_half(const Board& b, const Half& half) {
  using R = Rows<kWords>;
  int exposed = 0;
  for (int w = 0; w < R::words(b); ++w) {
    const uint64_t from = R::members(b, half.from)[w];
    const uint64_t to = R::members(b, half.to)[w];
    const uint64_t lacking = R::lacking(b, half.node)[w];
    const uint64_t scarce = R::scarce(b, half.node)[w];
    const uint64_t come = (from & ~to & R::sparing(b, half.node)[w] & ~scarce) |
                          lacking_one(b, half.node, to & ~from & lacking, w);
    exposed += count_ones(come) - count_ones((from ^ to) & scarce & ~lacking);
  }
  return exposed;
}

/// The result of a half for the pair of its node and `partner`, which share `count` switches.
template <int kWords>
FNN_HOT Standing seen_by_half(const Board& b, const Half& half, int partner, int count) {
  const int beside = count - (is_on<kWords>(b, partner, half.from) ? 1 : 0);
  const Standing before = standing(b, count);
  const Standing after = standing(b, beside + (is_on<kWords>(b, partner, half.to) ? 1 : 0));
  return {after.deficit - before.deficit, after.exposed - before.exposed};
}

/// The switches that the nodes of two halves share after the move.
template <int kWords>
FNN_HOT int shared_after(const Board& b, const Half& one, const Half& two, int count) {
  if (one.from == two.to && one.to == two.from) return count;
  // one: a -> m, two: m -> t. They share m neither before nor after the move.
  const bool lost = is_on<kWords>(b, two.node, one.from) && one.from != b.switches;
  const bool won = two.to != one.from && is_on<kWords>(b, one.node, two.to);
  return count - (lost ? 1 : 0) + (won ? 1 : 0);
}

/// The change of the pair of two movers, minus the results of the halves for it.
template <int kWords>
FNN_HOT Standing correct_pair(const Board& b, const Half& one, const Half& two) {
  if (!wants(b, one.node, two.node)) return {0, 0};
  const int count = shared(b, one.node, two.node);
  const Standing seen_by_one = seen_by_half<kWords>(b, one, two.node, count);
  const Standing seen_by_two = seen_by_half<kWords>(b, two, one.node, count);
  const Standing before = standing(b, count);
  const Standing after = standing(b, shared_after<kWords>(b, one, two, count));
  return {after.deficit - before.deficit - seen_by_one.deficit - seen_by_two.deficit,
          after.exposed - before.exposed - seen_by_one.exposed - seen_by_two.exposed};
}

template <int kWords>
__attribute__((noinline)) int judge_shift(const Board& b, const Half& one, const Half& two) {
  return judge_half<kWords>(b, one) + judge_half<kWords>(b, two) + correct_pair<kWords>(b, one, two).deficit;
}

template <int kWords>
FNN_HOT int judge_two(const Board& b, const Half& one, const Half& two) {
  return one.from == two.to ? judge_exchange<kWords>(b, one, two) : judge_shift<kWords>(b, one, two);
}

template <int kWords>
inline int expose_two(const Board& b, const Half& one, const Half& two) {
  return expose_half<kWords>(b, one) + expose_half<kWords>(b, two) + correct_pair<kWords>(b, one, two).exposed;
}

}  // namespace fnn::FNN_KERNEL
