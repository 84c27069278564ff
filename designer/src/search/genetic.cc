// SPDX-License-Identifier: GPL-3.0-or-later
//
// The genetic algorithm
// ---------------------
// A flat neighborhood network has one requirement: any two nodes share a switch. Six nodes with two
// NICs each and three switches of four ports can meet it,
//
//     A, B on red and blue     C, D on red and green     E, F on blue and green
//
// and hardly any other way of plugging twelve cables does. Dietz and Mattox ("KLAT2's Flat
// Neighborhood Network", 2000, section 2) search for such wirings with a genetic algorithm. This code
// follows them. Its parts, and where they are:
//
//   population   wirings within the limits of NICs and ports. Class Wiring rejects all others
//                (wiring.cc).
//   dummies      unused NICs sit on a dummy port and unused ports hold a dummy node, so that
//                uneven use needs no special case (kDummy; Relocate; the padding in crossover.cc).
//   evaluation   counts the pairs that share no switch and marks them as problem spots
//                (evaluation.cc; kept up to date move by move in incremental_wiring.cc).
//   crossover    exchanges closed sets of connections between two parents (crossover.cc).
//   mutation     several operators (kernel/mutation_operators.h), half of the time aimed at a problem spot.
//
// One extension makes it a memetic algorithm: before a child competes, a short simulated annealing over
// the same mutation operators improves it (local_search.cc). This pays because a move is evaluated by a
// few word operations: a million moves take the time of a hundred full evaluations. Children start
// at different temperatures. The hottest lose most of their inheritance and keep the population
// diverse; the coolest only repair what crossover broke. While generations bring no improvement the
// children get more steps, because tight designs (projective planes) need slow cooling and loose
// ones need none.
//
// Long searches measure where to cool. A disordered wiring becomes a design in a narrow band of temperatures, like a
// crystal that forms: the uncovered pairs of 59 nodes with 6 NICs on 28 switches of 13 ports fall from 240 to 90
// between 0.7 and 0.55, and below 0.4 nothing changes any more. Once the children get long, a first run measures the
// temperature of the steepest fall (the critical temperature, near the peak of the heat capacity; Kirkpatrick, Gelatt,
// Vecchi, "Optimization by Simulated Annealing", 1983). From then on every second child cools through a band around
// it. Those that start above it lose all inheritance and are restarts. They end well above the last temperature of
// other children, because structure that is frozen repairs nothing. How long a run pays differs between instances, so
// the lengths are drawn (compare Luby, Sinclair, Zuckerman 1993): 66 nodes with 5 NICs on 20 switches of 17 ports
// succeed in 1 of 186 runs of 800,000 steps, but in 19 of 62 runs of 3,200,000. The bands are drawn for the same
// reason. Runs of 6,400,000 steps from 1.1 to 0.6 times the critical temperature and from 0.95 to 0.8 times succeed
//
//                                              1.1 to 0.6   0.95 to 0.8
//     87 nodes, 6 NICs, 26 switches x 20 ports    3 of 16       7 of 16
//     59 nodes, 6 NICs, 28 switches x 13 ports    6 of 16       7 of 16
//     66 nodes, 5 NICs, 20 switches x 17 ports   10 of 16       8 of 16
//
// and 76 nodes with 6 NICs on 28 switches of 17 ports in 0 of 20 and 9 of 30. Each instance has its own band: 58 nodes
// with 5 NICs on 18 switches of 16 ports succeed in 26 of 37 runs from 0.7 to 0.5 and in none of 29 above 0.8; 80 nodes
// with 6 NICs on 29 switches of 17 ports in 7 of 17 from 1.1 to 0.9 and in none of 32 below 0.85.
//
// Designs for patterns freeze gradually: most pairs are covered at high temperatures, and the last of them between 0.8
// and 0.3 missing switches, whatever the number of nodes. Every second long child cools through these temperatures.
//
// There are two phases. In the first the children are annealed for coverage: all of them or, where
// there are goals (objective.cc), every other one. The first wiring that covers every wanted pair ends
// this phase, and without goals the search. In the second phase all children are annealed for the goals,
// with a penalty for missing coverage. The penalty allows uncovered pairs at high temperatures only; a
// child that still has some loses against any child without. The paper's algorithm without these
// extensions, which starts from a smaller problem, is in classic.cc, for comparison.
#include "search/genetic.h"

#include <algorithm>
#include <array>

