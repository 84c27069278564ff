// SPDX-License-Identifier: GPL-3.0-or-later
#include "program/search_run.h"

#include <algorithm>

#include "base/stopping.h"
#include "design/evaluation.h"
#include "design/link_speeds.h"
#include "design/port_choice.h"
#include "program/speed_search.h"
#include "search/classic.h"
#include "spec/goals.h"

namespace fnn {
namespace {

// Making and writing a design may take as long as a generation.
constexpr std::chrono::seconds kBetweenKept{1};
constexpr int kMostOfTimeForKeeping = 20;  // one part of so many

constexpr std::size_t kMostNodesForSpeeds = 1024;  // beyond, a single step of the search takes too long
constexpr double kLongestSeconds = 1e9;  // fits into a clock duration without overflow

std::chrono::steady_clock::time_point after(double seconds) {
  // This order of the arguments maps nan to the longest time.
  const std::chrono::duration<double> limit(std::min(kLongestSeconds, seconds));
  return std::chrono::steady_clock::now() + std::chrono::duration_cast<std::chrono::steady_clock::duration>(limit);
}

}  // namespace

std::vector<bool> nics_of(const Cabling& cabling, const Limits& limits) {
  std::vector<bool> nics(limits.nics.size(), false);
  for (std::size_t node = 0; node < cabling.size(); ++node) {
    for (const Cable& cable : cabling[node]) nics[Limits::at(limits.first_nic[node] + cable.nic)] = true;
  }
  return nics;
}

SearchRun::SearchRun(const Spec& spec, const DesignRequest& request, const Report& report)
    : spec_(spec),
      limits_(spec),
      demand_(spec),
      pins_(pins_of(spec)),
      request_(request),
      report_(report),
      random_(static_cast<std::uint64_t>(request.seed)),
      budget_{after(request.time_limit), request.generations, request.threads,
              request.islands,           request.checkpoint,      request.processes} {
  if (LinkSpeeds(spec).differ()) speed_limits_.emplace(spec, Grouping::kBySpeed);
}

bool SearchRun::has_time() const { return !stop_requested(budget_.deadline); }

Movable SearchRun::movable() const { return Movable(limits_, nics_of(pins_, limits_)); }

Wiring SearchRun::pinned() const {
  Wiring wiring(limits_);
  plug_cables(wiring, pins_);
  return wiring;
}

std::vector<Wiring> SearchRun::seeds() const {
  if (!has_pins()) return {};
  return {pinned()};
}

Wiring SearchRun::filled(Wiring wiring) {
  // With a goal for the price, a NIC is unused because its link would cost more than it gains.
  if (goals_of(spec_).price <= 0) wiring.fill(random_);
  return wiring;
}

Wiring SearchRun::with_speeds(const Cabling& cabling, const std::vector<bool>& fixed, bool search) {
  const Wiring placed = placed_on_ports(cabling, *speed_limits_);
  const bool possible = spec_.nodes.size() <= kMostNodesForSpeeds && !goals_of(spec_).any() && covers_all(placed, demand_);
  if (!search || !possible) return placed;
  const auto report = [&](std::int64_t now, const Individual& best) { report_(generations_ + now, best); };
  const SpeedOutcome outcome = search_speeds(spec_, placed, Movable(*speed_limits_, fixed), thorough_rounds(*speed_limits_),
                                             static_cast<std::uint64_t>(request_.seed), budget_, report);
  worst_proved_ = outcome.worst_proved;
  note("speeds", outcome.worst_proved ? "no worst pair can be faster" : "found");
  return without_idle_speed(outcome.wiring);
}

Outcome SearchRun::search(const Movable& movable, const Objective& objective, const std::vector<Wiring>& seeds,
                          const GeneticSettings& settings, const Budget& budget, const Finish& finish) {
  const bool keeps = finish && request_.keep_best && budget.processes != nullptr;
  const auto report = [&](std::int64_t now, const Individual& best) {
    if (keeps) keep(best, finish);
    report_(generations_ + now, best);
  };
  Outcome outcome = search_islands(limits_, movable, objective, seeds, settings,
                                   static_cast<std::uint64_t>(request_.seed), budget, report);
  generations_ += outcome.generations;
  return outcome;
}

/// The design that the search ends with does not depend on this.
void SearchRun::keep(const Individual& best, const Finish& finish) {
  const auto begin = std::chrono::steady_clock::now();
  if (begin < next_keep_ || (kept_ && !best.better_than(*kept_))) return;
  const Random before = random_;
  request_.keep_best(finish(best.wiring));
  random_ = before;
  kept_.emplace(best);
  const auto end = std::chrono::steady_clock::now();
  next_keep_ = end + std::max<std::chrono::steady_clock::duration>(kBetweenKept, kMostOfTimeForKeeping * (end - begin));
}

Outcome SearchRun::search_classic() {
  Outcome outcome = fnn::search_classic(spec_, limits_, demand_, random_, budget_, report_);
  generations_ += outcome.generations;
  return outcome;
}

void SearchRun::note(const std::string& stage, const std::string& outcome) {
  const auto now = std::chrono::steady_clock::now();
  stages_.push_back({stage, std::chrono::duration<double>(now - stage_began_).count(), outcome});
  stage_began_ = now;
}

bool covers_all(const Wiring& wiring, const Demand& demand) { return evaluate(wiring, demand).deficit == 0; }

}  // namespace fnn
