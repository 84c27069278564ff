// SPDX-License-Identifier: GPL-3.0-or-later
//
// Stages of a fresh design
//
//   rails      A switch that holds all nodes is the best flat neighborhood network.
//   algebra    Known families of sets, blown up to the nodes and widths of the spec.
//   types      With up to 32 switches, a short run of the exact search: it often finds a proof or a design
//              within milliseconds. A proof ends the run.
//   scout      A few generations of genetic search, when there is a design in hand or a long proof
//              ahead. Where there is slack it finds a design that spreads its links evenly. This is
//              better than the design in hand, which places only the links for coverage on purpose and
//              the rest at random.
//   types      When the short run was inconclusive and no other stage succeeded: with up to 16 switches, the exact
//              search for a quarter of the time. With more, a genetic search of the same time decides more.
//   genetic    Genetic search for the remaining time. Without goals it ends when every pair is covered;
//              with goals it then optimizes them. It starts from the design in hand only when the scout
//              found none, because a tight design is a local optimum that is hard to leave.
//
// The stages of a redesign are in redesigning.cc.
#include "program/designing.h"

#include <algorithm>
#include <cmath>

#include "base/problem.h"
#include "design/port_choice.h"
#include "oracle/constructions.h"
#include "oracle/rails.h"
#include "program/redesigning.h"
#include "program/speed_upgrades.h"

namespace fnn {
namespace {

// The effort of search_types is not a time, so that the result is the same on every machine.
constexpr double kEffortPerSecond = 1e9;
constexpr double kProofShare = 0.25;
constexpr int kMostLongProof = 16;          // switches
constexpr double kLongestProof = 60.0;
constexpr std::int64_t kScoutGenerations = 2;
constexpr int kMostScouted = 256;  // nodes; beyond, a generation takes longer than an improvement on algebra is worth

class FreshDesign {
 public:
  FreshDesign(SearchRun& run, const DesignRequest& request)
      : run_(run),
        request_(request),
        goals_(goals_of(run.spec())),
        problem_(type_problem(run.limits(), run.demand())) {}

  Designed design() {
    if (request_.method == Method::kClassic) return search_classic();
    if (request_.method == Method::kRandomStart) return search(run_.seeds());
    if (request_.method == Method::kExact) return decide();
    const auto rails = lay_rails(run_.pinned(), run_.random());
    const bool on_rails = rails && covers_all(*rails, run_.demand());
    run_.note("rails", on_rails ? "found: the best flat neighborhood of all" : "no switch holds every node");
    if (on_rails) return finish(*rails, "rails");

    if (run_.demand().is_universal() && !run_.has_pins()) try_constructions();
    if (!candidate_ && problem_ && search_over_types(kShortTypeEffort)) return infeasible_design();
    if (!candidate_ && !is_worth_long_proof()) return search(run_.seeds());

    if (candidate_ && run_.limits().node_count() > kMostScouted) {
      return goals_.any() ? search({*candidate_}) : finish(*candidate_, candidate_stage_);
    }
    const Outcome scouted = scout();
    if (scouted.best.deficit == 0) return goals_.any() ? search(run_.seeds()) : finish(scouted.best.wiring, "genetic");
    if (request_.generations && !candidate_ && run_.generations() >= *request_.generations) {
      return finish(scouted.best.wiring, "genetic");
    }
    if (!candidate_ && search_over_types(effort_of(kProofShare))) return infeasible_design();
    if (!candidate_) return search(run_.seeds());
    return goals_.any() ? search({*candidate_}) : finish(*candidate_, candidate_stage_);
  }

 private:
  bool is_worth_long_proof() const { return problem_ && run_.limits().switch_count() <= kMostLongProof; }

  /// Of an exact search with a share of the time.
  long long effort_of(double share) const {
    return static_cast<long long>(share * std::fmin(request_.time_limit, kLongestProof) * kEffortPerSecond);
  }

  Designed decide() {
    if (problem_ && search_over_types(effort_of(1), run_.budget().deadline)) return infeasible_design();
    return finish(candidate_.value_or(Wiring(run_.limits())), "types");
  }

