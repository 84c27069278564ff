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
//   mutation     several operators (operators.cc), half of the time aimed at a problem spot.
//
// Ours adds one thing, which makes it memetic: between birth and competition a child learns, by a
// short annealing over the same mutation operators (local_search.cc). A move is judged by a few
// word operations, a million times in the time of a hundred full evaluations, so learning pays.
// Children start at different temperatures. The hottest forget most of what they inherited and keep
// the population fresh; the coolest only repair what crossover broke. As long as generations
// bring nothing better the children get more time, because tight designs (projective planes) need
// slow cooling and loose ones need none.
//
// Coverage comes first, and the first wiring that covers every pair ends the search, unless an
// earlier design is to be stayed close to: then a few more generations keep more of its cables.
#include "search/genetic.h"

#include <algorithm>

#include "base/stopping.h"
#include "design/evaluation.h"
#include "search/crossover.h"

namespace fnn {
namespace {

constexpr double kCold = 0.12;

/// Where annealing starts for a cluster of this size, in uncovered pairs.
double hot(const Limits& limits) { return std::max(0.8, 0.02 * limits.node_count()); }

}  // namespace

Genetic::Genetic(const Limits& limits, const Movable& movable, const Objective& objective, std::vector<Wiring> seeds,
                 GeneticSettings settings, std::uint64_t seed)
    : movable_(movable),
      objective_(objective),
      settings_(settings),
      random_(seed),
      effort_(static_cast<double>(settings.first_effort)) {
  for (Wiring& wiring : seeds) population_.push_back(judged(std::move(wiring)));
  while (population_.size() < settings_.population && (population_.empty() || !stop_requested())) {
    // Without seeds a wiring starts from nothing, with them from links that must not be touched.
    Wiring wiring = seeds.empty() ? Wiring(limits) : population_.front().wiring;
    wiring.fill(random_);
    population_.push_back(judged(std::move(wiring)));
  }
}

void Genetic::advance(const std::atomic<bool>& abandoned) {
  const Individual before = best();
  for (std::size_t born = 0; born < settings_.children; ++born) {
    if (abandoned || finished() || stop_requested()) return;
    place(bear_child());
  }
  if (!best().better_than(before)) {
    effort_ = std::min(effort_ * settings_.effort_growth, static_cast<double>(effort_limit()));
  }
  if (best().deficit == 0) ++settled_;
}

Individual Genetic::bear_child() {
  const Individual& mother = pick_parent();
  const Individual& father = pick_parent();
  const Wiring child = cross(mother.wiring, father.wiring, random_);
  const double heat = hot(child.limits()) / static_cast<double>(1U << random_.below(3));
  return judged(anneal(child, objective_, movable_, {heat, kCold, static_cast<std::int64_t>(effort_)}, random_));
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

bool Genetic::finished() const { return best().deficit == 0 && settled_ >= settings_.settling; }

std::int64_t Genetic::effort_limit() const {
  const auto words = static_cast<std::int64_t>(population_.front().wiring.members().words());
  return std::max(settings_.first_effort, settings_.last_effort / words);
}

}  // namespace fnn
