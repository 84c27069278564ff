// SPDX-License-Identifier: GPL-3.0-or-later
//
// Stages of a fresh design:   rails, when a switch is wide enough for everybody; else genetic search.
// Those of a redesign are in redesigning.cc.
#include "program/designing.h"

#include "oracle/rails.h"
#include "program/redesigning.h"

namespace fnn {
namespace {

Designed finish(SearchRun& run, const Wiring& wiring, const char* stage) {
  const Links links = tidied(links_of(run.filled(wiring)), run.spec());
  return {cabled(links, run.pins(), run.limits()), std::nullopt, stage, run.generations()};
}

Designed design_afresh(SearchRun& run) {
  const auto rails = lay_rails(run.pinned(), run.random());
  if (rails && covers_all(*rails, run.demand())) return finish(run, *rails, "rails");
  const Goals goals = goals_of(run.spec());
  GeneticSettings settings;
  if (goals.any()) settings.settling = kForever;
  const Objective objective(run.spec(), run.limits(), goals);
  const Outcome outcome = run.search(run.movable(), objective, run.seeds(), settings, run.budget());
  return finish(run, outcome.best.wiring, "genetic");
}

}  // namespace

Designed design(const Spec& spec, const std::optional<Design>& old, const DesignRequest& request,
                const Report& report) {
  SearchRun run(spec, request, report);
  if (!old) return design_afresh(run);
  return request.grow ? grow(run, *old) : redesign_near(run, *old, request.near_weight);
}

}  // namespace fnn
