// SPDX-License-Identifier: GPL-3.0-or-later
//
// Stages of a redesign:   kept, when the standing cables already meet the demand;
//                         grown, when the standing cables and new ones do;
//                         else genetic search. It starts from the standing cables, gets a reward for
//                         each cable it keeps, and finally permutes identical nodes and switches to
//                         keep more.
// Growth first tries repair (branch and bound) with a rising number of moves ("moved", repair.cc).
#include "program/redesigning.h"

#include <algorithm>

#include "design/port_choice.h"
#include "design/standing.h"
#include "search/repair.h"

namespace fnn {
namespace {

constexpr std::int64_t kGrowingGenerations = 12;
constexpr int kGoalGenerations = 12;
constexpr double kKeptCable = 0.25;  // in missing shared switches, unless the spec gives a weight
constexpr int kMaxRepairMoves = 8;                // moves, in repair with a rising number of them
constexpr std::int64_t kRepairEffort = 1000000;  // examined choices for each number of moves

class Redesign {
 public:
  Redesign(SearchRun& run, const Design& old, std::optional<double> near_weight)
      : run_(run), standing_(map_standing_cables(old, run.spec(), run.limits())), near_weight_(near_weight) {}

  Designed redesign_near_standing() {
    if (!moving_may_pay()) {
      if (auto easy = keep_or_grow()) return std::move(*easy);
    }
    return search_near();
  }

  Designed grow_with_fewest_moves() {
    if (covers_all(standing_.wiring, run_.demand())) return finish(standing_.wiring, "kept");
    const std::optional<Designed> repaired = repair_with(0);
    if (repaired) return *repaired;
    if (at_least_ == 0) {
      if (const auto grown = add_cables()) return finish(*grown, "grown");
    }
    for (int moves = 1; moves <= kMaxRepairMoves && run_.has_time(); ++moves) {
      if (const auto few = repair_with(moves)) return *few;
    }
    return search_near();
  }

 private:
  /// Whether moving cables can pay although the standing design meets the demand.
  bool moving_may_pay() const { return near_weight_ || goals_of(run_.spec()).any(); }

  std::optional<Designed> keep_or_grow() {
    if (covers_all(standing_.wiring, run_.demand())) return finish(standing_.wiring, "kept");
    if (const auto grown = add_cables()) return finish(*grown, "grown");
    return std::nullopt;
  }

  /// Keeps all standing cables and plugs only NICs that were unused.
  std::optional<Wiring> add_cables() {
    std::vector<bool> fixed;
    for (std::size_t nic = 0; nic < run_.limits().nics.size(); ++nic) {
      fixed.push_back(standing_.wiring.group(static_cast<int>(nic)) != kDummy);
    }
    Budget budget = run_.budget();
    budget.generations = std::min(kGrowingGenerations, budget.generations.value_or(kGrowingGenerations));
    const Outcome outcome =
        run_.search(Movable(run_.limits(), fixed), Objective(run_.demand()), {standing_.wiring}, GeneticSettings{}, budget);
    if (!outcome.finished) return std::nullopt;
    return outcome.best.wiring;
  }

  /// Optimizes the goals; only new cables and cables that move anyway may change.
  Wiring refined(const Wiring& wiring) {
    const Goals goals = goals_of(run_.spec());
    if (!goals.any()) return wiring;
    const Cabling to_keep = standing_.cables_to_keep();
    std::vector<bool> fixed = nics_of(to_keep, run_.limits());
    Wiring kept_wiring(run_.limits());
    plug_cables(kept_wiring, to_keep);
    for (std::size_t nic = 0; nic < fixed.size(); ++nic) {
      const int index = static_cast<int>(nic);
      fixed[nic] = fixed[nic] && wiring.group(index) != kDummy && wiring.group(index) == kept_wiring.group(index);
    }
    GeneticSettings settings;
    settings.goal_generations = kForever;
    const Objective objective(run_.spec(), run_.limits(), goals);
    return run_.search(Movable(run_.limits(), fixed), objective, {run_.filled(wiring)}, settings, run_.budget())
        .best.wiring;
  }

  /// Also raises the proved lower bound on moves, at_least_.
  std::optional<Designed> repair_with(int moves) {
    const RepairResult repaired = repair(run_.limits(), run_.demand(), standing_, moves, kRepairEffort, run_.random());
    if (repaired.wiring) return finish(*repaired.wiring, repaired.moved == 0 ? "grown" : "moved");
    if (repaired.proved && at_least_ == moves) at_least_ = moves + 1;
    return std::nullopt;
  }

  Designed search_near() {
    const FormerLinks former_links(run_.limits(), standing_.cables_to_keep());
    GeneticSettings settings;
    settings.goal_generations = moving_may_pay() ? kForever : kGoalGenerations;
    if (!moving_may_pay()) settings.goal_effort = settings.first_effort;  // a redesign should be quick
    Goals goals = goals_of(run_.spec());
    goals.moved_cables = near_weight_.value_or(goals.moved_cables > 0 ? goals.moved_cables : kKeptCable);
    const Objective objective(run_.spec(), run_.limits(), goals, &former_links);
    const Finish finish_search = [this](const Wiring& wiring) {
      return finish(matched(links_of(run_.filled(wiring)), standing_.cables_to_keep(), run_.spec()), "genetic", false);
    };
    const std::vector<Wiring> seeds{run_.filled(standing_.wiring)};
    const Outcome outcome = run_.search(run_.movable(), objective, seeds, settings, run_.budget(), finish_search);
    return finish(matched(links_of(run_.filled(outcome.best.wiring)), standing_.cables_to_keep(), run_.spec()), "genetic");
  }

  Designed finish(const Wiring& wiring, const char* stage) { return finish(links_of(run_.filled(refined(wiring))), stage); }

  Designed finish(const Links& links, const char* stage, bool is_last = true) {
    Cabling cabling = cabled(links, standing_.cables_to_keep(), run_.limits());
    if (run_.speed_limits() != nullptr) cabling = cables_of(run_.with_speeds(cabling, kept_nics(cabling), is_last));
    const int kept = count_kept(cabling, standing_.cabling);
    const int moved = count_cables(standing_.cabling) - kept;
    return {std::move(cabling), Moves{kept, moved, at_least_}, stage, run_.generations(), {}, {}};
  }

  /// The NICs with a pinned cable or one that stays where it was.
  std::vector<bool> kept_nics(const Cabling& cabling) const {
    const Cabling to_keep = standing_.cables_to_keep();
    Cabling kept(cabling.size());
    for (std::size_t node = 0; node < cabling.size(); ++node) {
      for (const Cable& cable : cabling[node]) {
        const std::vector<Cable>& former = to_keep[node];
        if (std::find(former.begin(), former.end(), cable) != former.end()) kept[node].push_back(cable);
      }
    }
    return nics_of(kept, run_.limits());
  }

  SearchRun& run_;
  Standing standing_;
  std::optional<double> near_weight_;
  int at_least_ = 0;
};

}  // namespace

Designed redesign_near(SearchRun& run, const Design& old, std::optional<double> weight) {
  return Redesign(run, old, weight).redesign_near_standing();
}

Designed grow(SearchRun& run, const Design& old) { return Redesign(run, old, std::nullopt).grow_with_fewest_moves(); }

}  // namespace fnn
