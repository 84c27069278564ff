// SPDX-License-Identifier: GPL-3.0-or-later
//
// Judging a move
// --------------
// Take one cable of node i from switch a to switch b. Only the pairs of i can change, and of these
// only the pairs with a node on just one of the two switches. What becomes of them depends on the
// switches they share *beside* a, a set of nodes that the other cables of i give at once:
//
//     others   the nodes on the other switches of i           row | row | row
//     loses    the nodes on a, not on b, not in others        row(a) & ~row(b) & ~others
//     gains    the nodes on b, not on a, not in others        row(b) & ~row(a) & ~others
//
// The rows are bit sets of nodes, one per switch, so this takes r + 1 loads for 64 nodes with r
// NICs, and nothing else need be kept: with 1024 nodes and 21 switches the rows fill 2.7 KB, where a
// table of the switches each pair shares would fill 2 MB and change in a thousand places per move.
//
// Where not every pair is wanted, or more than once, a row of wanted peers joins in, and `others`
// becomes layers: the nodes on at least one, at least two, ... of the other switches. A pair that
// shares c switches beside a lacks one more after leaving, one less after joining, if c < redundancy.
//
// A move of two cables is two such halves. Each judges the other's node by where it stands before
// the move, so the pair of the two nodes is taken out of both and judged by itself.
#pragma once

#include "search/kernel/lanes.h"

