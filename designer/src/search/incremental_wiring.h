// SPDX-License-Identifier: GPL-3.0-or-later
// A mutable wiring with incremental evaluation: the owner of a KernelState (search/kernel/kernel_state.h).
// Debug builds recompute and compare all results of the kernels.
#pragma once

#include <cstdint>
#include <vector>

#include "base/random.h"
#include "design/wiring.h"
#include "search/kernel/kernel.h"
#include "search/movable.h"
#include "search/objective.h"

namespace fnn {

class IncrementalWiring {
 public:
  /// `objective` and `movable` must outlive it.
  IncrementalWiring(const Wiring& wiring, const Objective& objective, const Movable& movable,
                    const Kernel& kernel = fastest_kernel());
  IncrementalWiring(const IncrementalWiring&) = delete;
  IncrementalWiring& operator=(const IncrementalWiring&) = delete;

  Wiring wiring() const;
  const Objective& objective() const { return objective_; }
  const KernelState& kernel_state() const { return state_; }
  /// Wanted pairs that share too few switches, and how many switches they lack.
  int uncovered() const { return state_.lacking_pairs; }
  std::int64_t deficit() const { return state_.deficit; }
  std::int64_t cost() const { return state_.cost; }

  /// Proposes a move of one kind within the limits; false when the random choice allows none.
  bool propose(Operator kind, RngState& rng, Move& move) const { return kernel_.propose(state_, kind, rng, move); }
  Delta evaluate_move(const Move& move) const { return kernel_.evaluate_move(state_, move); }
  void make(const Move& move, const Delta& delta);

  /// Anneals at one temperature. Only movable NICs move.
  void anneal(TemperatureStage& stage, RngState& rng);

 private:
  /// The pair sets of KernelState, each with a row of peers per node, and the total deficit.
  struct PairSets {
    std::vector<Word> lacking, tight, near_tight;
    std::int64_t deficit = 0;
  };

  void fill_arrays(const Wiring& wiring);
  PairSets compute_pair_sets() const;
  void find_pair_sets();
  Word wanted_word(std::size_t node, std::size_t w) const;
  bool is_consistent() const;

  const Limits& limits_;
  const Objective& objective_;
  const Kernel& kernel_;
  KernelState state_{};
  GoalTables goal_tables_{};

  std::vector<std::int32_t> node_of_, media_of_, first_nic_, device_of_, media_group_, first_group_, group_at_;
  std::vector<std::int32_t> ports_, usable_ports_, first_group_nic_;
  std::vector<std::int32_t> group_, device_, place_, group_nic_, used_ports_, load_;
  std::vector<Word> members_, node_switches_;
  PairSets pairs_;
  std::vector<std::int32_t> lacking_count_, problem_nodes_, problem_place_;
  std::vector<std::int64_t> nic_load_;
};

/// A kernel generator, seeded with the next numbers of `random`.
RngState seed_rng(Random& random);

}  // namespace fnn
