// SPDX-License-Identifier: GPL-3.0-or-later
//
// The fewest switches
// -------------------
// For 24 nodes with 6 NICs on switches of 6 ports, the smallest known family has 23 switches. A search finds a design
// with 22 within a second; the bounds exclude fewer than 21. Every number of switches is a problem of
// its own, and rarely easier than the one before it. Short searches bisect the range first, so that no time is spent on
// numbers that are easily improved; longer ones leap while the range is wide. Then the search goes down in single steps,
// and a step that fails has had all the remaining time. Each number is searched from scratch: its design does not depend
// on the numbers tried before.
//
// An exact search over types (oracle/type_search.h) decides many of the smallest numbers, in either way.
//
// A design with b switches is also one with b + 1, of which one stays empty. So one proof that b are too few, by a
// bound or by an exhaustive search over types, also excludes all smaller numbers.
#include "program/fewest_switches.h"

#include <chrono>

#include "base/stopping.h"
#include "design/evaluation.h"
#include "design/pins.h"
#include "oracle/bounds.h"

namespace fnn {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::int64_t kBriefGenerations = 4;  // before the children of the genetic search get long
constexpr double kBriefShare = 0.1;            // of the time left; a limit for large clusters
constexpr int kWideRange = 4;                  // switches; in narrower ranges a leap that fails costs more than it gains
constexpr double kLeapShare = 0.4;             // of the time left
constexpr double kExactShare = 0.8;            // of the time left, where an exact search often decides
constexpr double kUnlikelyShare = 0.05;        // elsewhere; a genetic search of the same time decides more

/// Whether an exact search often decides this number of switches within a few seconds: with five NICs up to 16, with six
/// up to 15.
bool is_likely_decided(int nics, int switches) { return switches <= (nics <= 5 ? 16 : 15); }

bool is_found(const DesignOfSpec& one) {
  const Limits limits(one.spec);
  Wiring wiring(limits);
  plug_cables(wiring, one.designed.cabling);
  return evaluate(wiring, Demand(one.spec)).deficit == 0;
}

/// The searches for fewer switches than range.plain. They share the time of the request.
class Reduction {
 public:
  Reduction(SwitchRange& range, std::int64_t generations, bool uplink, const DesignRequest& request,
            double seconds_used, const Report& report)
      : range_(range),
        generations_(generations),
        uplink_(uplink),
        request_(request),
        report_(report),
        deadline_(Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(
                                     std::min(request.time_limit, 1e9) - seconds_used))) {}

  /// Short searches between the numbers that are proved necessary and known to suffice.
  void bisect() {
    int failed = range_.at_least - 1;
    while (range_.plain.switches - failed > 1 && has_time()) {
      const int middle = (failed + range_.plain.switches) / 2;
      DesignRequest brief = request_;
      brief.time_limit = kBriefShare * seconds_left();
      brief.generations = kBriefGenerations;
      if (!search(middle, brief)) failed = middle;
    }
  }

  /// Exact searches from the least number that is not excluded, until one stays open.
  void prove() {
    while (range_.at_least < range_.plain.switches && has_time()) {
      DesignRequest exact = request_;
      exact.method = Method::kExact;
      const bool likely = is_likely_decided(range_.plain.nics, range_.at_least);
      exact.time_limit = (likely ? kExactShare : kUnlikelyShare) * seconds_left();
      const int before = range_.at_least;
      if (!search(before, exact) && range_.at_least == before) break;
    }
  }

  /// Longer searches in the middle of what is left, until one fails. Often the number in the middle is hardly harder
  /// than the next: of 76 nodes with 6 NICs on 29, 28 and 27 switches of 17 ports, each takes one or two seconds.
  void leap() {
    while (range_.plain.switches - range_.at_least >= kWideRange && has_time()) {
      DesignRequest next = request_;
      next.time_limit = kLeapShare * seconds_left();
      if (!search((range_.at_least + range_.plain.switches + 1) / 2, next)) break;
    }
  }

  /// Takes one switch away after another until a search fails.
  void step_down() {
    while (range_.plain.switches > range_.at_least && has_time()) {
      DesignRequest next = request_;
      next.time_limit = seconds_left();
      if (!search(range_.plain.switches - 1, next)) break;
    }
  }

  std::optional<DesignOfSpec> take_best() {
    if (best_) best_->designed.generations = generations_;
    return std::move(best_);
  }

 private:
  double seconds_left() const { return std::chrono::duration<double>(deadline_ - Clock::now()).count(); }
  bool has_time() const { return seconds_left() > 0 && !stop_requested(); }

  /// Searches a design with so many switches and narrows the range by the outcome. Returns whether it found one.
  bool search(int switches, const DesignRequest& request) {
    PlainNumbers fewer = range_.plain;
    fewer.switches = switches;
    Spec spec = read_spec(plain_spec_document(fewer, "quick", uplink_));
    Designed designed = design(spec, std::nullopt, request, [&](std::int64_t now, const Individual& best_now) {
      report_(generations_ + now, best_now);
    });
    generations_ += designed.generations;
    if (designed.infeasible) {
      range_.at_least = switches + 1;
      return false;
    }
    DesignOfSpec one{std::move(spec), std::move(designed)};
    if (!is_found(one)) return false;
    range_.plain = fewer;
    best_ = std::move(one);
    return true;
  }

  SwitchRange& range_;
  std::int64_t generations_;
  bool uplink_;
  const DesignRequest& request_;
  const Report& report_;
  Clock::time_point deadline_;
  std::optional<DesignOfSpec> best_;
};

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
  Reduction reduction(range, first.designed.generations, uplink, request, seconds_used, report);
  // With a limit in steps, every number has the same effort.
  if (!request.generations) {
    reduction.bisect();
    reduction.prove();
    reduction.leap();
  }
  reduction.step_down();
  return reduction.take_best();
}

}  // namespace fnn
