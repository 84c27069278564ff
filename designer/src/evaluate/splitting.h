// SPDX-License-Identifier: GPL-3.0-or-later
// Optimal splitting: the most even distribution of demands over their paths (minimum congestion, equivalent to maximum
// concurrent flow).
//
// The linear program: every demand is split over its paths, a path loads a few edges, and the objective is to
// minimize the largest load of an edge relative to its capacity. Simplex tableaus grow with the square of the number
// of demands, which is half a million for a thousand nodes. The method here sweeps over the demands instead, and
// proves its gap.
//
// It minimizes the sum of capacity * (load / capacity)^(q+1) instead of the largest load; for large q the two are
// nearly the same. The slope of an edge, (load / capacity)^q, is its price. A sweep takes each demand and shifts a
// part of it from its most expensive path in use to its cheapest until both cost the same. Between sweeps the prices
// prove a bound by weak duality: every demand pays at least the price of its cheapest path, and the total payment is
// at most the largest load times the value of all capacity. The method stops when bound and largest load are close
// enough, or after a fixed number of sweeps; the optimum lies between the two.
//
// An example: node 0 with NICs on red and blue has two peers on red alone and one on both. At first all traffic to
// the latter goes over blue. If the peer's own link to blue is expensive, the demand is split.
#pragma once

#include <cstdint>
#include <vector>

#include "routing/edges.h"

namespace fnn {

class Splitting {
 public:
  static constexpr std::uint32_t kNoEdge = fnn::kNoEdge;
  using Path = EdgePath;

  explicit Splitting(std::vector<double> capacity) : capacity_(std::move(capacity)), load_(capacity_.size(), 0) {}

  /// Requires at least one path; the demand starts in equal parts.
  void add(double demand, const std::vector<Path>& paths);

  /// Current maximum of load / capacity.
  double largest() const;

  struct Answer {
    double achieved;  ///< largest load of a splitting that was found
    double bound;     ///< lower bound for every splitting
  };

  /// Runs until `achieved` and `bound` differ by less than the relative `gap`, or for that many sweeps.
  Answer solve(double gap, int sweeps);

 private:
  struct Demand {
    double amount;
    std::uint32_t first;  ///< index of its first path
    std::uint32_t count;
  };

  void sweep();
  void shift(const Demand& demand);
  double price(std::uint32_t edge, double more) const;
  double price_of(std::uint32_t path, double more) const;
  double bound() const;

  std::vector<double> capacity_;
  std::vector<double> load_;
  std::vector<Demand> demands_;
  std::vector<Path> paths_;
  std::vector<double> parts_;  ///< per path, the part of its demand
  double scale_ = 1;           ///< largest load at the start of the sweep
  int squarings_ = 1;          ///< q = 2^squarings
};

}  // namespace fnn
