// SPDX-License-Identifier: GPL-3.0-or-later
// Islands: several populations side by side, with one result whatever the threads.
//
// The number of islands and their seeds are part of the request; threads only share out the work. All islands
// take one generation per round. The round in which the first of them finishes is the last, and of
// those that finish in it the lowest numbered wins, so that who was quicker decides nothing. Time is
// looked at between rounds only: it decides whether there is another round, never who wins one.
//
// Every so many rounds each island sends its best wiring and another good one to the next, which
// takes them in when they are better than its own best or differ widely from it (genetic_state.cc).
// With several processes (fleet.h) the ring goes through the islands of all of them.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>

#include "search/fleet.h"
#include "search/genetic.h"
#include "search/keeper.h"

namespace fnn {

inline constexpr std::size_t kIslands = 4;  ///< unless the user wants more, for more processors

struct Budget {
  std::chrono::steady_clock::time_point deadline;
  std::optional<std::int64_t> generations;  ///< at most so many
  std::size_t threads = 1;
  std::size_t islands = kIslands;
  Keeper* keeper = nullptr;  ///< keeps the state between rounds, if there is one
  Fleet* fleet = nullptr;    ///< the processes that search together, if there are several
};

/// Called after every round with the generations so far and the best of all.
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
