// SPDX-License-Identifier: GPL-3.0-or-later
#include "evaluate/splitting.h"

#include <algorithm>
#include <limits>

namespace fnn {
namespace {

constexpr int kMostSquarings = 13;
constexpr int kHalvings = 14;
constexpr int kSweepsPerPower = 12;

}  // namespace

void Splitting::add(double demand, const std::vector<Path>& paths) {
  const double part = demand / static_cast<double>(paths.size());
  demands_.push_back({demand, static_cast<std::uint32_t>(paths_.size()), static_cast<std::uint32_t>(paths.size())});
  for (const Path& path : paths) {
    paths_.push_back(path);
    parts_.push_back(part);
    for (const std::uint32_t edge : path) {
      if (edge != kNoEdge) load_[edge] += part;
    }
  }
}

double Splitting::largest() const {
  double most = 0;
  for (std::size_t edge = 0; edge < load_.size(); ++edge) most = std::max(most, load_[edge] / capacity_[edge]);
  return most;
}

/// Uses products only, so that the rounding is the same on every machine.
double Splitting::price(std::uint32_t edge, double more) const {
  double power = std::max(0.0, (load_[edge] + more) / (capacity_[edge] * scale_));
  for (int i = 0; i < squarings_; ++i) power *= power;
  return power;
}

double Splitting::price_of(std::uint32_t path, double more) const {
  double sum = 0;
  for (const std::uint32_t edge : paths_[path]) {
    if (edge != kNoEdge) sum += price(edge, more);
  }
  return sum;
}

/// Bisection between shifting nothing and shifting everything finds the amount at which two paths cost the same.
void Splitting::shift(const Demand& demand) {
  std::uint32_t dearest = kNoEdge;
  std::uint32_t cheapest = kNoEdge;
  double most = -1;
  double least = std::numeric_limits<double>::infinity();
  for (std::uint32_t path = demand.first; path < demand.first + demand.count; ++path) {
    const double here = price_of(path, 0);
    if (parts_[path] > 0 && here > most) {
      most = here;
      dearest = path;
    }
    if (here < least) {
      least = here;
      cheapest = path;
    }
  }
  if (dearest == cheapest || most <= least) return;
  double low = 0;
  double high = parts_[dearest];
  if (price_of(dearest, -high) >= price_of(cheapest, high)) low = high;
  for (int i = 0; i < kHalvings && low < high; ++i) {
    const double middle = (low + high) / 2;
    if (price_of(dearest, -middle) >= price_of(cheapest, middle)) low = middle;
    else high = middle;
  }
  parts_[dearest] -= low;
  parts_[cheapest] += low;
  for (const std::uint32_t edge : paths_[dearest]) {
    if (edge != kNoEdge) load_[edge] -= low;
  }
  for (const std::uint32_t edge : paths_[cheapest]) {
    if (edge != kNoEdge) load_[edge] += low;
  }
}

void Splitting::sweep() {
  scale_ = largest();
  for (const Demand& demand : demands_) {
    if (demand.count > 1) shift(demand);
  }
}

double Splitting::bound() const {
  double worth = 0;
  std::vector<double> prices(load_.size());
  for (std::uint32_t edge = 0; edge < load_.size(); ++edge) {
    prices[edge] = price(edge, 0);
    worth += capacity_[edge] * prices[edge];
  }
  double paid = 0;
  for (const Demand& demand : demands_) {
    double least = std::numeric_limits<double>::infinity();
    for (std::uint32_t path = demand.first; path < demand.first + demand.count; ++path) {
      double sum = 0;
      for (const std::uint32_t edge : paths_[path]) sum += edge == kNoEdge ? 0 : prices[edge];
      least = std::min(least, sum);
    }
    paid += demand.amount * least;
  }
  return worth > 0 ? paid / worth : 0;
}

Splitting::Answer Splitting::solve(double gap, int sweeps) {
  Answer answer{largest(), 0};
  int at_this_power = 0;
  for (int i = 0; i < sweeps && answer.achieved > 0; ++i) {
    sweep();
    scale_ = largest();
    answer.achieved = std::min(answer.achieved, scale_);
    answer.bound = std::max(answer.bound, bound());
    if (answer.bound >= (1 - gap) * answer.achieved) break;
    if (++at_this_power < kSweepsPerPower || squarings_ == kMostSquarings) continue;
    ++squarings_;
    at_this_power = 0;
  }
  return answer;
}

}  // namespace fnn
