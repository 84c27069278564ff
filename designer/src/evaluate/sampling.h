// SPDX-License-Identifier: GPL-3.0-or-later
// Monte Carlo estimate of a mean over random patterns: the same seed gives the same number with any number of
// threads.
//
// Patterns are drawn in chunks of a fixed size. Each chunk has its own random generator, and the results of chunks
// are merged in their order.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <thread>
#include <vector>

#include "base/json_text.h"
#include "base/random.h"

namespace fnn {

struct Sampling {
  std::uint64_t seed = 1;
  std::size_t patterns = 10000;
  std::size_t threads = 1;
};

/// Running mean and variance by Welford's recurrence; the spread of equal numbers is exactly 0.
class Moments {
 public:
  void add(double number);
  void add(const Moments& others);

  std::size_t count() const { return count_; }
  double mean() const { return mean_; }
  /// Half the width of the 95 % confidence interval of the mean.
  double margin() const;

 private:
  std::size_t count_ = 0;
  double mean_ = 0;
  double squares_ = 0;  ///< sum of squared differences from the mean
};

/// {"mean", "low", "high", "patterns"} of bandwidths; `low` is at least 0.
Json estimate(const Moments& moments);

/// A sequence of uniformly random permutations. One 64-bit number provides two draws of 32 bits.
class RandomOrders {
 public:
  RandomOrders(std::size_t size, std::uint64_t seed);

  /// The next permutation; the next call invalidates it.
  const std::vector<std::uint16_t>& next();

 private:
  Random random_;
  std::vector<std::uint16_t> order_;
};

std::uint64_t chunk_seed(std::uint64_t seed, std::size_t chunk);

/// Calls draw(worker, orders, found) for every pattern. `Found` accumulates the results of a chunk and has add(const
/// Found&). make() creates one worker per thread.
template <typename Found, typename Make, typename Draw>
Found sample(std::size_t nodes, const Sampling& sampling, Make make, Draw draw) {
  constexpr std::size_t kChunk = 128;
  const std::size_t chunks = (sampling.patterns + kChunk - 1) / kChunk;
  std::vector<Found> found(chunks);
  std::atomic<std::size_t> next{0};
  const auto work = [&] {
    auto worker = make();
    for (std::size_t chunk = next++; chunk < chunks; chunk = next++) {
      RandomOrders orders(nodes, chunk_seed(sampling.seed, chunk));
      const std::size_t end = std::min(sampling.patterns, (chunk + 1) * kChunk);
      for (std::size_t pattern = chunk * kChunk; pattern < end; ++pattern) draw(worker, orders, found[chunk]);
    }
  };
  {
    std::vector<std::jthread> helpers;
    for (std::size_t i = 1; i < std::min(sampling.threads, chunks); ++i) helpers.emplace_back(work);
    work();
  }
  Found all;
  for (const Found& each : found) all.add(each);
  return all;
}

}  // namespace fnn
