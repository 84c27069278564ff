// SPDX-License-Identifier: GPL-3.0-or-later
#include "routing/ceiling.h"

#include <algorithm>
#include <set>
#include <utility>

#include "routing/peer_bound.h"

namespace fnn {
namespace {

using std::size_t;

/// A rate as peers on a link of a given speed.
struct Rate {
  long long peers;
  long long mbps;
  bool operator<(const Rate& other) const { return peers * other.mbps < other.peers * mbps; }
};

/// A pair of nodes and the switches that remain allowed for it.
struct Pair {
  size_t a;
  size_t b;
  std::vector<SharedLeg> choices;
};

/// Propagates the constraints that follow from a ceiling.
class ConstraintPropagation {
 public:
  ConstraintPropagation(const Legs& legs, const std::vector<Pair>& pairs,
                        const Rate& rate) : pairs_(pairs), pairs_of_node_(legs.size()) {
    for (const auto& of_node : legs) {
      capacity_.emplace_back();
      for (const Leg& leg : of_node) capacity_.back().push_back(rate.peers * leg.mbps / rate.mbps);
      forced_.emplace_back(of_node.size(), 0);
    }
    for (size_t i = 0; i < pairs_.size(); ++i) {
      pairs_of_node_[pairs_[i].a].push_back(i);
      pairs_of_node_[pairs_[i].b].push_back(i);
    }
  }

  /// Propagates all consequences; returns whether they contradict the rate.
  bool refutes() {
    for (const Pair& pair : pairs_) {
      if (pair.choices.size() == 1) force(pair);
    }
    // NICs with capacity 0 are full before any pair is forced there.
    for (size_t node = 0; node < capacity_.size(); ++node) {
      for (size_t leg = 0; leg < capacity_[node].size(); ++leg) check_nic(node, leg);
    }
    while (!full_.empty() && !refuted_) {
      const auto [node, leg] = full_.back();
      full_.pop_back();
      close_nic(node, leg);
    }
    return refuted_;
  }

 private:
  void force(const Pair& pair) {
    for (const auto& [node, leg] : {std::pair{pair.a, pair.choices.front().from_leg},
                                    std::pair{pair.b, pair.choices.front().to_leg}}) {
      ++forced_[node][leg];
      check_nic(node, leg);
    }
  }

  void check_nic(size_t node, size_t leg) {
    if (forced_[node][leg] > capacity_[node][leg]) refuted_ = true;
    if (forced_[node][leg] == capacity_[node][leg]) full_.emplace_back(node, leg);
  }

  /// Removes a full NIC from all pairs that have another choice.
  void close_nic(size_t node, size_t leg) {
    for (const size_t i : pairs_of_node_[node]) {
      Pair& pair = pairs_[i];
      if (pair.choices.size() < 2) continue;
      const bool first = pair.a == node;
      const auto uses = [&](const SharedLeg& shared) { return (first ? shared.from_leg : shared.to_leg) == leg; };
      if (std::erase_if(pair.choices, uses) > 0 && pair.choices.size() == 1) force(pair);
    }
  }

  std::vector<Pair> pairs_;
  std::vector<std::vector<size_t>> pairs_of_node_;  ///< per node, its pairs
  std::vector<std::vector<long long>> capacity_;
  std::vector<std::vector<long long>> forced_;  ///< pairs without another choice
  std::vector<std::pair<size_t, size_t>> full_;
  bool refuted_ = false;
};

std::vector<Pair> pairs_of(const Legs& legs) {
  std::vector<Pair> pairs;
  for (size_t a = 0; a < legs.size(); ++a) {
    for (size_t b = a + 1; b < legs.size(); ++b) {
      Pair pair{a, b, shared_legs(legs[a], legs[b])};
      if (!pair.choices.empty()) pairs.push_back(std::move(pair));
    }
  }
  return pairs;
}

/// Rates at which some NIC is exactly full, ascending from the highest bound of a single node.
std::vector<Rate> rates_from(const Rate& lowest, const Legs& legs) {
  std::set<long long> speeds;
  for (const auto& of_node : legs) {
    for (const Leg& leg : of_node) speeds.insert(leg.mbps);
  }
  std::set<Rate> rates;
  for (const long long mbps : speeds) {
    for (long long peers = 1; peers < static_cast<long long>(legs.size()); ++peers) {
      if (!(Rate{peers, mbps} < lowest)) rates.insert({peers, mbps});
    }
  }
  rates.insert(lowest);
  return {rates.begin(), rates.end()};
}

/// At the lowest rate that propagation does not refute.
std::vector<std::vector<int>> common_ceiling(const Legs& legs, const std::vector<std::vector<int>>& bounds) {
  Rate rate{0, 1};
  for (size_t node = 0; node < legs.size(); ++node) {
    for (size_t leg = 0; leg < legs[node].size(); ++leg) rate = std::max(rate, Rate{bounds[node][leg], legs[node][leg].mbps});
  }
  const std::vector<Pair> pairs = pairs_of(legs);
  for (const Rate& next : rates_from(rate, legs)) {
    rate = next;
    if (!ConstraintPropagation(legs, pairs, rate).refutes()) break;
  }
  std::vector<std::vector<int>> ceiling;
  for (const auto& of_node : legs) {
    ceiling.emplace_back();
    for (const Leg& leg : of_node) ceiling.back().push_back(static_cast<int>(rate.peers * leg.mbps / rate.mbps));
  }
  return ceiling;
}

}  // namespace

PeerLimits peer_limits(const Legs& legs) {
  auto own = peer_bounds(legs);
  auto ceiling = common_ceiling(legs, own);
  return {std::move(own), std::move(ceiling)};
}

}  // namespace fnn
