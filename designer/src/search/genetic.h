// SPDX-License-Identifier: GPL-3.0-or-later
// The genetic algorithm; described at the head of genetic.cc.
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
  std::int64_t first_effort = 4000;    ///< steps of local search per child, for 256 NICs; grows with their number
  std::int64_t last_effort = 4000000;  ///< the upper limit of the effort
  double effort_growth = 1.5;          ///< per generation without improvement
  double long_effort = 4;              ///< in first efforts; children with more get a long annealing
  std::int64_t goal_generations = 0;   ///< generations spent on the goals once every pair is covered
  std::int64_t goal_effort = 600000;   ///< the fewest steps per child then
  std::chrono::steady_clock::time_point deadline = std::chrono::steady_clock::time_point::max();
};

class Genetic {
 public:
  /// All arguments must outlive the search. `seeds` join the first population unchanged.
  Genetic(const Limits& limits, const Movable& movable, const Objective& objective, std::vector<Wiring> seeds,
          GeneticSettings settings, std::uint64_t seed);

  /// Runs one generation, in full or until `cancelled` becomes true, a stop is requested or time is up.
  void advance(const std::atomic<bool>& cancelled);

  const Individual& best() const;
  /// Whether every pair is covered and the generations for the goals are spent.
  bool finished() const;
  /// Evaluates a wiring by the objective of this search.
  Individual evaluated(Wiring wiring) const;

  /// Saves and restores all state that determines the course of the search. load() returns false and
  /// changes nothing when the state does not fit this search.
  Json save() const;
  bool load(const Json& state);

  /// The migrants for another island: the best wiring and another good one.
  std::vector<Wiring> emigrants();
  /// Accepts a migrant that is better than the best wiring here or differs widely from it.
  void immigrate(const Wiring& wiring);

 private:
  const Individual& pick_parent();
  Individual breed();
  bool is_long() const;
  Individual breed_for_coverage(const Wiring& child, double heat_factor);
  Wiring measure_critical_temperature(const Wiring& child);
  Cooling band_around_critical_temperature();
  Cooling cooling_for_patterns();
  std::int64_t band_steps(double least_effort);
  void replace_worst(Individual child);
  double effort_limit() const;
  /// The first temperature of the run that measures the critical one.
  double hottest() const;
  /// Whether a stop is requested or time is up.
  bool must_stop() const;

  const Movable& movable_;
  const Objective& objective_;
  Objective coverage_;  ///< the objective without its goals
  GeneticSettings settings_;
  Random random_;
  std::vector<Individual> population_;
  double size_;  ///< the factor of all efforts
  double effort_;
  double critical_temperature_ = 0;  ///< 0 until it is measured
  std::int64_t goal_generations_done_ = 0;
};

}  // namespace fnn
