// SPDX-License-Identifier: GPL-3.0-or-later
//
// The fewest switches
// -------------------
// For 46 nodes with 6 NICs on switches of 11 ports, the smallest known family has 27 switches. A search finds designs
// with 26, 25, 24 and 23 within a second; the bounds exclude fewer than 22. Every number of switches is a problem of
// its own, and each is harder than the one before it. The search therefore goes down in single steps, and a step that
// fails has had all the remaining time.
//
// A design with b switches is also one with b + 1, of which one stays empty. So one proof that b are too few, by a
// bound or by an exhaustive search over types, also excludes all smaller numbers.
#include "program/fewest_switches.h"

#include <chrono>

#include "base/stopping.h"
#include "design/evaluation.h"
#include "oracle/bounds.h"

namespace fnn {
namespace {

using Clock = std::chrono::steady_clock;

bool is_found(const DesignOfSpec& one) {
  const Limits limits(one.spec);
  Wiring wiring(limits);
  plug_cables(wiring, one.designed.cabling);
  return evaluate(wiring, Demand(one.spec)).deficit == 0;
}

}  // namespace

Json to_json(const SwitchRange& range) {
  const int value = range.plain.switches;
  const char* how = !range.designed             ? "tried"
                    : value == range.at_least   ? "proved"
                    : value == range.best_known ? "best-known"
                                                : "found";
  Json json = {{"value", value}, {"how", how}, {"at_least", range.at_least}};
  if (range.best_known) json["best_known"] = *range.best_known;
  return json;
}

std::optional<DesignOfSpec> reduce_switches(SwitchRange& range, const DesignOfSpec& first, bool uplink,
                                            const DesignRequest& request, double seconds_used, const Report& report) {
  if (!is_found(first)) return std::nullopt;
  range.designed = true;
  const auto deadline = Clock::now() + std::chrono::duration<double>(std::min(request.time_limit, 1e9) - seconds_used);
  std::int64_t generations = first.designed.generations;
  std::optional<DesignOfSpec> best;
  while (range.plain.switches > range.at_least && !stop_requested()) {
    PlainNumbers fewer = range.plain;
    --fewer.switches;
    DesignRequest next = request;
    next.time_limit = std::chrono::duration<double>(deadline - Clock::now()).count();
    if (next.time_limit <= 0) break;
    Spec spec = read_spec(plain_spec_document(fewer, "quick", uplink));
    Designed designed = design(spec, std::nullopt, next, [&](std::int64_t now, const Individual& best_now) {
      report(generations + now, best_now);
    });
    generations += designed.generations;
    if (designed.infeasible) {
      range.at_least = range.plain.switches;
      break;
    }
    DesignOfSpec found{std::move(spec), std::move(designed)};
    if (!is_found(found)) break;
    range.plain = fewer;
    best = std::move(found);
  }
  if (best) best->designed.generations = generations;
  return best;
}

}  // namespace fnn
