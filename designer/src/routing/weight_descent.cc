// SPDX-License-Identifier: GPL-3.0-or-later
#include "routing/weight_descent.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace fnn {
namespace {

using std::size_t;

constexpr int kSweeps = 60;  // at one sum of weights
constexpr int kBoundSweeps = 25;
// The bound needs parts that are almost arbitrary fractions.
constexpr int kFineHalvings = 5;
constexpr int kFineSum = 1 << 12;
constexpr double kRounding = 1e-9;

int sum_of(const std::vector<int>& weights) { return std::accumulate(weights.begin(), weights.end(), 0); }

/// Weights of a given sum, at least 1 each and at most `limits`, that come close to these parts: the largest remainder
/// method. Empty where there are none.
std::vector<int> apportioned(const std::vector<int>& weights, int sum, const std::vector<int>& limits) {
  const double whole = sum_of(weights);
  std::vector<int> found;
  for (size_t i = 0; i < weights.size(); ++i) {
    found.push_back(std::min(limits[i], std::max(1, static_cast<int>(weights[i] * sum / whole))));
  }
  const auto behind = [&](size_t i) { return weights[i] / whole * sum - found[i]; };
  for (int left = sum - sum_of(found); left != 0; left -= left > 0 ? 1 : -1) {
    size_t best = weights.size();
    for (size_t i = 0; i < weights.size(); ++i) {
      if (left > 0 ? found[i] >= limits[i] : found[i] <= 1) continue;
      if (best == weights.size() || (left > 0 ? behind(i) > behind(best) : behind(i) < behind(best))) best = i;
    }
    if (best == weights.size()) return {};
    found[best] += left > 0 ? 1 : -1;
  }
  return found;
}

}  // namespace

std::vector<int> reduced(std::vector<int> weights) {
  const int divisor = std::accumulate(weights.begin(), weights.end(), 0, [](int a, int b) { return std::gcd(a, b); });
  for (int& weight : weights) weight /= divisor;
  return weights;
}

WeightDescent::WeightDescent(std::vector<double> capacity)
    : capacity_(std::move(capacity)), fixed_(capacity_.size(), 0), load_(capacity_.size(), 0) {}

void WeightDescent::add(const std::vector<WeightedPath>& paths) {
  if (paths.size() == 1) {
    for (const EdgeLoad& each : paths.front().loads) {
      fixed_[each.edge] += each.amount;
      load_[each.edge] += each.amount;
    }
    return;
  }
  Demand demand{paths_.size(), paths.size(), 0};
  for (const WeightedPath& path : paths) {
    paths_.push_back({loads_.size(), path.loads.size(), path.standard, path.most});
    loads_.insert(loads_.end(), path.loads.begin(), path.loads.end());
    weights_.push_back(path.standard);
    demand.sum += path.standard;
  }
  add_load(demand, 1);
  demands_.push_back(demand);
}

std::vector<int> WeightDescent::weights(size_t demand) const {
  const auto first = weights_.begin() + static_cast<std::ptrdiff_t>(demands_[demand].first);
  return {first, first + static_cast<std::ptrdiff_t>(demands_[demand].count)};
}

double WeightDescent::largest() const {
  double most = 0;
  for (size_t edge = 0; edge < load_.size(); ++edge) most = std::max(most, load_[edge] / capacity_[edge]);
  return most;
}

/// Counts the loads afresh, without the rounding errors of earlier moves.
void WeightDescent::recount() {
  load_ = fixed_;
  for (const Demand& demand : demands_) add_load(demand, 1);
}

void WeightDescent::add_load(const Demand& demand, double sign) {
  for (size_t i = demand.first; i < demand.first + demand.count; ++i) {
    const double part = sign * weights_[i] / demand.sum;
    for (const EdgeLoad& each : loads(i)) load_[each.edge] += part * each.amount;
  }
}

/// The largest weight of a path where the weights of its demand have this sum.
int WeightDescent::limit(size_t path, int sum) const { return static_cast<int>(paths_[path].most * sum + kRounding); }

