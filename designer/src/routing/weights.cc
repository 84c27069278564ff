// SPDX-License-Identifier: GPL-3.0-or-later
#include "routing/weights.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <map>
#include <numeric>
#include <utility>

#include "design/shared_switches.h"
#include "routing/edges.h"
#include "routing/weight_descent.h"

namespace fnn {
namespace {

using std::size_t;

constexpr double kBoundShare = 0.99;  // of the best load found, by which the bound may miss the optimum
constexpr int kMostSumOfSpeeds = 64;

/// Small integers in proportion to speeds: exact where their sum is small, else rounded.
std::vector<int> in_proportion(const std::vector<int>& mbps) {
  const int divisor = std::accumulate(mbps.begin(), mbps.end(), 0, [](int a, int b) { return std::gcd(a, b); });
  const long long sum = std::accumulate(mbps.begin(), mbps.end(), 0LL);
  std::vector<int> weights;
  for (const int each : mbps) {
    const bool small = sum / divisor <= kMostSumOfSpeeds;
    weights.push_back(small ? each / divisor : std::max(1, static_cast<int>(1LL * each * kMostSumOfSpeeds / sum)));
  }
  return weights;
}

/// A pair of nodes that share switches.
struct SharingPair {
  size_t a;
  size_t b;
  std::vector<SharedLeg> shared;
  std::vector<int> mbps;  ///< of the path over each
};

/// Calls visit(pair) for every pair of nodes that shares a switch.
template <typename Visit>
void for_each_pair(const Legs& legs, Visit visit) {
  SharingPair pair;
  for (pair.a = 0; pair.a < legs.size(); ++pair.a) {
    for (pair.b = pair.a + 1; pair.b < legs.size(); ++pair.b) {
      pair.shared.clear();
      pair.mbps.clear();
      for_each_shared(legs[pair.a], legs[pair.b], [&](size_t i, size_t j) {
        pair.shared.push_back({i, j});
        pair.mbps.push_back(std::min(legs[pair.a][i].mbps, legs[pair.b][j].mbps));
      });
      if (!pair.shared.empty()) visit(pair);
    }
  }
}

/// A lower bound of the Mb/s of a flow in any permutation with equal parts: by the weakest pair, and by oversubscribed
/// switches that all their nodes use at once.
double guaranteed_mbps(const Legs& legs, const std::vector<long long>& inside_mbps) {
  double guaranteed = std::numeric_limits<double>::infinity();
  std::vector<double> crossing(inside_mbps.size(), 0);  // per switch, the largest part of a flow there
  for_each_pair(legs, [&](const SharingPair& pair) {
    const auto count = static_cast<double>(pair.shared.size());
    guaranteed = std::min(guaranteed, count * *std::min_element(pair.mbps.begin(), pair.mbps.end()));
    for (const SharedLeg& leg : pair.shared) {
      double& part = crossing[static_cast<size_t>(legs[pair.a][leg.from_leg].device)];
      part = std::max(part, 1 / count);
    }
  });
  std::vector<double> nodes(inside_mbps.size(), 0);
  for (const auto& of_node : legs) {
    for (const Leg& leg : of_node) ++nodes[static_cast<size_t>(leg.device)];
  }
  for (size_t device = 0; device < inside_mbps.size(); ++device) {
    const double flows = nodes[device] * crossing[device];
    if (flows > 0) guaranteed = std::min(guaranteed, static_cast<double>(inside_mbps[device]) / flows);
  }
  return guaranteed;
}

/// Traffic of pairs at once: all to all, or a pattern.
class Traffic {
 public:
  Traffic() = default;
  explicit Traffic(const OwnPattern& pattern) : is_all_to_all_(false) {
    for (const WeightedPair& pair : pattern.pairs) amounts_.emplace(std::pair(pair.a, pair.b), pair.weight);
  }

  /// Of a pair in each direction; 0 without traffic.
  double amount(size_t a, size_t b) const {
    if (is_all_to_all_) return 1;
    const auto found = amounts_.find(std::pair(static_cast<int>(a), static_cast<int>(b)));
    return found == amounts_.end() ? 0 : found->second;
  }

  double bound = 1;  ///< lower bound of its largest load

