// SPDX-License-Identifier: GPL-3.0-or-later
// A wiring under change, with everything that makes one change cheap to judge.
//
// Moving one cable of node i from switch a to switch b changes only the pairs of i:
//
//   lost    the nodes on a, not on b, that share just one switch with i (which must be a)
//   gained  the nodes on b that share no switch with i yet
//
// With a row of bits per node for "shares a switch with" and one for "shares exactly one", both are
// a few word operations per 64 nodes, however many switches there are. Exchanges and shifts are two
// such moves plus a correction for the pair of the two nodes moved. Debug builds compare every
// judgement with what the move then really did (make), and now and then with the evaluation
// function (local_search.cc).
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "base/random.h"
#include "design/wiring.h"

namespace fnn {

/// One or two cables change their places.
///   other = kNobody                      `nic` goes to a free port of `to`, or is unplugged
///   other_to = the group of `nic`        the two exchange their ports
///   else                                 `nic` takes the port of `other`, which goes to `other_to`
struct Move {
  int nic;
  int to;  ///< a group, or kDummy
  int other;
  int other_to;  ///< a group, or kDummy
};
inline constexpr int kNobody = -1;

class Neighborhoods {
 public:
  explicit Neighborhoods(Wiring wiring);

  const Wiring& wiring() const { return wiring_; }
  int uncovered() const { return uncovered_; }

  /// A pair that shares no switch, by chance; only when there is one.
  std::pair<int, int> some_uncovered_pair(Random& random) const;

  /// By how much the number of uncovered pairs would rise. The caller sees to the limits.
  int judge(const Move& move) const;
  /// Does it. `judged` is what judge() said.
  void make(const Move& move, int judged);

 private:
  int judge_replug(int nic, int group) const;
  int judge_exchange(int nic, int other) const;
  int judge_shift(int nic, int other, int group) const;
  void replug(int nic, int group);
  void join(int nic, int group);
  void leave(int nic);
  void add_shared(std::size_t node, std::size_t peer);
  void remove_shared(std::size_t node, std::size_t peer);
  void note_uncovered(std::size_t node, int change);
  int lost(int node, int from, int to) const;
  int gained(int node, int to) const;
  bool apart(int node, int peer) const { return !near_.has(Limits::at(node), Limits::at(peer)); }
  int shared(int node, int peer) const { return shared_[Limits::at(node) * nodes_ + Limits::at(peer)]; }

  Wiring wiring_;
  std::size_t nodes_;
  std::vector<std::uint16_t> shared_;  ///< per ordered pair, the number of switches they share
  BitRows near_;                       ///< per node: itself and the nodes that share a switch
  BitRows once_;                       ///< per node: the nodes that share exactly one switch
  std::vector<int> missing_;           ///< per node: how many nodes share none
  std::vector<int> troubled_;          ///< the nodes with missing_ > 0
  std::vector<int> place_;             ///< of a node within troubled_
  int uncovered_ = 0;
};

}  // namespace fnn