/// Load beyond the target, if the edge had so much more.
double WeightDescent::excess(std::uint32_t edge, double more) const {
  return std::max(0.0, load_[edge] + more - capacity_[edge] * target_);
}

/// The sum of capacity * (relative excess)^2 over the edges of a path. more: part of the demand that is added to it.
double WeightDescent::penalty(size_t path, double more) const {
  double sum = 0;
  for (const EdgeLoad& each : loads(path)) {
    const double over = excess(each.edge, more * each.amount);
    sum += over * over / capacity_[each.edge];
  }
  return sum;
}

/// Half the slope of the penalty.
double WeightDescent::price(size_t path) const {
  double sum = 0;
  for (const EdgeLoad& each : loads(path)) sum += each.amount * excess(each.edge, 0) / capacity_[each.edge];
  return sum;
}

void WeightDescent::move(const Demand& demand, size_t from, size_t to, int weight) {
  const double part = static_cast<double>(weight) / demand.sum;
  weights_[from] -= weight;
  weights_[to] += weight;
  for (const EdgeLoad& each : loads(from)) load_[each.edge] -= part * each.amount;
  for (const EdgeLoad& each : loads(to)) load_[each.edge] += part * each.amount;
}

/// Shifts weight from the path of the highest price to that of the lowest while the penalty falls. Bisection finds the
/// amount, as the penalty is convex.
bool WeightDescent::shift(Demand& demand) {
  constexpr size_t kNone = static_cast<size_t>(-1);
  size_t from = kNone;
  size_t to = kNone;
  double highest = 0;
  double lowest = 0;
  for (size_t i = demand.first; i < demand.first + demand.count; ++i) {
    const double here = price(i);
    if (weights_[i] > 1 && (from == kNone || here > highest)) {
      highest = here;
      from = i;
    }
    if (weights_[i] < limit(i, demand.sum) && (to == kNone || here < lowest)) {
      lowest = here;
      to = i;
    }
  }
  if (from == kNone || to == kNone || highest <= lowest) return false;
  const auto penalty_of = [&](int weight) {
    const double part = static_cast<double>(weight) / demand.sum;
    return penalty(from, -part) + penalty(to, part);
  };
  int low = 0;
  int high = std::min(weights_[from] - 1, limit(to, demand.sum) - weights_[to]);
  while (low < high) {
    const int middle = low + (high - low + 1) / 2;
    if (penalty_of(middle) < penalty_of(middle - 1)) low = middle;
    else high = middle - 1;
  }
  if (low > 0) move(demand, from, to, low);
  return low > 0;
}

bool WeightDescent::sweep() {
  bool any = false;
  for (Demand& demand : demands_) any = shift(demand) || any;
  recount();
  return any;
}

/// Doubles the sums of weights up to `most`, which halves the parts that a demand can shift.
bool WeightDescent::refine(int most) {
  bool any = false;
  for (Demand& demand : demands_) {
    if (2 * demand.sum > most) continue;
    for (size_t i = demand.first; i < demand.first + demand.count; ++i) weights_[i] *= 2;
    demand.sum *= 2;
    any = true;
  }
  return any;
}

void WeightDescent::descend(double target, int most) {
  target_ = target;
  const auto within = [&] { return largest() <= target_ * (1 + kRounding); };
  do {
    for (int i = 0; i < kSweeps && !within() && sweep(); ++i) {
    }
  } while (!within() && refine(most));
}

/// By the slopes of the penalty as prices of edges. Without an excess they prove nothing.
double WeightDescent::proved_bound() const {
  double worth = 0;
  double paid = 0;
  std::vector<double> prices(load_.size());
  for (std::uint32_t edge = 0; edge < load_.size(); ++edge) {
    prices[edge] = excess(edge, 0) / capacity_[edge];
    worth += capacity_[edge] * prices[edge];
    paid += fixed_[edge] * prices[edge];
  }
  for (const Demand& demand : demands_) {
    double least = std::numeric_limits<double>::infinity();
    for (size_t i = demand.first; i < demand.first + demand.count; ++i) least = std::min(least, price(i));
    paid += least;
  }
  return worth > 0 ? paid / worth : 0;
}

