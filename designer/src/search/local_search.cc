// SPDX-License-Identifier: GPL-3.0-or-later
#include "search/local_search.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace fnn {
namespace {

constexpr int kTemperatures = 64;  // temperatures from start to end

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

}  // namespace

Wiring anneal(const Wiring& start, const Objective& objective, const Movable& movable, const Cooling& cooling,
              Random& random, const std::function<bool()>& must_stop) {
  if (movable.none()) return start;
  static const std::vector<std::uint32_t> thresholds = make_thresholds();
  IncrementalWiring now(start, objective, movable);
  RngState rng = seed_rng(random);
  std::vector<std::int32_t> best(start.limits().nics.size());
  const auto share = static_cast<double>(kShare);
  const double ratio = cooling_ratio(cooling);
  constexpr std::int64_t kNothingYet = std::numeric_limits<std::int64_t>::max();
  TemperatureStage stage{std::max<std::int64_t>(1, cooling.steps / kTemperatures),
                         0,
                         static_cast<std::int64_t>(cooling.missing_penalty * share),
                         thresholds.data(),
                         best.data(),
                         kNothingYet,
                         !objective.has_goals()};
  double temperature = cooling.start;
  for (int i = 0; i < kTemperatures && !must_stop(); ++i, temperature *= ratio) {
    stage.temperature = static_cast<std::int64_t>(temperature * share);
    now.anneal(stage, rng);
  }
  if (stage.best_cost == kNothingYet) return now.wiring();
  Wiring cheapest(start.limits());
  for (std::size_t nic = 0; nic < best.size(); ++nic) {
    if (best[nic] != kDummy) cheapest.plug(static_cast<int>(nic), best[nic]);
  }
  return cheapest;
}

}  // namespace fnn
