// SPDX-License-Identifier: GPL-3.0-or-later
//
// The genetic algorithm
// ---------------------
// A flat neighborhood network asks for one thing: any two nodes share a switch. Six nodes with two
// NICs each and three switches of four ports can have it,
//
//     A, B on red and blue     C, D on red and green     E, F on blue and green
//
// and hardly any other way of plugging twelve cables does. Dietz and Mattox ("KLAT2's Flat
// Neighborhood Network", 2000, section 2) search such wirings with a genetic algorithm, and so do we.
// What they describe, and where it is here:
//
//   population   wirings that keep within the NICs and ports there are. They always do, because
//                nothing else can be expressed: class Wiring refuses (wiring.cc).
//   dummies      unused NICs sit on a dummy port and unused ports hold a dummy node, so that
//                uneven use needs no special case (kDummy; Relocate; the padding in crossover.cc).
//   evaluation   counts the pairs that share no switch and marks them as problem spots
//                (evaluation.cc; kept up to date move by move in neighborhoods.cc).
//   crossover    exchanges closed sets of connections between two parents (crossover.cc).
//   mutation     several operators (kernel/proposing.h), half of the time aimed at a problem spot.
//
// Ours adds one thing, which makes it memetic: between birth and competition a child learns, by a
// short annealing over the same mutation operators (local_search.cc). A move is judged by a few
// word operations, a million times in the time of a hundred full evaluations, so learning pays.
// Children start at different temperatures. The hottest forget most of what they inherited and keep
// the population fresh; the coolest only repair what crossover broke. As long as generations
// bring nothing better the children get more time, because tight designs (projective planes) need
// slow cooling and loose ones need none.
//
// There are two phases. In the first the children look for coverage, all of them or, where there are
// goals (objective.cc), every other one. The first wiring that gives every wanted pair its switches ends
// it, and without goals it ends the search. In the second phase all children learn by the goals, with
// coverage as a debt that may be run up while it is hot and must be paid back before the end; a child
// that still owes something loses against any that does not. The paper's algorithm
// without any of this, by way of a smaller problem, is in classic.cc, for comparison.
#include "search/genetic.h"

#include <algorithm>

#include "base/stopping.h"
#include "design/evaluation.h"
#include "search/crossover.h"

namespace fnn {
namespace {

/// Where annealing for coverage starts in a cluster of this size, and where it ends: in missing switches.
double hot(const Limits& limits) { return std::max(0.8, 0.02 * limits.node_count()); }
constexpr double kCold = 0.12;

/// How much more there is to learn than with 256 NICs: every pair of NICs is a move.
double size_of(const Limits& limits) {
  const double nics = static_cast<double>(limits.nics.size()) / 256.0;
  return std::max(1.0, nics * nics);
}

// The same for the goals, in weights of the heaviest; and what a missing switch costs meanwhile: little
// enough to be borrowed while it is hot, too much to be left over when it is cold.
constexpr double kWarm = 0.3;
constexpr double kLack = 1.5;

/// Where annealing for the goals ends: cold enough for the lightest of them to be heard, unless it hardly counts.
double cool(const Objective& objective) {
  return std::clamp(objective.finest() / 6.0, 0.02 * objective.scale(), 0.06 * objective.scale());
}

}  // namespace

Genetic::Genetic(const Limits& limits, const Movable& movable, const Objective& objective, std::vector<Wiring> seeds,
                 GeneticSettings settings, std::uint64_t seed)
    : movable_(movable),
      objective_(objective),
      coverage_(objective.demand()),
      settings_(settings),
      random_(seed),
      size_(size_of(limits)),
      effort_(static_cast<double>(settings.first_effort) * size_) {
  for (Wiring& wiring : seeds) population_.push_back(judged(std::move(wiring)));
  while (population_.size() < settings_.population && (population_.empty() || !is_over())) {
    // Without seeds a wiring starts from nothing, with them from links that must not be touched.
    Wiring wiring = seeds.empty() ? Wiring(limits) : population_.front().wiring;
    wiring.fill(random_);
    population_.push_back(judged(std::move(wiring)));
  }
}

void Genetic::advance(const std::atomic<bool>& abandoned) {
  const Individual before = best();
  for (std::size_t born = 0; born < settings_.children; ++born) {
    if (abandoned || finished() || is_over()) return;
    place(bear_child());
  }
  if (!best().better_than(before)) {
    effort_ = std::min(effort_ * settings_.effort_growth, effort_limit());
  }
  if (best().deficit == 0) ++settled_;
}

Individual Genetic::bear_child() {
  const Individual& mother = pick_parent();
  const Individual& father = pick_parent();
  const Wiring child = cross(mother.wiring, father.wiring, random_);
  const double share_of_heat = 1.0 / static_cast<double>(1U << random_.below(3));
  // As long as coverage is to be found, every other child looks for nothing else.
  const bool for_goals = objective_.has_aims() && (best().deficit == 0 || random_.one_in(2));
  const auto effort = static_cast<std::int64_t>(effort_);
  const auto over = [&] { return is_over(); };
  if (!for_goals) {
    const Cooling cooling{hot(child.limits()) * share_of_heat, kCold, effort};
    return judged(anneal(child, coverage_, movable_, cooling, random_, over));
  }
  const double scale = objective_.scale();
  const std::int64_t steps = best().deficit == 0 ? std::max(effort, settings_.settling_effort) : effort;
  const Cooling cooling{kWarm * scale * share_of_heat, cool(objective_), steps, kLack * scale};
  return judged(anneal(child, objective_, movable_, cooling, random_, over));
}

/// A child takes the place of the worst, unless it is worse still or there already.
void Genetic::place(Individual child) {
  const auto same = [&](const Individual& other) { return other.wiring == child.wiring; };
  if (std::any_of(population_.begin(), population_.end(), same)) return;
  const auto worst = std::min_element(population_.begin(), population_.end(),
                                      [](const auto& a, const auto& b) { return b.better_than(a); });
  if (!worst->better_than(child)) *worst = std::move(child);
}

/// The better of two, by chance.
const Individual& Genetic::pick_parent() {
  const Individual& one = population_[random_.below(population_.size())];
  const Individual& other = population_[random_.below(population_.size())];
  return other.better_than(one) ? other : one;
}

Individual Genetic::judged(Wiring wiring) const {
  const Evaluation found = evaluate(wiring, objective_.demand());
  const std::int64_t cost = objective_.cost(wiring);
  return {std::move(wiring), static_cast<int>(found.uncovered.size()), found.deficit, cost};
}

const Individual& Genetic::best() const {
  return *std::min_element(population_.begin(), population_.end(),
                           [](const auto& a, const auto& b) { return a.better_than(b); });
}

bool Genetic::is_over() const {
  return stop_requested() || std::chrono::steady_clock::now() >= settings_.deadline;
}

bool Genetic::finished() const { return best().deficit == 0 && settled_ >= settings_.settling; }

double Genetic::effort_limit() const {
  return static_cast<double>(std::max(settings_.first_effort, settings_.last_effort)) * size_;
}

}  // namespace fnn
