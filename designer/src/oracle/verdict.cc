// SPDX-License-Identifier: GPL-3.0-or-later
#include "oracle/verdict.h"

#include <algorithm>

#include "base/problem.h"
#include "oracle/constructions.h"
#include "oracle/rails.h"

namespace fnn {

std::optional<Certificate> broken_bound(const std::vector<Bound>& bounds) {
  const auto broken = std::find_if(bounds.begin(), bounds.end(), [](const Bound& bound) { return !bound.holds(); });
  if (broken == bounds.end()) return std::nullopt;
  return Certificate{*broken, std::nullopt};
}

Certificate exhaustion_certificate(const TypeProblem& problem, const TypeOutcome& impossible) {
  const auto switches = static_cast<long long>(problem.width.size());
  const std::string shared = problem.shared == 1 ? "" : " in " + counted(problem.shared, "switch");
  return {{"types", problem.nodes, problem.nodes - 1,
           "no choice of switches for " + counted(problem.nodes, "node") + " lets all of them meet" + shared + " on " +
               counted(switches, "switch") + ": an exhaustive search closed all of " +
               counted(impossible.cases, "case")},
          impossible.cases};
}

Assessment assess(const Spec& spec, const Demand& demand, long long effort) {
  if (auto broken = broken_bound(compute_bounds(spec.nodes, spec.switches, demand))) {
    return {Prospect::kImpossible, std::move(broken)};
  }
  const Limits limits(spec);
  Random random(1);
  const auto rails = lay_rails(Wiring(limits), random);
  if (rails && missing_shares(*rails, demand) == 0) return {Prospect::kDesigned, std::nullopt};
  if (const auto problem = type_problem(limits, demand)) {
    const TypeOutcome outcome = search_types(*problem, effort);
    if (outcome.verdict == TypeVerdict::kFound) return {Prospect::kDesigned, std::nullopt};
    if (outcome.verdict == TypeVerdict::kImpossible) {
      return {Prospect::kImpossible, exhaustion_certificate(*problem, outcome)};
    }
  }
  if (!demand.is_universal()) return {};
  const std::vector<Wiring> built = construct(limits, demand);
  const bool found = !built.empty() && missing_shares(built.front(), demand) == 0;
  return {found ? Prospect::kDesigned : Prospect::kOpen, std::nullopt};
}

}  // namespace fnn
