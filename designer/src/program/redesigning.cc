// SPDX-License-Identifier: GPL-3.0-or-later
//
// Stages of a redesign:   kept, when the standing cables already cover every pair;
//                         grown, when new cables beside the standing ones do;
//                         else genetic search, which starts from the standing cables, is rewarded
//                         for each of them it keeps, and finally trades places among nodes and
//                         switches that are alike to keep more.
#include "program/redesigning.h"

#include <algorithm>

namespace fnn {
namespace {

constexpr std::int64_t kGrowingGenerations = 12;
constexpr int kSettlingGenerations = 12;
constexpr double kKeptCable = 0.25;  // in missing shared switches, unless the spec says otherwise

/// Moves nothing that stands; only NICs that were unused may go anywhere.
std::optional<Wiring> grow(SearchRun& run, const Wiring& standing) {
  std::vector<bool> fixed;
  for (std::size_t nic = 0; nic < run.limits().nics.size(); ++nic) {
    fixed.push_back(standing.group(static_cast<int>(nic)) != kDummy);
  }
  Budget budget = run.budget();
  budget.generations = std::min(kGrowingGenerations, budget.generations.value_or(kGrowingGenerations));
  const Outcome outcome =
      run.search(Movable(run.limits(), fixed), Objective(run.demand()), {standing}, GeneticSettings{}, budget);
  if (!outcome.finished) return std::nullopt;
  return outcome.best.wiring;
}

Designed finish(const SearchRun& run, const Links& links, const Cabling& old, const char* stage) {
  Cabling cabling = cabled(links, old, run.limits());
  const int kept = count_kept(cabling, old);
  return {std::move(cabling), kept, stage, run.generations()};
}

}  // namespace

Designed redesign_near(SearchRun& run, const Design& old) {
  const auto& [standing, old_cabling] = keep_standing(old, run.spec(), run.limits());
  if (covers_all(standing, run.demand())) return finish(run, links_of(run.filled(standing)), old_cabling, "kept");
  if (const auto grown = grow(run, standing)) {
    return finish(run, links_of(run.filled(*grown)), old_cabling, "grown");
  }

  const Homes homes(standing);
  GeneticSettings settings;
  settings.settling = kSettlingGenerations;
  settings.settling_effort = settings.first_effort;  // a redesign is not to take long
  Goals goals = goals_of(run.spec());
  if (goals.moved_cables == 0) goals.moved_cables = kKeptCable;
  const Objective objective(run.spec(), run.limits(), goals, &homes);
  const Outcome outcome =
      run.search(Movable(run.limits()), objective, {run.filled(standing)}, settings, run.budget());
  const Links links = links_of(run.filled(outcome.best.wiring));
  return finish(run, matched(links, old_cabling, run.spec()), old_cabling, "genetic");
}

}  // namespace fnn
