// SPDX-License-Identifier: GPL-3.0-or-later
#include "search/local_search.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace fnn {
namespace {

constexpr int kTemperatures = 64;  // temperatures from start to end

// Nodes times steps between two readings of the clock, about half a second. With 8192 nodes, a temperature has a million
// steps of 30 us, since every step misses the cache.
constexpr std::int64_t kUnpolledWork = std::int64_t{1} << 27U;

/// -ln(u) for u from 1/8192 to 8191/8192, in units of 1/65536. It uses only operations whose rounding
/// IEEE 754 defines. std::log may differ in its last bit between C libraries; the same seed would then
/// give different designs.
std::vector<std::uint32_t> make_thresholds() {
  std::vector<std::uint32_t> table;
  for (int i = 0; i < 4096; ++i) {
    double root = (i + 0.5) / 4096.0;
    for (int halvings = 0; halvings < 10; ++halvings) root = std::sqrt(root);
    const double z = (1.0 - root) / (1.0 + root);  // ln(root) = -2 (z + z^3/3 + ...), and z < 0.005
    table.push_back(static_cast<std::uint32_t>(65536.0 * 1024.0 * 2.0 * (z + z * z * z / 3.0) + 0.5));
  }
  return table;
}

/// start * ratio^64 = end, by six square roots, which IEEE 754 rounds correctly.
double cooling_ratio(const Cooling& cooling) {
  double ratio = cooling.end / cooling.start;
  for (int halvings = 1; halvings < kTemperatures; halvings *= 2) ratio = std::sqrt(ratio);
  return ratio;
}

constexpr std::int64_t kNothingYet = std::numeric_limits<std::int64_t>::max();

const std::vector<std::uint32_t>& thresholds() {
  static const std::vector<std::uint32_t> table = make_thresholds();
  return table;
}

/// A stage that only covers pairs; its temperature is still to be set.
TemperatureStage coverage_stage(const Cooling& cooling) {
  return {std::max<std::int64_t>(1, cooling.steps / kTemperatures), 0, kShare, thresholds().data(), nullptr, 0, true};
}

/// Anneals at one temperature. It makes the same moves as one call of the kernel.
template <typename MustStop>
void anneal_at_temperature(IncrementalWiring& now, TemperatureStage& stage, RngState& rng, int nodes,
                           const MustStop& must_stop) {
  const std::int64_t steps = stage.steps;
  const std::int64_t between = std::max<std::int64_t>(1, kUnpolledWork / nodes);
  for (std::int64_t done = 0; done < steps && (done == 0 || !must_stop()); done += between) {
    stage.steps = std::min(between, steps - done);
    now.anneal(stage, rng);
  }
  stage.steps = steps;
}

/// The middle of the span of measurements over which the deficit falls most.
std::size_t steepest_fall(const std::vector<std::int64_t>& deficits) {
  constexpr std::size_t kSpan = 6;  // averages out the fluctuation of a single measurement
  std::size_t end = kSpan;
  for (std::size_t i = kSpan; i < deficits.size(); ++i) {
    if (deficits[i - kSpan] - deficits[i] > deficits[end - kSpan] - deficits[end]) end = i;
  }
  return end - kSpan / 2;
}

}  // namespace

Wiring anneal(const Wiring& start, const Objective& objective, const Movable& movable, const Cooling& cooling,
              Random& random, const std::function<bool()>& must_stop) {
  if (movable.none()) return start;
  IncrementalWiring now(start, objective, movable);
  RngState rng = seed_rng(random);
  std::vector<std::int32_t> best(start.limits().nics.size());
  const auto share = static_cast<double>(kShare);
  const double ratio = cooling_ratio(cooling);
  TemperatureStage stage{std::max<std::int64_t>(1, cooling.steps / kTemperatures),
                         0,
                         static_cast<std::int64_t>(cooling.missing_penalty * share),
                         thresholds().data(),
                         best.data(),
                         kNothingYet,
                         !objective.has_goals()};
  double temperature = cooling.start;
  for (int i = 0; i < kTemperatures && !must_stop(); ++i, temperature *= ratio) {
    stage.temperature = static_cast<std::int64_t>(temperature * share);
    anneal_at_temperature(now, stage, rng, start.limits().node_count(), must_stop);
  }
  if (stage.best_cost == kNothingYet) return now.wiring();
  Wiring cheapest(start.limits());
  for (std::size_t nic = 0; nic < best.size(); ++nic) {
    if (best[nic] != kDummy) cheapest.plug(static_cast<int>(nic), best[nic]);
  }
  return cheapest;
}

CriticalPoint find_critical_point(const Wiring& start, const Objective& objective, const Movable& movable,
                                  const Cooling& cooling, Random& random, const std::function<bool()>& must_stop) {
  if (movable.none()) return {0, start};
  IncrementalWiring now(start, objective, movable);
  RngState rng = seed_rng(random);
  const double ratio = cooling_ratio(cooling);
  TemperatureStage stage = coverage_stage(cooling);
  std::vector<double> temperatures;
  std::vector<std::int64_t> deficits;
  double temperature = cooling.start;
  for (int i = 0; i < kTemperatures; ++i, temperature *= ratio) {
    if (must_stop() || now.deficit() == 0) return {0, now.wiring()};
    stage.temperature = static_cast<std::int64_t>(temperature * static_cast<double>(kShare));
    anneal_at_temperature(now, stage, rng, start.limits().node_count(), must_stop);
    temperatures.push_back(temperature);
    deficits.push_back(now.deficit());
  }
  return {temperatures[steepest_fall(deficits)], now.wiring()};
}

}  // namespace fnn
