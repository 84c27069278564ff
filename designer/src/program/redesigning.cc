// SPDX-License-Identifier: GPL-3.0-or-later
//
// Stages of a redesign:   kept, when the standing cables already meet the demand;
//                         grown, when new cables beside the standing ones do;
//                         else genetic search. It starts from the standing cables, gets a reward for
//                         each cable it keeps, and finally permutes identical nodes and switches to
//                         keep more.
// Growth first tries repair (branch and bound) with a rising number of moves ("moved", mending.cc).
#include "program/redesigning.h"

#include <algorithm>

#include "design/standing.h"
#include "search/mending.h"

namespace fnn {
namespace {

constexpr std::int64_t kGrowingGenerations = 12;
constexpr int kSettlingGenerations = 12;
constexpr double kKeptCable = 0.25;  // in missing shared switches, unless the spec says otherwise
constexpr int kMostMends = 8;                // moves, in repair with a rising number of them
constexpr std::int64_t kMendEffort = 1000000;  // examined choices for each number of moves

class Redesign {
 public:
  Redesign(SearchRun& run, const Design& old, std::optional<double> near_weight)
      : run_(run), standing_(keep_standing(old, run.spec(), run.limits())), near_weight_(near_weight) {}

  Designed stay_near() {
    if (!weighs()) {
      if (auto easy = keep_or_grow()) return std::move(*easy);
    }
    return search_near();
  }

  Designed move_fewest() {
    if (covers_all(standing_.wiring, run_.demand())) return finish(standing_.wiring, "kept");
    const std::optional<Designed> mended = mend_with(0);
    if (mended) return *mended;
    if (at_least_ == 0) {
      if (const auto grown = add_cables()) return finish(*grown, "grown");
    }
    for (int moves = 1; moves <= kMostMends && run_.has_time(); ++moves) {
      if (const auto few = mend_with(moves)) return *few;
    }
    return search_near();
  }

 private:
  /// Whether moving cables can pay although the standing design meets the demand.
  bool weighs() const { return near_weight_ || goals_of(run_.spec()).any(); }

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
    const Cabling homes = standing_.homes();
    std::vector<bool> fixed = nics_of(homes, run_.limits());
    Wiring at_home(run_.limits());
    plug_cables(at_home, homes);
    for (std::size_t nic = 0; nic < fixed.size(); ++nic) {
      const int index = static_cast<int>(nic);
      fixed[nic] = fixed[nic] && wiring.group(index) != kDummy && wiring.group(index) == at_home.group(index);
    }
    GeneticSettings settings;
    settings.settling = kForever;
    const Objective objective(run_.spec(), run_.limits(), goals);
    return run_.search(Movable(run_.limits(), fixed), objective, {run_.filled(wiring)}, settings, run_.budget())
        .best.wiring;
  }

  /// Also raises the proved lower bound on moves, at_least_.
  std::optional<Designed> mend_with(int moves) {
    const Mended mended = mend(run_.limits(), run_.demand(), standing_, moves, kMendEffort, run_.random());
    if (mended.wiring) return finish(*mended.wiring, mended.moved == 0 ? "grown" : "moved");
    if (mended.sure && at_least_ == moves) at_least_ = moves + 1;
    return std::nullopt;
  }

  Designed search_near() {
    const Homes homes(run_.limits(), standing_.homes());
    GeneticSettings settings;
    settings.settling = weighs() ? kForever : kSettlingGenerations;
    if (!weighs()) settings.settling_effort = settings.first_effort;  // a redesign should be quick
    Goals goals = goals_of(run_.spec());
    goals.moved_cables = near_weight_.value_or(goals.moved_cables > 0 ? goals.moved_cables : kKeptCable);
    const Objective objective(run_.spec(), run_.limits(), goals, &homes);
    const Outcome outcome =
        run_.search(run_.movable(), objective, {run_.filled(standing_.wiring)}, settings, run_.budget());
    const Links links = links_of(run_.filled(outcome.best.wiring));
    return finish(matched(links, standing_.homes(), run_.spec()), "genetic");
  }

  Designed finish(const Wiring& wiring, const char* stage) { return finish(links_of(run_.filled(refined(wiring))), stage); }

  Designed finish(const Links& links, const char* stage) const {
    Cabling cabling = cabled(links, standing_.homes(), run_.limits());
    const int kept = count_kept(cabling, standing_.cabling);
    const int moved = count_cables(standing_.cabling) - kept;
    return {std::move(cabling), Moves{kept, moved, at_least_}, stage, run_.generations(), {}, {}};
  }

  SearchRun& run_;
  Standing standing_;
  std::optional<double> near_weight_;
  int at_least_ = 0;
};

}  // namespace

Designed redesign_near(SearchRun& run, const Design& old, std::optional<double> weight) {
  return Redesign(run, old, weight).stay_near();
}

Designed grow(SearchRun& run, const Design& old) { return Redesign(run, old, std::nullopt).move_fewest(); }

}  // namespace fnn