/// Aims below the optimum, at the target that the bound so far allows at best; the descent towards it improves both.
/// The bound holds without the limits of paths, so the descent ignores them.
double WeightDescent::lower_bound(double share) const {
  WeightDescent fine = *this;
  for (Path& path : fine.paths_) path.most = 1;
  for (int i = 0; i < kFineHalvings; ++i) fine.refine(kFineSum);
  fine.target_ = 0;
  double bound = fine.proved_bound();
  for (int i = 0; i < kBoundSweeps; ++i) {
    fine.target_ = bound / share;
    if (fine.largest() <= fine.target_) break;
    fine.sweep();
    bound = std::max(bound, fine.proved_bound());
  }
  return bound;
}

bool WeightDescent::keeps(const Demand& demand, const std::vector<double>& room) const {
  for (size_t i = demand.first; i < demand.first + demand.count; ++i) {
    for (const EdgeLoad& each : loads(i)) {
      if (load_[each.edge] > room[each.edge] * (1 + kRounding)) return false;
    }
  }
  return true;
}

void WeightDescent::replace(Demand& demand, const std::vector<int>& weights) {
  add_load(demand, -1);
  std::copy(weights.begin(), weights.end(), weights_.begin() + static_cast<std::ptrdiff_t>(demand.first));
  demand.sum = sum_of(weights);
  add_load(demand, 1);
}

std::vector<int> WeightDescent::standard(const Demand& demand) const {
  std::vector<int> weights;
  for (size_t i = demand.first; i < demand.first + demand.count; ++i) weights.push_back(paths_[i].standard);
  return weights;
}

/// Tries sums in ascending order after the standard weights. room: the largest load of each edge.
void WeightDescent::simplify_demand(size_t number, const std::vector<double>& room) {
  Demand& demand = demands_[number];
  const std::vector<int> found = weights(number);
  const int sum = demand.sum;
  replace(demand, standard(demand));
  bool fits = keeps(demand, room);
  for (int smaller = static_cast<int>(found.size()) + 1; smaller < sum && !fits; ++smaller) {
    std::vector<int> limits;
    for (size_t i = demand.first; i < demand.first + demand.count; ++i) limits.push_back(limit(i, smaller));
    const std::vector<int> weights = apportioned(found, smaller, limits);
    if (weights.empty()) continue;
    replace(demand, weights);
    fits = keeps(demand, room);
  }
  if (!fits) replace(demand, found);
}

/// Per edge, what each divided demand there may add so that all of them together keep the target.
std::vector<double> WeightDescent::allowances() const {
  std::vector<int> on_edge(load_.size(), 0);
  for (const EdgeLoad& each : loads_) ++on_edge[each.edge];
  std::vector<double> allowances;
  for (size_t edge = 0; edge < load_.size(); ++edge) {
    allowances.push_back(std::max(0.0, capacity_[edge] * target_ - load_[edge]) / std::max(1, on_edge[edge]));
  }
  return allowances;
}

/// Demands whose weights have a large sum come first, while edges have most room. In a first pass each takes only its
/// own allowance, or the first demands would use up all room.
void WeightDescent::simplify() {
  std::vector<size_t> order;
  for (size_t number = 0; number < demands_.size(); ++number) {
    if (reduced(weights(number)) != reduced(standard(demands_[number]))) order.push_back(number);
    else replace(demands_[number], standard(demands_[number]));
  }
  const auto sum = [&](size_t number) { return sum_of(reduced(weights(number))); };
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) { return sum(a) > sum(b); });
  const std::vector<double> allowance = allowances();
  std::vector<double> room(load_.size());
  for (const size_t number : order) {
    for (size_t i = demands_[number].first; i < demands_[number].first + demands_[number].count; ++i) {
      for (const EdgeLoad& each : loads(i)) room[each.edge] = load_[each.edge] + allowance[each.edge];
    }
    simplify_demand(number, room);
  }
  for (size_t edge = 0; edge < room.size(); ++edge) room[edge] = capacity_[edge] * target_;
  for (const size_t number : order) simplify_demand(number, room);
  recount();
}

}  // namespace fnn
