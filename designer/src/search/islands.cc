// SPDX-License-Identifier: GPL-3.0-or-later
#include "search/islands.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <thread>

namespace fnn {
namespace {

class Archipelago {
 public:
  Archipelago(const std::function<Genetic(std::size_t)>& settle, std::size_t threads)
      : settle_(settle), threads_(std::min(threads, kIslands)) {}

  /// One generation on every island; founds the islands in the first round. Islands are handed out
  /// in order, so a single thread that succeeds early leaves the rest of the round undone.
  void round() {
    std::atomic<std::size_t> next{0};
    const auto work = [&] {
      for (std::size_t i = next++; i < kIslands && !abandoned_[i]; i = next++) visit(i);
    };
    std::vector<std::jthread> helpers;
    for (std::size_t i = 1; i < threads_; ++i) helpers.emplace_back(work);
    work();
  }

  /// The lowest numbered island that finished, else the best of all.
  const Genetic& winner() const {
    const Genetic* best = nullptr;
    for (const auto& island : islands_) {
      if (!island) continue;
      if (island->finished()) return *island;
      if (best == nullptr || island->best().better_than(best->best())) best = &*island;
    }
    return *best;
  }

 private:
  void visit(std::size_t i) {
    if (!islands_[i]) islands_[i].emplace(settle_(i));
    islands_[i]->advance(abandoned_[i]);
    if (!islands_[i]->finished()) return;
    // Whatever the islands with higher numbers find in this round, this one comes before them.
    for (std::size_t later = i + 1; later < kIslands; ++later) abandoned_[later] = true;
  }

  const std::function<Genetic(std::size_t)>& settle_;
  std::size_t threads_;
  std::array<std::optional<Genetic>, kIslands> islands_;
  std::array<std::atomic<bool>, kIslands> abandoned_{};
};

}  // namespace

Outcome search_islands(const Limits& limits, const Movable& movable, const Objective& objective,
                       const std::vector<Wiring>& seeds, const GeneticSettings& settings, std::uint64_t seed,
                       const Budget& budget, const Report& report) {
  const std::function<Genetic(std::size_t)> settle = [&](std::size_t island) {
    return Genetic(limits, movable, objective, seeds, settings, seed * kIslands + island);
  };
  Archipelago archipelago(settle, budget.threads);
  std::int64_t generations = 0;
  const auto goes_on = [&] {
    if (generations == 0) return true;  // there must be something to return
    if (archipelago.winner().finished()) return false;
    if (budget.generations && generations >= *budget.generations) return false;
    return std::chrono::steady_clock::now() < budget.deadline;
  };
  while (goes_on()) {
    archipelago.round();
    ++generations;
    report(generations, archipelago.winner().best().uncovered);
  }
  return {archipelago.winner().best(), archipelago.winner().finished(), generations};
}

}  // namespace fnn
