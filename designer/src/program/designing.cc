// SPDX-License-Identifier: GPL-3.0-or-later
//
// Stages of a fresh design:   rails, when a switch is wide enough for everybody; else genetic search.
// Stages of a redesign:       kept, when the standing cables already cover every pair;
//                             grown, when new cables beside the standing ones do;
//                             else genetic search, which starts from the standing cables, is rewarded
//                             for each of them it keeps, and finally trades places among nodes and
//                             switches that are alike to keep more.
#include "program/designing.h"

#include <algorithm>

#include "design/evaluation.h"
#include "oracle/rails.h"

namespace fnn {
namespace {

constexpr std::int64_t kGrowingGenerations = 12;
constexpr int kSettlingGenerations = 12;
constexpr double kLongestSeconds = 1e9;  // what a clock can be moved by without overflow

bool covers_all(const Wiring& wiring) { return evaluate(wiring).uncovered.empty(); }

class Designer {
 public:
  Designer(const Spec& spec, const DesignRequest& request, const Report& report)
      : spec_(spec), limits_(spec), request_(request), report_(report), random_(seed()) {
    // The order of the two makes "nan" a long time, too.
    const std::chrono::duration<double> limit(std::min(kLongestSeconds, request.time_limit));
    budget_.deadline = std::chrono::steady_clock::now() +
                       std::chrono::duration_cast<std::chrono::steady_clock::duration>(limit);
    budget_.generations = request.generations;
    budget_.threads = request.threads;
  }

  Designed fresh() {
    if (const auto rails = lay_rails(limits_, random_); rails && covers_all(*rails)) return finish(*rails, "rails");
    const Outcome outcome = search(Movable(limits_), Objective{}, {}, GeneticSettings{}, budget_);
    return finish(outcome.best.wiring, "genetic");
  }

  Designed near(const Design& old) {
    const Standing standing = keep_standing(old, spec_, limits_);
    if (covers_all(standing.wiring)) return finish_near(filled(standing.wiring), standing.cabling, "kept");
    if (const auto grown = grow(standing.wiring)) return finish_near(filled(*grown), standing.cabling, "grown");

    const Homes homes(standing.wiring);
    GeneticSettings settings;
    settings.settling = kSettlingGenerations;
    const Outcome outcome =
        search(Movable(limits_), Objective{&homes}, {filled(standing.wiring)}, settings, budget_);
    return finish_near(matched(links_of(filled(outcome.best.wiring)), standing.cabling, spec_), standing.cabling,
                       "genetic");
  }

 private:
  std::uint64_t seed() const { return static_cast<std::uint64_t>(request_.seed); }

  Wiring filled(Wiring wiring) {
    wiring.fill(random_);
    return wiring;
  }

  /// Moves nothing that stands; only NICs that were unused may go anywhere.
  std::optional<Wiring> grow(const Wiring& standing) {
    std::vector<bool> fixed;
    for (std::size_t nic = 0; nic < limits_.nics.size(); ++nic) {
      fixed.push_back(standing.group(static_cast<int>(nic)) != kDummy);
    }
    Budget budget = budget_;
    budget.generations = std::min(kGrowingGenerations, request_.generations.value_or(kGrowingGenerations));
    const Outcome outcome = search(Movable(limits_, fixed), Objective{}, {standing}, GeneticSettings{}, budget);
    if (!outcome.finished) return std::nullopt;
    return outcome.best.wiring;
  }

  Outcome search(const Movable& movable, const Objective& objective, const std::vector<Wiring>& seeds,
                 const GeneticSettings& settings, const Budget& budget) {
    Outcome outcome =
        search_islands(limits_, movable, objective, seeds, settings, seed(), budget,
                       [&](std::int64_t now, int uncovered) { report_(generations_ + now, uncovered); });
    generations_ += outcome.generations;
    return outcome;
  }

  /// A free port beside an unused NIC may be left over; plugging it in costs nothing and adds bandwidth.
  Designed finish(const Wiring& wiring, const char* stage) {
    return {cabled(tidied(links_of(filled(wiring)), spec_), {}, limits_), std::nullopt, stage, generations_};
  }

  Designed finish_near(const Wiring& wiring, const Cabling& old, const char* stage) const {
    return finish_near(links_of(wiring), old, stage);
  }

  Designed finish_near(const Links& links, const Cabling& old, const char* stage) const {
    Cabling cabling = cabled(links, old, limits_);
    const int kept = count_kept(cabling, old);
    return {std::move(cabling), kept, stage, generations_};
  }

  const Spec& spec_;
  Limits limits_;
  DesignRequest request_;
  const Report& report_;
  Random random_;
  Budget budget_;
  std::int64_t generations_ = 0;
};

}  // namespace

Designed design(const Spec& spec, const std::optional<Design>& old, const DesignRequest& request,
                const Report& report) {
  Designer designer(spec, request, report);
  return old ? designer.near(*old) : designer.fresh();
}

}  // namespace fnn
