// SPDX-License-Identifier: GPL-3.0-or-later
// The genetic algorithm; the essay is at the head of genetic.cc.
#pragma once

#include <atomic>
#include <chrono>
#include <limits>
#include <vector>

#include "base/json_text.h"
#include "base/random.h"
#include "design/wiring.h"
#include "search/local_search.h"

namespace fnn {

/// A wiring and how good it is.
struct Individual {
  Wiring wiring;
  int uncovered;         ///< wanted pairs that share too few switches
  std::int64_t deficit;  ///< how many switches they lack
  std::int64_t cost;     ///< of the goals

  bool better_than(const Individual& other) const {
    return deficit != other.deficit ? deficit < other.deficit : cost < other.cost;
  }
};

inline constexpr std::int64_t kForever = std::numeric_limits<std::int64_t>::max();

struct GeneticSettings {
  std::size_t population = 12;
  std::size_t children = 4;            ///< per generation
  std::int64_t first_effort = 4000;    ///< steps of local search per child, for 256 NICs; more for more
  std::int64_t last_effort = 4000000;  ///< the same, when nothing has helped for long
  double effort_growth = 1.3;          ///< per generation that brought nothing better
  std::int64_t settling = 0;           ///< generations spent on the goals once every pair is covered
  std::int64_t settling_effort = 600000; ///< at least so many steps per child then
  std::chrono::steady_clock::time_point deadline = std::chrono::steady_clock::time_point::max();
};

class Genetic {
 public:
  /// Everything given must outlive the search. `seeds` join the first population as they are.
  Genetic(const Limits& limits, const Movable& movable, const Objective& objective, std::vector<Wiring> seeds,
          GeneticSettings settings, std::uint64_t seed);

  /// One generation, in full or until `abandoned` becomes true, the run is asked to stop or time is up.
  void advance(const std::atomic<bool>& abandoned);

  const Individual& best() const;
  /// Whether it found what it was to find.
  bool finished() const;
  /// How good a wiring is to this search.
  Individual judged(Wiring wiring) const;

  /// Everything that decides how the search goes on, and the way back. load() gives false, and has
  /// changed nothing, when the state is not that of a search like this one.
  Json save() const;
  bool load(const Json& state);

  /// Two wirings for another island: the best and some other good one.
  std::vector<Wiring> emigrants();
  /// Takes one in that is better than the best here or differs widely from it.
  void immigrate(const Wiring& wiring);

 private:
  const Individual& pick_parent();
  Individual bear_child();
  void place(Individual child);
  double effort_limit() const;
  /// Whether whatever is going on must come to its end.
  bool is_over() const;

  const Movable& movable_;
  const Objective& objective_;
  Objective coverage_;  ///< the objective without its goals
  GeneticSettings settings_;
  Random random_;
  std::vector<Individual> population_;
  double size_;  ///< what efforts are multiplied with
  double effort_;
  std::int64_t settled_ = 0;
};

}  // namespace fnn
