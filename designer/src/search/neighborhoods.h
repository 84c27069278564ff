// SPDX-License-Identifier: GPL-3.0-or-later
// A mutable wiring: the owner of a board (search/kernel/board.h). Debug builds recompute and compare all
// results of the kernels.
#pragma once

#include <cstdint>
#include <vector>

#include "base/random.h"
#include "design/wiring.h"
#include "search/kernel/kernel.h"
#include "search/movable.h"
#include "search/objective.h"

namespace fnn {

class Neighborhoods {
 public:
  /// `objective` and `movable` must outlive it.
  Neighborhoods(const Wiring& wiring, const Objective& objective, const Movable& movable,
                const Kernel& kernel = fastest_kernel());
  Neighborhoods(const Neighborhoods&) = delete;
  Neighborhoods& operator=(const Neighborhoods&) = delete;

  Wiring wiring() const;
  const Objective& objective() const { return objective_; }
  const Board& board() const { return board_; }
  /// Wanted pairs that share too few switches, and how many switches they lack.
  int uncovered() const { return board_.lack_pairs; }
  std::int64_t deficit() const { return board_.deficit; }
  std::int64_t cost() const { return board_.cost; }

  /// Proposes a move of one kind within the limits; false when the random choice allows none.
  bool propose(Operator kind, Dice& dice, Move& move) const { return kernel_.propose(board_, kind, dice, move); }
  Verdict judge(const Move& move) const { return kernel_.judge(board_, move); }
  void make(const Move& move, const Verdict& verdict);

  /// Anneals at one temperature. Only movable NICs move.
  void anneal(Stage& stage, Dice& dice);

 private:
  /// The pair sets of Board, each with a row of peers per node, and the total deficit.
  struct PairSets {
    std::vector<Word> lacking, scarce, sparing;
    std::int64_t deficit = 0;
  };

  void lay_out(const Wiring& wiring);
  PairSets measure_pairs() const;
  void find_pairs();
  Word wanted_word(std::size_t node, std::size_t w) const;
  bool is_as_claimed() const;

  const Limits& limits_;
  const Objective& objective_;
  const Kernel& kernel_;
  Board board_{};
  Aims aims_{};

  std::vector<std::int32_t> node_of_, media_of_, first_nic_, device_of_, media_group_, first_group_, group_at_;
  std::vector<std::int32_t> ports_, usable_ports_, first_seat_;
  std::vector<std::int32_t> group_, device_, place_, seat_, taken_, load_;
  std::vector<Word> members_, on_;
  PairSets pairs_;
  std::vector<std::int32_t> lack_count_, troubled_, trouble_place_;
  std::vector<std::int64_t> nic_load_;
};

/// A kernel generator, seeded with the next numbers of `random`.
Dice throw_dice(Random& random);

}  // namespace fnn
