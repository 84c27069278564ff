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
    for (const SharedLeg& shared : shared_legs(legs[node], legs[peer])) choice.push_back(shared.mine);
    if (!choice.empty()) ++peers[choice];
  }
  std::vector<Group> groups;
  for (const auto& [over, count] : peers) groups.push_back({over, count});
  return groups;
}

/// Bipartite flow from groups to legs; full legs move peers to other legs along the shortest augmenting path.
class Seating {
 public:
  Seating(const std::vector<Group>& groups, std::vector<int> room)
      : groups_(groups), room_(std::move(room)), seated_(groups.size(), std::vector<int>(room_.size(), 0)) {}

  bool seats_all() {
    for (size_t group = 0; group < groups_.size(); ++group) {
      for (int left = groups_[group].peers; left > 0;) {
        const int seated = seat(group, left);
        if (seated == 0) return false;
        left -= seated;
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
  int seat(size_t group, int peers) {
    std::vector<Step> way(room_.size());
    std::vector<bool> seen(room_.size(), false);
    std::vector<size_t> queue;
    const auto reach = [&](size_t leg, const Step& step) {
      if (seen[leg]) return;
      seen[leg] = true;
      way[leg] = step;
      queue.push_back(leg);
    };
    for (const size_t leg : groups_[group].legs) reach(leg, {kNone, group});
    for (size_t at = 0; at < queue.size(); ++at) {
      const size_t leg = queue[at];
      if (room_[leg] > 0) return push(leg, way, std::min(peers, room_[leg]));
      for (size_t other = 0; other < groups_.size(); ++other) {
        if (seated_[other][leg] == 0) continue;
        for (const size_t next : groups_[other].legs) reach(next, {leg, other});
      }
    }
    return 0;
  }

  int push(size_t end, const std::vector<Step>& way, int peers) {
    for (size_t leg = end; way[leg].from_leg != kNone; leg = way[leg].from_leg) {
      peers = std::min(peers, seated_[way[leg].group][way[leg].from_leg]);
    }
    room_[end] -= peers;
    for (size_t leg = end; leg != kNone; leg = way[leg].from_leg) {
      seated_[way[leg].group][leg] += peers;
      if (way[leg].from_leg != kNone) seated_[way[leg].group][way[leg].from_leg] -= peers;
    }
    return peers;
  }

  const std::vector<Group>& groups_;
  std::vector<int> room_;
  std::vector<std::vector<int>> seated_;
};

/// The capacity of each leg at `peers` peers on a leg of speed `mbps`.
std::vector<int> room_at(const std::vector<Leg>& legs, long long peers, long long mbps) {
  std::vector<int> room;
  for (const Leg& leg : legs) room.push_back(static_cast<int>(peers * leg.mbps / mbps));
  return room;
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
      if (Seating(groups, room_at(legs[node], middle, leg.mbps)).seats_all()) high = middle;
      else low = middle + 1;
    }
    std::vector<int> room = room_at(legs[node], low, leg.mbps);
    if (least.empty() || room < least) least = std::move(room);
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
