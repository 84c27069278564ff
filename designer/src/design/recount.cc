// SPDX-License-Identifier: GPL-3.0-or-later
#include "design/recount.h"

#include <algorithm>
#include <cmath>

#include "design/wanted_pairs.h"

namespace fnn {
namespace {

using std::size_t;

/// A node on a switch, with its link.
struct Member {
  size_t node;
  size_t link;  ///< index within the node's links
};

class Counter {
 public:
  Counter(const Json& spec, const ReadLinks& links, long long slowest)
      : links_(links),
        slowest_(static_cast<double>(slowest)),
        pairs_(spec),
        redundancy_(spec["redundancy"]),
        members_(spec["switches"].size()),
        loads_(links.size()) {
    for (size_t node = 0; node < links.size(); ++node) {
      loads_[node].assign(links[node].size(), 0.0);
      for (size_t k = 0; k < links[node].size(); ++k) members_[links[node][k].device].push_back({node, k});
    }
    count_.named = pairs_.any_pair_named();
  }

  Recount run() {
    for (size_t node = 0; node < links_.size(); ++node) {
      count_shared(node);
      for (size_t peer = node + 1; peer < links_.size(); ++peer) count_pair(node, peer);
      load(node);
    }
    for (const auto& of_node : loads_) count_.loads.insert(count_.loads.end(), of_node.begin(), of_node.end());
    for (size_t shared = 1; shared < sharing_.size(); ++shared) {
      if (sharing_[shared] > 0) count_.pairs_sharing.emplace(static_cast<long>(shared), sharing_[shared]);
    }
    return std::move(count_);
  }

 private:
  /// Calls visit(link of the node, member) for every node of higher rank that shares a switch with a node.
  template <typename Visit>
  void for_each_later(size_t node, Visit visit) const {
    for (size_t k = 0; k < links_[node].size(); ++k) {
      const std::vector<Member>& members = members_[links_[node][k].device];
      const auto later = std::upper_bound(members.begin(), members.end(), node,
                                          [](size_t rank, const Member& member) { return rank < member.node; });
      for (auto member = later; member != members.end(); ++member) visit(k, *member);
    }
  }

  void count_shared(size_t node) {
    shared_.assign(links_.size(), 0);
    mbps_.assign(links_.size(), 0);
    weight_.assign(links_.size(), 0.0);
    for_each_later(node, [&](size_t k, const Member& member) {
      ++shared_[member.node];
      mbps_[member.node] += std::min(links_[node][k].mbps, links_[member.node][member.link].mbps);
    });
  }

  void count_pair(size_t node, size_t peer) {
    const long shared = shared_[peer];
    if (static_cast<size_t>(shared) >= sharing_.size()) sharing_.resize(static_cast<size_t>(shared) + 1, 0);
    ++sharing_[static_cast<size_t>(shared)];
    const auto [wanted, weight] = pairs_.lookup(node, peer);
    if (wanted) count_wanted(node, peer, shared);
    if (wanted && (count_.worst_mbps < 0 || mbps_[peer] < count_.worst_mbps)) count_.worst_mbps = mbps_[peer];
    weight_[peer] = weight;
    if (weight > 0) count_communicating(weight, shared, static_cast<double>(mbps_[peer]));
  }

  void count_wanted(size_t node, size_t peer, long shared) {
    ++count_.wanted;
    count_.wanted_shared += shared;
    if (count_.fewest < 0 || shared < count_.fewest) count_.fewest = shared;
    if (shared == redundancy_) ++count_.exposed;
    if (shared < redundancy_) count_.too_few.emplace_back(node, peer);
  }

  void count_communicating(double weight, long shared, double mbps) {
    count_.communicating += 1;
    count_.traffic += weight;
    count_.shared += weight * static_cast<double>(shared);
    count_.mbps += weight * mbps;
    if (mbps > 0) count_.worth += weight * std::pow(mbps / slowest_, 0.875);
  }

  /// The traffic of each pair is split evenly over its shared switches, and loads the links at both ends.
  void load(size_t node) {
    for_each_later(node, [&](size_t k, const Member& member) {
      const double part = weight_[member.node] / static_cast<double>(shared_[member.node]);
      loads_[node][k] += part;
      loads_[member.node][member.link] += part;
    });
  }

  const ReadLinks& links_;
  double slowest_;
  WantedPairs pairs_;
  long redundancy_;
  std::vector<std::vector<Member>> members_;  ///< per switch, in rank order
  std::vector<std::vector<double>> loads_;    ///< per node and link
  std::vector<long> sharing_;
  Recount count_;
  // Between one node and each node of higher rank:
  std::vector<long> shared_;
  std::vector<long long> mbps_;
  std::vector<double> weight_;
};

}  // namespace

Recount recount(const Json& spec, const ReadLinks& links, long long slowest) { return Counter(spec, links, slowest).run(); }

}  // namespace fnn
