// SPDX-License-Identifier: GPL-3.0-or-later
// The island model: several populations in parallel, with a result that does not depend on the threads.
//
// The number of islands and their seeds are part of the request; threads only share the work. All islands
// run one generation per round. The first round in which an island finishes is the last. If several
// finish in it, the lowest numbered wins, so that speed decides nothing. The clock decides only when the
// search ends, never which of several finished islands wins.
//
// Every few rounds each island sends two migrants, its best wiring and another good one, to the next
// island of a ring. That island accepts a migrant that is better than its own best or differs widely
// from it (genetic_state.cc). With several processes (process_group.h) the ring spans the islands of all.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>

#include "search/checkpoint_sink.h"
#include "search/genetic.h"
#include "search/process_group.h"

namespace fnn {

inline constexpr std::size_t kIslands = 4;  ///< the default; more islands can use more processors

struct Budget {
  std::chrono::steady_clock::time_point deadline;
  std::optional<std::int64_t> generations;  ///< the limit
  std::size_t threads = 1;
  std::size_t islands = kIslands;
  CheckpointSink* checkpoint = nullptr;  ///< the checkpoint sink that saves the state between rounds, if any
  ProcessGroup* processes = nullptr;     ///< the process group, if there are several processes
};

/// Called after every round with the generations so far and the best individual of all islands.
using Report = std::function<void(std::int64_t generations, const Individual& best)>;

struct Outcome {
  Individual best;
  bool finished;
  std::int64_t generations;
};

Outcome search_islands(const Limits& limits, const Movable& movable, const Objective& objective,
                       const std::vector<Wiring>& seeds, const GeneticSettings& settings, std::uint64_t seed,
                       const Budget& budget, const Report& report);

}  // namespace fnn
