// SPDX-License-Identifier: GPL-3.0-or-later
// Optimal splitting: how evenly can demands be spread over the ways that each of them has?
//
// A linear program: every demand is split over its ways, a way loads a few edges, and the largest load of an edge by its
// capacity is to be as small as possible. Simplex tableaus grow with the square of the demands, of which there are
// half a million for a thousand nodes; so here is a method that sweeps over them instead, and proves how close it is.
//
// Instead of the largest load it minimizes the sum of capacity * (load / capacity)^(q+1), which for large q is nearly the
// same. The slope of an edge, (load / capacity)^q, is its price. A sweep takes each demand and shifts some of it from
// its dearest way in use to its cheapest until both cost the same. Between sweeps the prices prove a bound: whatever
// the splitting, every demand pays at least its cheapest way, and the edges together earn at most the largest load times
// the worth of all capacity (weak duality). When bound and largest load are close enough, or after so many sweeps,
// that is that: the optimum lies between the two.
//
// An example: node 0 with NICs on red and blue has two peers on red alone and one on both. All of the latter goes
// over blue at first sight; its red end might be dear for the peer, though, and then it is split.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace fnn {

class Splitting {
 public:
  static constexpr std::uint32_t kNoEdge = 0xFFFFFFFFU;
  /// A way of a demand: the edges that it loads.
  using Way = std::array<std::uint32_t, 3>;

  explicit Splitting(std::vector<double> capacity) : capacity_(std::move(capacity)), load_(capacity_.size(), 0) {}

  /// At least one way; the demand starts out in equal parts.
  void add(double demand, const std::vector<Way>& ways);

  /// Largest load by capacity as things are.
  double largest() const;

  struct Answer {
    double achieved;  ///< a splitting with this largest load was found
    double bound;     ///< there is none with less
  };

  /// Until the two are closer than `gap`, of either, or for so many sweeps.
  Answer solve(double gap, int sweeps);

 private:
  struct Demand {
    double amount;
    std::uint32_t first;  ///< of its ways
    std::uint32_t count;
  };

  void sweep();
  void shift(const Demand& demand);
  double price(std::uint32_t edge, double more) const;
  double price_of(std::uint32_t way, double more) const;
  double bound() const;

  std::vector<double> capacity_;
  std::vector<double> load_;
  std::vector<Demand> demands_;
  std::vector<Way> ways_;
  std::vector<double> parts_;  ///< of a demand, on each of its ways
  double scale_ = 1;           ///< the largest load when the sweep began
  int squarings_ = 1;          ///< q = 2^squarings
};

}  // namespace fnn
