// SPDX-License-Identifier: GPL-3.0-or-later
// Coordinate descent over integer weights: lowers the loads of edges to a target (weights.h).
//
// Where a target is too low for any division, the descent ends with an excess on some edges, and the slopes of its
// penalty prove that: as prices of edges they give a lower bound by weak duality. Every demand pays at least the price
// of its cheapest path, and all demands pay at most the largest load times the worth of all capacity.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace fnn {

/// Weights in lowest terms.
std::vector<int> reduced(std::vector<int> weights);

/// What an edge carries of a demand whose flows all take one path.
struct EdgeLoad {
  std::uint32_t edge;
  double amount;
};

/// A path of a demand, which divides over its paths in proportion to their weights.
struct WeightedPath {
  std::vector<EdgeLoad> loads;
  int standard;  ///< its weight at the start, at least 1
  double most;   ///< the largest part of the demand that it may get; the standard weights keep it
};

class WeightDescent {
 public:
  explicit WeightDescent(std::vector<double> capacity);

  /// Adds a demand. Demands with several paths are numbered in this order; one with a single path only loads its edges.
  void add(const std::vector<WeightedPath>& paths);

  /// Current maximum of load / capacity.
  double largest() const;
  /// Shifts parts until no edge has more than `target` times its capacity, or no shift helps; the sums of weights
  /// double where needed, up to `most`.
  void descend(double target, int most);
  /// Gives each demand the weights with the smallest sum that keep its edges within the target, the standard weights
  /// first.
  void simplify();

  std::vector<int> weights(std::size_t demand) const;
  /// A lower bound of the largest load of every division of the demands. Tries to prove `share` of the largest load
  /// that it finds.
  double lower_bound(double share) const;

 private:
  struct Demand {
    std::size_t first;  ///< index of its first path
    std::size_t count;
    int sum;            ///< of its weights
  };
  struct Path {
    std::size_t first;  ///< index of its first load
    std::size_t count;
    int standard;
    double most;
  };

  std::span<const EdgeLoad> loads(std::size_t path) const {
    return {loads_.data() + paths_[path].first, paths_[path].count};
  }
  void recount();
  bool refine(int most);
  bool sweep();
  bool shift(Demand& demand);
  void move(const Demand& demand, std::size_t from, std::size_t to, int weight);
  void replace(Demand& demand, const std::vector<int>& weights);
  void simplify_demand(std::size_t number, const std::vector<double>& room);
  std::vector<double> allowances() const;
  std::vector<int> standard(const Demand& demand) const;
  void add_load(const Demand& demand, double sign);
  int limit(std::size_t path, int sum) const;
  double excess(std::uint32_t edge, double more) const;
  double penalty(std::size_t path, double more) const;
  double price(std::size_t path) const;
  bool keeps(const Demand& demand, const std::vector<double>& room) const;
  double proved_bound() const;

  std::vector<double> capacity_;
  std::vector<double> fixed_;  ///< per edge, the load of demands with one path
  std::vector<double> load_;
  std::vector<Demand> demands_;
  std::vector<Path> paths_;
  std::vector<EdgeLoad> loads_;
  std::vector<int> weights_;  ///< per path
  double target_ = 0;
};

}  // namespace fnn
