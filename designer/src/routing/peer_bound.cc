// SPDX-License-Identifier: GPL-3.0-or-later
#include "routing/peer_bound.h"

#include <algorithm>
#include <map>
#include <numeric>

namespace fnn {
namespace {

using std::size_t;

/// Peers reachable over the same legs.
struct Group {
  std::vector<size_t> legs;
  int peers;
};

std::vector<Group> groups_of(size_t node, const Legs& legs) {
  std::map<std::vector<size_t>, int> peers;
  std::vector<size_t> choice;
  for (size_t peer = 0; peer < legs.size(); ++peer) {
    if (peer == node) continue;
    choice.clear();
    for (const SharedLeg& shared : shared_legs(legs[node], legs[peer])) choice.push_back(shared.from_leg);
    if (!choice.empty()) ++peers[choice];
  }
  std::vector<Group> groups;
  for (const auto& [over, count] : peers) groups.push_back({over, count});
  return groups;
}

/// Bipartite flow from groups to legs; full legs move peers to other legs along the shortest augmenting path.
class PeerFlow {
 public:
  PeerFlow(const std::vector<Group>& groups, std::vector<int> capacity)
      : groups_(groups), capacity_(std::move(capacity)), flow_(groups.size(), std::vector<int>(capacity_.size(), 0)) {}

  bool carries_all() {
    for (size_t group = 0; group < groups_.size(); ++group) {
      for (int left = groups_[group].peers; left > 0;) {
        const int assigned = augment(group, left);
        if (assigned == 0) return false;
        left -= assigned;
      }
    }
    return true;
  }

 private:
  static constexpr size_t kNone = static_cast<size_t>(-1);

  struct Step {
    size_t from_leg = kNone;  ///< leg whose peers move away; none for a leg of the group itself
    size_t group = kNone;     ///< the group whose peers move there
  };

  /// Augments: assigns up to `peers` of a group along one path; returns the number assigned.
  int augment(size_t group, int peers) {
    std::vector<Step> predecessor(capacity_.size());
    std::vector<bool> seen(capacity_.size(), false);
    std::vector<size_t> queue;
    const auto reach = [&](size_t leg, const Step& step) {
      if (seen[leg]) return;
      seen[leg] = true;
      predecessor[leg] = step;
      queue.push_back(leg);
    };
    for (const size_t leg : groups_[group].legs) reach(leg, {kNone, group});
    for (size_t at = 0; at < queue.size(); ++at) {
      const size_t leg = queue[at];
      if (capacity_[leg] > 0) return push(leg, predecessor, std::min(peers, capacity_[leg]));
      for (size_t other = 0; other < groups_.size(); ++other) {
        if (flow_[other][leg] == 0) continue;
        for (const size_t next : groups_[other].legs) reach(next, {leg, other});
      }
    }
    return 0;
  }

  int push(size_t end, const std::vector<Step>& predecessor, int peers) {
    for (size_t leg = end; predecessor[leg].from_leg != kNone; leg = predecessor[leg].from_leg) {
      peers = std::min(peers, flow_[predecessor[leg].group][predecessor[leg].from_leg]);
    }
    capacity_[end] -= peers;
    for (size_t leg = end; leg != kNone; leg = predecessor[leg].from_leg) {
      flow_[predecessor[leg].group][leg] += peers;
      if (predecessor[leg].from_leg != kNone) flow_[predecessor[leg].group][predecessor[leg].from_leg] -= peers;
    }
    return peers;
  }

  const std::vector<Group>& groups_;
  std::vector<int> capacity_;
  std::vector<std::vector<int>> flow_;
};

/// The capacity of each leg at `peers` peers on a leg of speed `mbps`.
std::vector<int> capacity_at(const std::vector<Leg>& legs, long long peers, long long mbps) {
  std::vector<int> capacity;
  for (const Leg& leg : legs) capacity.push_back(static_cast<int>(peers * leg.mbps / mbps));
  return capacity;
}

std::vector<int> bound_of(size_t node, const Legs& legs) {
  const std::vector<Group> groups = groups_of(node, legs);
  const int all = std::accumulate(groups.begin(), groups.end(), 0, [](int sum, const Group& g) { return sum + g.peers; });
  long long slowest = 0;
  for (const Leg& leg : legs[node]) slowest = slowest == 0 ? leg.mbps : std::min<long long>(slowest, leg.mbps);
  // The least sufficient capacity is exhausted on some leg, so only whole numbers of peers on each leg are tried.
  std::vector<int> least;
  for (const Leg& leg : legs[node]) {
    long long low = 0;
    long long high = (all * static_cast<long long>(leg.mbps) + slowest - 1) / slowest;  // each leg has capacity for all
    while (low < high) {
      const long long middle = low + (high - low) / 2;
      if (PeerFlow(groups, capacity_at(legs[node], middle, leg.mbps)).carries_all()) high = middle;
      else low = middle + 1;
    }
    std::vector<int> capacity = capacity_at(legs[node], low, leg.mbps);
    if (least.empty() || capacity < least) least = std::move(capacity);
  }
  return least;
}

}  // namespace

std::vector<std::vector<int>> peer_bounds(const Legs& legs) {
  std::vector<std::vector<int>> bounds;
  for (size_t node = 0; node < legs.size(); ++node) bounds.push_back(bound_of(node, legs));
  return bounds;
}

}  // namespace fnn
