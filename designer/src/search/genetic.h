// SPDX-License-Identifier: GPL-3.0-or-later
// The genetic algorithm; the essay is at the head of genetic.cc.
#pragma once

#include <atomic>
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
  std::size_t children = 4;        ///< per generation
  std::int64_t first_effort = 4000;  ///< steps of local search per child, in the first generation
  std::int64_t last_effort = 400000;  ///< for 64 nodes; less for more, so that a generation stays short
  double effort_growth = 1.3;        ///< per generation that brought nothing better
  std::int64_t settling = 0;  ///< generations spent on the goals once every pair is covered
};

class Genetic {
 public:
  /// Everything given must outlive the search. `seeds` join the first population as they are.
  Genetic(const Limits& limits, const Movable& movable, const Objective& objective, std::vector<Wiring> seeds,
          GeneticSettings settings, std::uint64_t seed);

  /// One generation, in full or until `abandoned` becomes true or the run is asked to stop.
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
  std::int64_t effort_limit() const;

  const Movable& movable_;
  const Objective& objective_;
  GeneticSettings settings_;
  Random random_;
  std::vector<Individual> population_;
  double effort_;
  std::int64_t settled_ = 0;
};

}  // namespace fnn
