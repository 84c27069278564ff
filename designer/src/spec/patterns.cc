// SPDX-License-Identifier: GPL-3.0-or-later
// Patterns are generated as programs communicate: each node in turn lists its destinations. This may list a pair
// twice, as with nodes 0 and 1 of a ring of two; duplicates are removed.
#include "spec/patterns.h"

#include <algorithm>
#include <bit>
#include <functional>
#include <map>
#include <utility>

#include "spec/spec.h"

namespace fnn {
namespace {

using Pairs = std::vector<std::pair<int, int>>;

/// Collects the pairs of one pattern and removes duplicates.
class PairCollector {
 public:
  void add(int from, int to) {
    if (from != to) pairs_.emplace_back(std::min(from, to), std::max(from, to));
  }
  Pairs sorted() && {
    std::sort(pairs_.begin(), pairs_.end());
    pairs_.erase(std::unique(pairs_.begin(), pairs_.end()), pairs_.end());
    return std::move(pairs_);
  }

 private:
  Pairs pairs_;
};

int bits_of(int nodes) { return static_cast<int>(std::bit_width(static_cast<unsigned>(nodes))) - 1; }

void send_to(int nodes, const std::function<int(int)>& target, PairCollector& sends) {
  for (int node = 0; node < nodes; ++node) sends.add(node, target(node));
}

/// Neighbors, or all other nodes, on the lines through each node along each dimension; the first dimension varies
/// fastest.
void send_along(int nodes, const std::vector<int>& dims, bool lines, PairCollector& sends) {
  int stride = 1;
  for (const int dim : dims) {
    const int farthest = lines ? dim - 1 : 1;
    for (int node = 0; node < nodes; ++node) {
      const int place = node / stride % dim;
      for (int step = 1; step <= farthest; ++step) sends.add(node, node + ((place + step) % dim - place) * stride);
    }
    stride *= dim;
  }
}

void send_within_groups(int nodes, int size, PairCollector& sends) {
  for (int node = 0; node < nodes; ++node) {
    const int end = std::min(nodes, (node / size + 1) * size);
    for (int peer = node + 1; peer < end; ++peer) sends.add(node, peer);
  }
}

int reversed(int node, int bits) {
  int result = 0;
  for (int bit = 0; bit < bits; ++bit) result = result << 1 | (node >> bit & 1);
  return result;
}

int side_of(int nodes) {
  int side = 1;
  while (side * side < nodes) ++side;
  return side;
}

Pairs pairs_of(const Json& pattern, int nodes) {
  const std::string kind = pattern["kind"];
  const auto number = [&](const char* key) { return pattern[key].get<int>(); };
  PairCollector sends;
  if (kind == "ring") send_to(nodes, [&](int i) { return (i + 1) % nodes; }, sends);
  if (kind == "shift") send_to(nodes, [&](int i) { return (i + number("offset")) % nodes; }, sends);
  if (kind == "torus") send_along(nodes, pattern["dims"], pattern["reach"] == "lines", sends);
  if (kind == "grid") send_along(nodes, {number("rows"), number("cols")}, true, sends);
  if (kind == "groups") send_within_groups(nodes, number("size"), sends);
  if (kind == "bit-reversal") send_to(nodes, [&](int i) { return reversed(i, bits_of(nodes)); }, sends);
  if (kind == "transpose") {
    const int side = side_of(nodes);
    send_to(nodes, [&](int i) { return i % side * side + i / side; }, sends);
  }
  if (kind == "tree") send_to(nodes, [](int i) { return i & (i - 1); }, sends);
  if (kind == "hypercube") {
    for (int bit = 1; bit < nodes; bit *= 2) send_to(nodes, [&](int i) { return i ^ bit; }, sends);
  }
  if (kind == "dissemination") {
    for (int hop = 1; hop < nodes; hop *= 2) send_to(nodes, [&](int i) { return (i + hop) % nodes; }, sends);
  }
  return std::move(sends).sorted();
}

/// Each pair once with the sum of its weights, added in input order.
std::vector<WeightedPair> summed(std::vector<WeightedPair> pairs) {
  std::stable_sort(pairs.begin(), pairs.end(),
                   [](const auto& one, const auto& other) { return std::pair(one.a, one.b) < std::pair(other.a, other.b); });
  std::vector<WeightedPair> sums;
  for (const WeightedPair& pair : pairs) {
    if (!sums.empty() && sums.back().a == pair.a && sums.back().b == pair.b) sums.back().weight += pair.weight;
    else sums.push_back(pair);
  }
  return sums;
}

}  // namespace

std::vector<WeightedPair> traffic_of(const Spec& spec) {
  std::vector<WeightedPair> all;
  for (const Json& pattern : spec.normal["patterns"]) {
    const std::vector<WeightedPair> pairs = traffic_of(spec, pattern);
    all.insert(all.end(), pairs.begin(), pairs.end());
  }
  return summed(std::move(all));
}

std::vector<WeightedPair> traffic_of(const Spec& spec, const Json& pattern) {
  const double weight = pattern["weight"];
  std::vector<WeightedPair> pairs;
  if (pattern["kind"] == "pairs") {
    for (const WeightedPair& pair : listed_pairs(spec, pattern["pairs"])) pairs.push_back({pair.a, pair.b, pair.weight * weight});
  }
  for (const auto& [a, b] : pairs_of(pattern, static_cast<int>(spec.nodes.size()))) pairs.push_back({a, b, weight});
  return pairs;
}

std::vector<OwnPattern> own_patterns(const Spec& spec) {
  std::vector<OwnPattern> own;
  for (const Json& pattern : spec.normal["patterns"]) own.push_back({pattern["kind"], traffic_of(spec, pattern)});
  return own;
}

std::vector<OwnPattern> own_traffic(const Spec& spec) {
  std::vector<OwnPattern> own = own_patterns(spec);
  if (std::vector<WeightedPair> all = traffic_of(spec); !all.empty()) own.push_back({"own", std::move(all)});
  return own;
}

std::vector<WeightedPair> listed_pairs(const Spec& spec, const Json& pairs) {
  std::map<std::string, int> ranks;
  for (const Node& node : spec.nodes) ranks.emplace(node.name, static_cast<int>(ranks.size()));
  std::vector<WeightedPair> listed;
  for (const Json& pair : pairs) listed.push_back({ranks.at(pair[0]), ranks.at(pair[1]), pair[2]});
  return listed;
}

}  // namespace fnn
