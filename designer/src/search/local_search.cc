// SPDX-License-Identifier: GPL-3.0-or-later
#include "search/local_search.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>

#include "base/stopping.h"
#include "design/evaluation.h"

namespace fnn {
namespace {

constexpr int kStages = 64;  // temperatures from start to end

/// e^-x within a few percent, from roundings that IEEE 754 pins down: std::exp may differ in its
/// last bit between C libraries, and then the same seed would not give the same design everywhere.
double decay(double x) {
  if (x > 30.0) return 0.0;
  double power = 1.0 - x / 1024.0;
  for (int i = 0; i < 10; ++i) power *= power;
  return power;
}

/// The chance, scaled to 2^32, of making a move that costs so and so much.
class Acceptance {
 public:
  void set(double temperature) {
    for (std::size_t cost = 0; cost < chance_.size(); ++cost) {
      const double quarters = static_cast<double>(cost) / Objective::kPair;
      chance_[cost] = static_cast<std::uint32_t>(4294967295.0 * decay(quarters / temperature));
    }
  }

  bool takes(int cost, Random& random) const {
    if (cost <= 0) return true;
    return static_cast<std::size_t>(cost) < chance_.size() && random.bits() < chance_[static_cast<std::size_t>(cost)];
  }

 private:
  std::array<std::uint32_t, 256> chance_{};
};

/// Chooses among the operators: half of the steps aim at a problem spot as long as there is one.
const Operator& choose(bool troubled, Random& random) {
  static const Exchange exchange;
  static const Relocate relocate;
  static const Shift shift;
  static const Bridge bridge;
  const std::size_t die = random.below(8);
  if (troubled && die < 4) return bridge;
  if (die == 4) return relocate;
  if (die == 5) return shift;
  return exchange;
}

/// start * ratio^64 = end, by six square roots, which IEEE 754 rounds correctly.
double cooling_ratio(const Cooling& cooling) {
  double ratio = cooling.end / cooling.start;
  for (int halvings = 1; halvings < kStages; halvings *= 2) ratio = std::sqrt(ratio);
  return ratio;
}

}  // namespace

void anneal(Neighborhoods& now, const Movable& movable, const Objective& objective, const Cooling& cooling,
            Random& random) {
  if (movable.none()) return;
  const double ratio = cooling_ratio(cooling);
  const std::int64_t steps_per_stage = std::max<std::int64_t>(1, cooling.steps / kStages);
  double temperature = cooling.start;
  Acceptance acceptance;
  for (int stage = 0; stage < kStages && !stop_requested(); ++stage, temperature *= ratio) {
    acceptance.set(temperature);
    for (std::int64_t step = 0; step < steps_per_stage; ++step) {
      if (now.uncovered() == 0 && objective.homes == nullptr) return;
      const auto move = choose(now.uncovered() > 0, random).propose(now, movable, random);
      if (!move) continue;
      const int pairs = now.judge(*move);
      const int cables = objective.homes == nullptr ? 0 : objective.homes->judge(now.wiring(), *move);
      const int cost = Objective::kPair * pairs - Objective::kCable * cables;
      if (acceptance.takes(cost, random)) now.make(*move, pairs);
    }
    assert(now.uncovered() == static_cast<int>(evaluate(now.wiring()).uncovered.size()));
  }
}

}  // namespace fnn
