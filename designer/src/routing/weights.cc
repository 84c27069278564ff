// SPDX-License-Identifier: GPL-3.0-or-later
#include "routing/weights.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <map>
#include <numeric>

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

/// Both directions of every pair, as demands of the descent. Adds the pairs with several switches to `pairs`.
WeightDescent all_to_all(const Legs& legs, const std::vector<long long>& inside_mbps, std::vector<PairWeights>& pairs) {
  const Edges edges(legs, inside_mbps);
  const double guaranteed = guaranteed_mbps(legs, inside_mbps);
  WeightDescent descent(edges.capacities(true, 1));
  std::vector<WeightedPath> paths;
  for_each_pair(legs, [&](const SharingPair& pair) {
    const std::vector<int> standard = in_proportion(pair.mbps);
    const double sum = std::accumulate(standard.begin(), standard.end(), 0.0);
    paths.clear();
    for (size_t i = 0; i < pair.shared.size(); ++i) {
      const double most = std::max(pair.mbps[i] / guaranteed, standard[i] / sum);
      paths.push_back({edges.symmetric_path(pair.a, pair.b, pair.shared[i]), standard[i], most});
    }
    descent.add(paths);
    if (pair.shared.size() > 1) pairs.push_back({pair.a, pair.b, {}});
  });
  return descent;
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

Weights choose_weights(const Legs& legs, const std::vector<long long>& inside_mbps) {
  std::vector<PairWeights> pairs;
  WeightDescent descent = all_to_all(legs, inside_mbps, pairs);
  if (pairs.empty()) return Weights(legs.size());
  descent.descend(descent.lower_bound(kBoundShare) / kWeightsShare, kLargestSum);
  descent.simplify();
  for (size_t i = 0; i < pairs.size(); ++i) pairs[i].weights = reduced(descent.weights(i));
  std::erase_if(pairs, [](const PairWeights& pair) { return are_equal(pair.weights); });
  return Weights(legs.size(), pairs);
}

}  // namespace fnn