 private:
  bool is_all_to_all_ = true;
  std::map<std::pair<int, int>, double> amounts_;
};

/// The edges that a path loads in each traffic, which are numbered one traffic after another.
std::vector<EdgeLoad> loads_of(const EdgePath& path, const std::vector<double>& amounts, size_t edges) {
  std::vector<EdgeLoad> loads;
  for (size_t i = 0; i < amounts.size(); ++i) {
    for (const std::uint32_t edge : path) {
      if (edge == kNoEdge || amounts[i] == 0) continue;
      loads.push_back({static_cast<std::uint32_t>(i * edges + edge), amounts[i]});
    }
  }
  return loads;
}

/// Both directions of every pair, as demands of the descent. The largest load of each traffic is in units of its bound.
WeightDescent descent_for(const Legs& legs, const std::vector<long long>& inside_mbps,
                          const std::vector<Traffic>& traffic) {
  const Edges edges(legs, inside_mbps);
  const double guaranteed = guaranteed_mbps(legs, inside_mbps);
  const std::vector<double> capacity = edges.capacities(true, 1);
  std::vector<double> capacities;
  for (const Traffic& each : traffic) {
    for (const double mbps : capacity) capacities.push_back(mbps * each.bound);
  }
  WeightDescent descent(capacities);
  std::vector<WeightedPath> paths;
  std::vector<double> amounts(traffic.size());
  for_each_pair(legs, [&](const SharingPair& pair) {
    for (size_t i = 0; i < traffic.size(); ++i) amounts[i] = traffic[i].amount(pair.a, pair.b);
    if (std::ranges::all_of(amounts, [](double amount) { return amount == 0; })) return;
    const std::vector<int> standard = in_proportion(pair.mbps);
    const double sum = std::accumulate(standard.begin(), standard.end(), 0.0);
    paths.clear();
    for (size_t i = 0; i < pair.shared.size(); ++i) {
      const double most = std::max(pair.mbps[i] / guaranteed, standard[i] / sum);
      const EdgePath path = edges.symmetric_path(pair.a, pair.b, pair.shared[i]);
      paths.push_back({loads_of(path, amounts, capacity.size()), standard[i], most});
    }
    descent.add(paths);
  });
  return descent;
}

/// All to all, and the patterns in which any pair shares a switch. Each gets its bound.
std::vector<Traffic> list_traffic(const Legs& legs, const std::vector<long long>& inside_mbps,
                                  const std::vector<OwnPattern>& patterns) {
  std::vector<Traffic> traffic(1);
  for (const OwnPattern& pattern : patterns) traffic.emplace_back(pattern);
  for (Traffic& each : traffic) each.bound = descent_for(legs, inside_mbps, {each}).lower_bound(kBoundShare);
  std::erase_if(traffic, [](const Traffic& each) { return each.bound <= 0; });
  return traffic;
}

bool are_equal(const std::vector<int>& weights) {
  return std::adjacent_find(weights.begin(), weights.end(), std::not_equal_to<>()) == weights.end();
}

}  // namespace

Weights::Weights(size_t nodes, const std::vector<PairWeights>& pairs)
    : nodes_(nodes), entries_(nodes * nodes, 0), table_(1) {
  std::map<std::vector<int>, std::uint32_t> entries;
  for (const PairWeights& pair : pairs) entries.emplace(pair.weights, 0);
  for (auto& [weights, entry] : entries) {
    entry = static_cast<std::uint32_t>(table_.size());
    table_.push_back(weights);
  }
  for (const PairWeights& pair : pairs) {
    entries_[pair.a * nodes_ + pair.b] = entries_[pair.b * nodes_ + pair.a] = entries.at(pair.weights);
  }
}

std::vector<double> parts_of(const std::vector<int>& weights, size_t switches) {
  if (weights.empty()) return std::vector<double>(switches, 1.0 / static_cast<double>(switches));
  const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
  std::vector<double> parts;
  for (const int weight : weights) parts.push_back(weight / sum);
  return parts;
}

Weights choose_weights(const Legs& legs, const std::vector<long long>& inside_mbps,
                       const std::vector<OwnPattern>& patterns) {
  std::vector<PairWeights> pairs;  // in the order of the demands, as all-to-all traffic has every pair
  for_each_pair(legs, [&](const SharingPair& pair) {
    if (pair.shared.size() > 1) pairs.push_back({pair.a, pair.b, {}});
  });
  if (pairs.empty()) return Weights(legs.size());
  const std::vector<Traffic> traffic = list_traffic(legs, inside_mbps, patterns);
  WeightDescent descent = descent_for(legs, inside_mbps, traffic);
  // One division may not be the best for several patterns at once.
  const double bound = traffic.size() > 1 ? std::max(1.0, descent.lower_bound(kBoundShare)) : 1.0;
  descent.descend(bound / kWeightsShare, kLargestSum);
  descent.simplify();
  for (size_t i = 0; i < pairs.size(); ++i) pairs[i].weights = reduced(descent.weights(i));
  std::erase_if(pairs, [](const PairWeights& pair) { return are_equal(pair.weights); });
  return Weights(legs.size(), pairs);
}

}  // namespace fnn
