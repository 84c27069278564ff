// SPDX-License-Identifier: GPL-3.0-or-later
#include "evaluate/sampling.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "evaluate/rational.h"

namespace fnn {

using std::size_t;

void Moments::add(double number) {
  ++count_;
  const double step = number - mean_;
  mean_ += step / static_cast<double>(count_);
  squares_ += step * (number - mean_);
}

void Moments::add(const Moments& others) {
  if (others.count_ == 0) return;
  const auto mine = static_cast<double>(count_);
  const auto theirs = static_cast<double>(others.count_);
  const double step = others.mean_ - mean_;
  count_ += others.count_;
  mean_ += step * (theirs / (mine + theirs));
  squares_ += others.squares_ + step * step * (mine * theirs / (mine + theirs));
}

double Moments::margin() const {
  constexpr double kNineteenOfTwenty = 1.96;
  if (count_ < 2) return 0;
  const auto count = static_cast<double>(count_);
  return kNineteenOfTwenty * std::sqrt(squares_ / (count - 1) / count);
}

Json estimate(const Moments& moments) {
  return {{"mean", round_decimals(moments.mean())},
          {"low", round_decimals(std::max(0.0, moments.mean() - moments.margin()))},
          {"high", round_decimals(moments.mean() + moments.margin())},
          {"patterns", moments.count()}};
}

RandomOrders::RandomOrders(size_t size, std::uint64_t seed) : random_(seed), order_(size) {
  std::iota(order_.begin(), order_.end(), std::uint16_t{0});
}

const std::vector<std::uint16_t>& RandomOrders::next() {
  std::uint16_t* const order = order_.data();
  const auto below = [](std::uint64_t bits, size_t n) { return static_cast<size_t>((bits * n) >> 32U); };
  size_t i = order_.size();
  for (; i > 2; i -= 2) {
    const std::uint64_t bits = random_.next();
    std::swap(order[i - 1], order[below(bits >> 32U, i)]);
    std::swap(order[i - 2], order[below(bits & 0xFFFFFFFFU, i - 1)]);
  }
  if (i == 2) std::swap(order[1], order[below(random_.next() >> 32U, 2)]);
  return order_;
}

std::uint64_t chunk_seed(std::uint64_t seed, size_t chunk) {
  // Random hashes its seed, so neighboring seeds are as good as any others.
  constexpr std::uint64_t kStride = 0xD1342543DE82EF95U;
  return seed * kStride + chunk;
}

}  // namespace fnn