#include "base/stopping.h"
#include "design/evaluation.h"
#include "search/crossover.h"

namespace fnn {
namespace {

/// First and last temperature of annealing for coverage in a cluster of this size, in missing switches.
double first_temperature(const Limits& limits) { return std::max(0.8, 0.02 * limits.node_count()); }
constexpr double kLastTemperature = 0.12;
constexpr double kLongLastTemperature = 0.25;  // of a long annealing

/// Temperatures around the critical one, in units of it.
struct Band {
  double start;
  double end;
};
constexpr std::array<Band, 4> kBands{{{1.1, 0.6}, {1.1, 0.9}, {0.95, 0.8}, {0.7, 0.5}}};
constexpr std::array<std::int64_t, 4> kBandLengths{4, 8, 16, 32};  // in efforts
constexpr std::size_t kChildrenPerBand = 2;  // one of so many long children cools through a band
constexpr double kLeastBandEffort = 4e5;  // for 256 NICs, fewer for smaller clusters
// For patterns, the temperatures at which their last pairs are covered, in missing switches.
constexpr Band kPatternBand{0.8, 0.25};
constexpr double kLeastPatternEffort = 1e5;

// The run that measures the critical temperature. Short ones are off by a third.
constexpr double kMeasuringHeat = 1.5;  // first temperature, in first temperatures of a child
constexpr double kMeasuringEfforts = 32;
constexpr double kLeastMeasuringSteps = 2e6;
constexpr double kMostMeasuringSteps = 4e6;  // unless the effort of a child is more

/// The number of moves relative to 256 NICs: every pair of NICs is a move.
double relative_moves(const Limits& limits) {
  const double nics = static_cast<double>(limits.nics.size()) / 256.0;
  return nics * nics;
}

// First temperature of annealing for the goals, and the penalty of a missing switch, both in weights of
// the heaviest goal. The penalty is affordable at high temperatures and prohibitive at low ones.
constexpr double kFirstGoalTemperature = 0.3;
constexpr double kMissingPenalty = 1.5;

/// Last temperature of annealing for the goals: low enough for the lightest goal, unless its weight is negligible.
double last_goal_temperature(const Objective& objective) {
  return std::clamp(objective.lightest_goal() / 6.0, 0.02 * objective.scale(), 0.06 * objective.scale());
}

}  // namespace

Genetic::Genetic(const Limits& limits, const Movable& movable, const Objective& objective, std::vector<Wiring> seeds,
                 GeneticSettings settings, std::uint64_t seed)
    : movable_(movable),
      objective_(objective),
      coverage_(objective.without_goals()),
      settings_(settings),
      random_(seed),
      size_(std::max(1.0, relative_moves(limits))),
      effort_(static_cast<double>(settings.first_effort) * size_) {
  for (Wiring& wiring : seeds) population_.push_back(evaluated(std::move(wiring)));
  while (population_.size() < settings_.population && (population_.empty() || !must_stop())) {
    // Without seeds a wiring starts empty, with seeds from links that must not be changed.
    Wiring wiring = seeds.empty() ? Wiring(limits) : population_.front().wiring;
    wiring.fill(random_);
    population_.push_back(evaluated(std::move(wiring)));
  }
}

void Genetic::advance(const std::atomic<bool>& cancelled) {
  const Individual before = best();
  for (std::size_t born = 0; born < settings_.children; ++born) {
    if (cancelled || finished() || must_stop()) return;
    replace_worst(breed());
  }
  if (!best().better_than(before)) {
    effort_ = std::min(effort_ * settings_.effort_growth, effort_limit());
  }
  if (best().deficit == 0) ++goal_generations_done_;
}

Individual Genetic::breed() {
  const Individual& mother = pick_parent();
  const Individual& father = pick_parent();
  const Wiring child = cross(mother.wiring, father.wiring, random_);
  const double heat_factor = 1.0 / static_cast<double>(1U << random_.below(3));
  // Until coverage is found, every other child ignores the goals.
  const bool for_goals = objective_.has_goals() && (best().deficit == 0 || random_.one_in(2));
  if (!for_goals) return breed_for_coverage(child, heat_factor);
  const auto effort = static_cast<std::int64_t>(effort_);
  const auto stop = [&] { return must_stop(); };
  const double scale = objective_.scale();
  const std::int64_t steps = best().deficit == 0 ? std::max(effort, settings_.goal_effort) : effort;
  const Cooling cooling{kFirstGoalTemperature * objective_.heat() * scale * heat_factor, last_goal_temperature(objective_), steps,
                        kMissingPenalty * scale};
  return evaluated(anneal(child, objective_, movable_, cooling, random_, stop));
}

Individual Genetic::breed_for_coverage(const Wiring& child, double heat_factor) {
  const bool patterns = !coverage_.demand().is_universal();
  if (is_long() && !patterns && critical_temperature_ == 0) return evaluated(measure_critical_temperature(child));
  const bool in_band = critical_temperature_ > 0 || (patterns && is_long());
  const Cooling cooling = in_band && random_.one_in(kChildrenPerBand)
                              ? (patterns ? cooling_for_patterns() : band_around_critical_temperature())
                              : Cooling{first_temperature(child.limits()) * heat_factor,
                                        is_long() ? kLongLastTemperature : kLastTemperature,
                                        static_cast<std::int64_t>(effort_)};
  return evaluated(anneal(child, coverage_, movable_, cooling, random_, [&] { return must_stop(); }));
}

Wiring Genetic::measure_critical_temperature(const Wiring& child) {
  const double steps =
      std::max(effort_, std::clamp(kMeasuringEfforts * effort_, kLeastMeasuringSteps, kMostMeasuringSteps));
  const Cooling cooling{hottest(), kLongLastTemperature, static_cast<std::int64_t>(steps)};
  CriticalPoint point =
      find_critical_point(child, coverage_, movable_, cooling, random_, [&] { return must_stop(); });
  critical_temperature_ = point.temperature;
  return std::move(point.wiring);
}

Cooling Genetic::band_around_critical_temperature() {
  const Band& band = kBands[random_.below(kBands.size())];
  return {critical_temperature_ * band.start, critical_temperature_ * band.end, band_steps(kLeastBandEffort)};
}

Cooling Genetic::cooling_for_patterns() {
  return {kPatternBand.start, kPatternBand.end, band_steps(kLeastPatternEffort)};
}

/// A random length of a run through a band. `least_effort` is that of clusters with 256 NICs and more.
std::int64_t Genetic::band_steps(double least_effort) {
  const double least = least_effort * std::min(1.0, relative_moves(best().wiring.limits()));
  const std::int64_t length = kBandLengths[random_.below(kBandLengths.size())];
  return length * static_cast<std::int64_t>(std::max(effort_, least));
}

/// Whether the search has gone on for so long that its children are worth a long annealing.
bool Genetic::is_long() const {
  return effort_ > settings_.long_effort * static_cast<double>(settings_.first_effort) * size_;
}

/// Replaces the worst individual by the child, unless the child is worse or a duplicate.
void Genetic::replace_worst(Individual child) {
  const auto same = [&](const Individual& other) { return other.wiring == child.wiring; };
  if (std::any_of(population_.begin(), population_.end(), same)) return;
  const auto worst = std::min_element(population_.begin(), population_.end(),
                                      [](const auto& a, const auto& b) { return b.better_than(a); });
  if (!worst->better_than(child)) *worst = std::move(child);
}

/// Binary tournament selection.
const Individual& Genetic::pick_parent() {
  const Individual& one = population_[random_.below(population_.size())];
  const Individual& other = population_[random_.below(population_.size())];
  return other.better_than(one) ? other : one;
}

Individual Genetic::evaluated(Wiring wiring) const {
  const Evaluation found = evaluate(wiring, objective_.demand());
  const std::int64_t cost = objective_.cost(wiring);
  const std::int64_t deficit = found.deficit + objective_.shortage(wiring);
  return {std::move(wiring), static_cast<int>(found.uncovered.size()), deficit, cost};
}

const Individual& Genetic::best() const {
  return *std::min_element(population_.begin(), population_.end(),
                           [](const auto& a, const auto& b) { return a.better_than(b); });
}

bool Genetic::must_stop() const {
  return stop_requested(settings_.deadline);
}

bool Genetic::finished() const { return best().deficit == 0 && goal_generations_done_ >= settings_.goal_generations; }

double Genetic::hottest() const { return kMeasuringHeat * first_temperature(best().wiring.limits()); }

double Genetic::effort_limit() const {
  return static_cast<double>(std::max(settings_.first_effort, settings_.last_effort)) * size_;
}

}  // namespace fnn