namespace fnn::FNN_KERNEL {

/// What is wanted, from the quickest to judge to the slowest.
enum class Want { everyone, some, layers };

template <int kWords>
struct Rows {
  static constexpr int kBlock = kWords == 0 || kWords > kWidest ? kWidest : kWords;
  static int words(const Board& b) { return kWords == 0 ? b.words : kWords; }
  static const uint64_t* members(const Board& b, int device) {
    return b.members + static_cast<int64_t>(device) * words(b);
  }
  static const uint64_t* wanted(const Board& b, int node) {
    return b.wanted + static_cast<int64_t>(node) * words(b);
  }
  static uint64_t* lacking(const Board& b, int node) { return b.lacking + static_cast<int64_t>(node) * words(b); }
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

template <Want kWant>
FNN_HOT bool wants(const Board& b, int node, int peer) {
  return kWant == Want::everyone || has(b.wanted + static_cast<int64_t>(node) * b.words, peer);
}

/// Half of a move: a NIC and the switches it leaves and joins.
struct Half {
  int nic;
  int node;
  int from;
  int to;
};

/// What sharing `count` switches means for a wanted pair.
struct Standing {
  int deficit;
  int exposed;
};
FNN_HOT Standing standing(const Board& b, int count) {
  return {count < b.redundancy ? b.redundancy - count : 0, count == b.redundancy ? 1 : 0};
}

/// Calls visit(row) with the row of every switch that a node is on, but for the one it leaves.
template <int kWords, class Visit>
FNN_HOT void for_each_other(const Board& b, const Half& half, Visit visit) {
  const uint64_t* on = b.on + static_cast<int64_t>(half.node) * b.spots;
  int word = 0;
  do {
    uint64_t left = on[word];
    if (half.from >> 6 == word) left &= ~bit(half.from);
    for (; left != 0; left &= left - 1) visit(Rows<kWords>::members(b, word * 64 + __builtin_ctzll(left)));
  } while (++word < b.spots);
}

/// A block of the nodes on the other switches of a node.
template <int kWords>
FNN_HOT Lanes<Rows<kWords>::kBlock> others_of(const Board& b, const Half& half, int w) {
  using Block = Lanes<Rows<kWords>::kBlock>;
  Block others = Block::none();
  for_each_other<kWords>(b, half, [&](const uint64_t* row) FNN_LAMBDA { others = others | Block::load(row + w); });
  return others;
}

/// Nobody is wanted by itself, but when all are wanted a node without other cables seems to lose itself.
FNN_HOT int seems_to_lose_itself(const Board& b, const Half& half) {
  return half.from != b.switches && b.links[half.node] == 1 ? 1 : 0;
}

/// By how much the deficit rises when nobody else moves, where one shared switch is enough.
template <Want kWant, int kWords>
FNN_HOT Standing judge_half_once(const Board& b, const Half& half) {
  using R = Rows<kWords>;
  using Block = Lanes<R::kBlock>;
  Tally<R::kBlock> deficit;
  for (int w = 0; w < R::words(b); w += R::kBlock) {
    const Block left = Block::load(R::members(b, half.from) + w);
    const Block joined = Block::load(R::members(b, half.to) + w);
    Block changed = (left ^ joined).without(others_of<kWords>(b, half, w));
    if constexpr (kWant == Want::some) changed = changed & Block::load(R::wanted(b, half.node) + w);
    deficit.add(changed & left, changed & joined);
  }
  return {deficit.total() - (kWant == Want::everyone ? seems_to_lose_itself(b, half) : 0), 0};
}

/// The same with layers, for the exposure too.
template <int kWords>
FNN_HOT Standing judge_half_in_layers(const Board& b, const Half& half) {
  using R = Rows<kWords>;
  using Block = Lanes<R::kBlock>;
  const int enough = b.redundancy;
  Tally<R::kBlock> deficit;
  Tally<R::kBlock> exposed;
  for (int w = 0; w < R::words(b); w += R::kBlock) {
    Block layer[kMostRedundancy + 1];  // [l]: the nodes on more than l of the other switches
    for (int l = 0; l <= enough; ++l) layer[l] = Block::none();
    for_each_other<kWords>(b, half, [&](const uint64_t* members) FNN_LAMBDA {
      const Block row = Block::load(members + w);
      for (int l = enough; l > 0; --l) layer[l] = layer[l] | (layer[l - 1] & row);
      layer[0] = layer[0] | row;
    });
    const Block left = Block::load(R::members(b, half.from) + w);
    const Block joined = Block::load(R::members(b, half.to) + w);
    const Block changed = (left ^ joined) & Block::load(R::wanted(b, half.node) + w);
    const Block lacks = changed.without(layer[enough - 1]);
    deficit.add(lacks & left, lacks & joined);
    if (b.aims == nullptr || b.aims->exposure == 0) continue;
    // With just enough beside a, leaving a exposes the pair; with one less, it was exposed before.
    const Block spare = (changed & layer[enough - 1]).without(layer[enough]);
    exposed.add(spare & left, spare & joined);
    const Block edge = enough == 1 ? lacks : lacks & layer[enough - 2];
    exposed.add(edge & joined, edge & left);
  }
  return {deficit.total(), exposed.total()};
}

template <Want kWant, int kWords>
FNN_HOT Standing judge_half(const Board& b, const Half& half) {
  if constexpr (kWant == Want::layers) return judge_half_in_layers<kWords>(b, half);
  return judge_half_once<kWant, kWords>(b, half);
}

/// Both halves of an exchange at once, where one shared switch is enough: who is on one of the two
/// switches only is lost by one node and gained by the other.
template <Want kWant, int kWords>
FNN_HOT Standing judge_exchange_once(const Board& b, const Half& one, const Half& two) {
  using R = Rows<kWords>;
  using Block = Lanes<R::kBlock>;
  Tally<R::kBlock> deficit;
  for (int w = 0; w < R::words(b); w += R::kBlock) {
    const Block from = Block::load(R::members(b, one.from) + w);
    const Block to = Block::load(R::members(b, one.to) + w);
    const Block changed = from ^ to;
    Block first = changed.without(others_of<kWords>(b, one, w));
    Block second = changed.without(others_of<kWords>(b, two, w));
    if constexpr (kWant == Want::some) {
      first = first & Block::load(R::wanted(b, one.node) + w);
      second = second & Block::load(R::wanted(b, two.node) + w);
    }
    deficit.add((first & from) | (second & to), (first & to) | (second & from));
  }
  // The two pass each other: they share what they shared, though each seemed to meet the other.
  const int apart = wants<kWant>(b, one.node, two.node) & (shared(b, one.node, two.node) == 0);
  const int passing = apart + (apart & (one.from != b.switches));
  const int selves = kWant != Want::everyone ? 0 : seems_to_lose_itself(b, one) + seems_to_lose_itself(b, two);
  return {deficit.total() - selves + passing, 0};
}

/// What a half says about the pair of `node` and `partner`, which shares `count` switches.
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
  // one: a -> m, two: m -> t. They never shared m and never will.
  const bool lost = is_on<kWords>(b, two.node, one.from) && one.from != b.switches;
  const bool won = two.to != one.from && is_on<kWords>(b, one.node, two.to);
  return count - (lost ? 1 : 0) + (won ? 1 : 0);
}

template <Want kWant, int kWords>
FNN_HOT Standing judge_two(const Board& b, const Half& one, const Half& two) {
  const bool exchange = one.from == two.to;
  if (kWant != Want::layers && exchange) return judge_exchange_once<kWant, kWords>(b, one, two);
  const Standing first = judge_half<kWant, kWords>(b, one);
  const Standing second = judge_half<kWant, kWords>(b, two);
  Standing sum{first.deficit + second.deficit, first.exposed + second.exposed};
  if (!wants<kWant>(b, one.node, two.node)) return sum;
  const int count = shared(b, one.node, two.node);
  const Standing seen_by_one = seen_by_half<kWords>(b, one, two.node, count);
  const Standing seen_by_two = seen_by_half<kWords>(b, two, one.node, count);
  const Standing before = standing(b, count);
  const Standing after = standing(b, shared_after<kWords>(b, one, two, count));
  sum.deficit += after.deficit - before.deficit - seen_by_one.deficit - seen_by_two.deficit;
  sum.exposed += after.exposed - before.exposed - seen_by_one.exposed - seen_by_two.exposed;
  return sum;
}

}  // namespace fnn::FNN_KERNEL
