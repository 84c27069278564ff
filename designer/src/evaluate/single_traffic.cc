// SPDX-License-Identifier: GPL-3.0-or-later
#include "evaluate/single_traffic.h"

#include <algorithm>
#include <limits>

namespace fnn {
namespace {

using std::size_t;

/// Mean and minimum of Mb/s, as numbers of links.
class MeanAndLeast {
 public:
  void add(double mbps) {
    sum_ += mbps;
    least_ = std::min(least_, mbps);
    ++count_;
  }

  Json to_json(const Fabric& fabric) const {
    return {{"mean", round_decimals(sum_ / count_ / fabric.unit_mbps)}, {"min", round_decimals(least_ / fabric.unit_mbps)}};
  }

 private:
  double sum_ = 0;
  double least_ = std::numeric_limits<double>::infinity();
  double count_ = 0;
};

/// The paths of a pair, and the parts of its flows over each.
struct Paths {
  std::vector<SharedLeg> shared;
  std::vector<double> mbps;
  std::vector<double> equal;
  std::vector<double> weighted;

  Paths(const Fabric& fabric, const Weights& weights, size_t a, size_t b)
      : shared(shared_legs(fabric.legs[a], fabric.legs[b])),
        equal(parts_of({}, shared.size())),
        weighted(parts_of(weights.of(a, b), shared.size())) {
    for (const SharedLeg& leg : shared) {
      mbps.push_back(std::min(fabric.legs[a][leg.from_leg].mbps, fabric.legs[b][leg.to_leg].mbps));
    }
  }

  /// 0 without a path.
  double throughput(const std::vector<double>& parts) const {
    double least = shared.empty() ? 0 : std::numeric_limits<double>::infinity();
    for (size_t i = 0; i < shared.size(); ++i) least = std::min(least, mbps[i] / parts[i]);
    return least;
  }

  double expected(const std::vector<double>& parts) const {
    double sum = 0;
    for (size_t i = 0; i < shared.size(); ++i) sum += mbps[i] * parts[i];
    return sum;
  }

  double over(size_t from_leg) const {
    for (size_t i = 0; i < shared.size(); ++i) {
      if (shared[i].from_leg == from_leg) return mbps[i];
    }
    return 0;
  }
};

}  // namespace

Json single_pair(const Fabric& fabric, const Weights& weights) {
  MeanAndLeast advanced;
  MeanAndLeast weighted;
  for (size_t a = 0; a < fabric.nodes(); ++a) {
    for (size_t b = a + 1; b < fabric.nodes(); ++b) {
      const Paths paths(fabric, weights, a, b);
      advanced.add(paths.throughput(paths.equal));
      weighted.add(paths.throughput(paths.weighted));
    }
  }
  return {{"advanced", advanced.to_json(fabric)}, {"weighted", weighted.to_json(fabric)}};
}

Json single_flow(const Fabric& fabric, const Choice& choice, const Weights& weights) {
  MeanAndLeast basic;
  MeanAndLeast advanced;
  MeanAndLeast weighted;
  for (size_t from = 0; from < fabric.nodes(); ++from) {
    for (size_t to = 0; to < fabric.nodes(); ++to) {
      if (from == to) continue;
      const Paths paths(fabric, weights, from, to);
      basic.add(paths.over(choice.leg(from, to)));
      advanced.add(paths.expected(paths.equal));
      weighted.add(paths.expected(paths.weighted));
    }
  }
  return {{"basic", basic.to_json(fabric)}, {"advanced", advanced.to_json(fabric)}, {"weighted", weighted.to_json(fabric)}};
}

}  // namespace fnn