  /// Returns whether it proved that no design exists. If it found one, that is in candidate_.
  bool search_over_types(long long effort, Deadline deadline = Deadline::max()) {
    const TypeOutcome outcome = search_types(*problem_, effort, deadline);
    const std::string cases = " after " + counted(outcome.cases, "case");
    if (outcome.verdict == TypeVerdict::kImpossible) {
      run_.note("types", "infeasible" + cases);
      certificate_ = exhaustion_certificate(*problem_, outcome);
      return true;
    }
    const bool found = outcome.verdict == TypeVerdict::kFound;
    if (found && !run_.has_pins()) keep_candidate(wiring_of(*problem_, outcome, run_.limits()), "types");
    run_.note("types", (found ? "found" : "open") + cases);
    return false;
  }

  void try_constructions() {
    const std::vector<Wiring> built = construct(run_.limits(), run_.demand());
    const bool found = !built.empty() && covers_all(built.front(), run_.demand());
    if (found) keep_candidate(built.front(), "algebra");
    run_.note("algebra", found ? "found" : "no known family fits");
  }

  void keep_candidate(const Wiring& wiring, const char* stage) {
    candidate_.emplace(run_.filled(wiring));
    candidate_stage_ = stage;
  }

  Outcome scout() {
    Budget budget = run_.budget();
    budget.generations = std::min(kScoutGenerations, budget.generations.value_or(kScoutGenerations));
    budget.checkpoint = nullptr;  // repeating it is as fast as reading it
    budget.processes = nullptr;   // every process repeats the same search
    const Outcome outcome =
        run_.search(run_.movable(), Objective(run_.demand()), run_.seeds(), GeneticSettings{}, budget);
    note_search("scout", outcome);
    return outcome;
  }

  Designed search(const std::vector<Wiring>& seeds) {
    GeneticSettings settings;
    if (goals_.any()) settings.goal_generations = kForever;
    const Objective objective(run_.spec(), run_.limits(), goals_);
    const Finish finish_search = [this](const Wiring& wiring) { return finish(wiring, "genetic", false); };
    const Outcome outcome = run_.search(run_.movable(), objective, seeds, settings, run_.budget(), finish_search);
    note_search("genetic", outcome);
    return finish(outcome.best.wiring, "genetic");
  }

  Designed search_classic() {
    const Outcome outcome = run_.search_classic();
    note_search("ga-classic", outcome);
    return finish(outcome.best.wiring, "ga-classic");
  }

  void note_search(const char* stage, const Outcome& outcome) {
    run_.note(stage, outcome.best.deficit == 0 ? "found" : counted(outcome.best.uncovered, "pair") + " uncovered");
  }

  Designed finish(const Wiring& wiring, const std::string& stage, bool is_last = true) {
    const Wiring filled = run_.filled(wiring);
    const Limits* const by_speed = run_.speed_limits();
    const std::vector<bool> fixed = nics_of(run_.pins(), run_.limits());
    const bool search_speeds = is_last && request_.method == Method::kBest;
    const Links links =
        links_of(by_speed == nullptr ? filled : run_.with_speeds(cables_of(filled), fixed, search_speeds));
    return {cabled(tidied(links, run_.spec()), run_.pins(), by_speed == nullptr ? run_.limits() : *by_speed),
            std::nullopt, stage, run_.generations(), {}, {}};
  }

  Designed infeasible_design() {
    Designed designed = finish(Wiring(run_.limits()), "types");
    designed.infeasible = certificate_;
    return designed;
  }

  SearchRun& run_;
  const DesignRequest& request_;
  Goals goals_;
  std::optional<TypeProblem> problem_;
  std::optional<Wiring> candidate_;  ///< the design to use unless the scout finds a better one
  std::string candidate_stage_;
  std::optional<Certificate> certificate_;
};

}  // namespace

Designed design(const Spec& spec, const std::optional<Design>& old, const DesignRequest& request,
                const Report& report) {
  SearchRun run(spec, request, report);
  Designed designed = !old           ? FreshDesign(run, request).design()
                      : request.grow ? grow(run, *old)
                                     : redesign_near(run, *old, request.near_weight);
  designed.stages = run.stages();
  designed.worst_proved = run.worst_proved();
  if (request.upgrades && run.speed_limits() != nullptr && !designed.infeasible) {
    designed.upgrades = speed_upgrades(spec, designed.cabling, static_cast<std::uint64_t>(request.seed), run.budget());
  }
  return designed;
}

}  // namespace fnn
