// SPDX-License-Identifier: GPL-3.0-or-later
// Estimating a mean from random patterns: the same number for a seed, however many threads.
//
// Patterns are drawn in chunks of a fixed size, each with a random generator of its own, and what chunks find is put
// together in their order.
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

/// Mean and spread of numbers as they come, by Welford's recurrence: of equal numbers the spread is exactly 0.
class Moments {
 public:
  void add(double number);
  void add(const Moments& others);

  std::size_t count() const { return count_; }
  double mean() const { return mean_; }
  /// Half the width of the interval that holds the true mean 19 times out of 20.
  double margin() const;

 private:
  std::size_t count_ = 0;
  double mean_ = 0;
  double squares_ = 0;  ///< of differences from the mean
};

/// {"mean", "low", "high", "patterns"} of bandwidths, none of which is below 0.
Json estimate(const Moments& moments);

/// Uniform random orders, one after the other. Two draws of 32 bits come from one of 64.
class Orders {
 public:
  Orders(std::size_t size, std::uint64_t seed);

  /// The next order; it stays good until then.
  const std::vector<std::uint16_t>& next();

 private:
  Random random_;
  std::vector<std::uint16_t> order_;
};

std::uint64_t chunk_seed(std::uint64_t seed, std::size_t chunk);

/// Calls draw(worker, orders, found) for every pattern. `Found` is what a chunk gathers; it has add(const Found&).
/// make() gives each thread a worker of its own.
template <typename Found, typename Make, typename Draw>
Found sample(std::size_t nodes, const Sampling& sampling, Make make, Draw draw) {
  constexpr std::size_t kChunk = 128;
  const std::size_t chunks = (sampling.patterns + kChunk - 1) / kChunk;
  std::vector<Found> found(chunks);
  std::atomic<std::size_t> next{0};
  const auto work = [&] {
    auto worker = make();
    for (std::size_t chunk = next++; chunk < chunks; chunk = next++) {
      Orders orders(nodes, chunk_seed(sampling.seed, chunk));
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
