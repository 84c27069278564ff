// SPDX-License-Identifier: GPL-3.0-or-later
#include "search/local_search.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace fnn {
namespace {

constexpr int kStages = 64;  // temperatures from start to end

/// -ln(u) for u from 1/8192 to 8191/8192, in units of 1/65536. It uses only operations whose rounding
/// IEEE 754 defines. std::log may differ in its last bit between C libraries; the same seed would then
/// give different designs.
std::vector<std::uint32_t> make_patience() {
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
  for (int halvings = 1; halvings < kStages; halvings *= 2) ratio = std::sqrt(ratio);
  return ratio;
}

}  // namespace

Wiring anneal(const Wiring& start, const Objective& objective, const Movable& movable, const Cooling& cooling,
              Random& random, const std::function<bool()>& is_over) {
  if (movable.none()) return start;
  static const std::vector<std::uint32_t> patience = make_patience();
  Neighborhoods now(start, objective, movable);
  Dice dice = throw_dice(random);
  std::vector<std::int32_t> best(start.limits().nics.size());
  const auto share = static_cast<double>(kShare);
  const double ratio = cooling_ratio(cooling);
  constexpr std::int64_t kNothingYet = std::numeric_limits<std::int64_t>::max();
  Stage stage{std::max<std::int64_t>(1, cooling.steps / kStages),
              0,
              static_cast<std::int64_t>(cooling.lack * share),
              patience.data(),
              best.data(),
              kNothingYet,
              !objective.has_aims()};
  double temperature = cooling.start;
  for (int i = 0; i < kStages && !is_over(); ++i, temperature *= ratio) {
    stage.temperature = static_cast<std::int64_t>(temperature * share);
    now.anneal(stage, dice);
  }
  if (stage.best_cost == kNothingYet) return now.wiring();
  Wiring cheapest(start.limits());
  for (std::size_t nic = 0; nic < best.size(); ++nic) {
    if (best[nic] != kDummy) cheapest.plug(static_cast<int>(nic), best[nic]);
  }
  return cheapest;
}

}  // namespace fnn
