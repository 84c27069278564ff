// SPDX-License-Identifier: GPL-3.0-or-later
// Islands: several independent populations side by side, with one result whatever the threads.
//
// The number of islands and their seeds are fixed; threads only share out the work. All islands
// take one generation per round. The round in which the first of them finishes is the last, and of
// those that finish in it the lowest numbered wins, so that who was quicker decides nothing. Time is
// looked at between rounds only: it decides whether there is another round, never who wins one.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>

#include "search/genetic.h"

namespace fnn {

inline constexpr std::size_t kIslands = 4;

struct Budget {
  std::chrono::steady_clock::time_point deadline;
  std::optional<std::int64_t> generations;  ///< at most so many
  std::size_t threads = 1;
};

/// Called after every round with the generations so far and the fewest uncovered pairs.
using Report = std::function<void(std::int64_t generations, int uncovered)>;

struct Outcome {
  Individual best;
  bool finished;
  std::int64_t generations;
};

Outcome search_islands(const Limits& limits, const Movable& movable, const Objective& objective,
                       const std::vector<Wiring>& seeds, const GeneticSettings& settings, std::uint64_t seed,
                       const Budget& budget, const Report& report);

}  // namespace fnn
