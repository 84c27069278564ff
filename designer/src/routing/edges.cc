// SPDX-License-Identifier: GPL-3.0-or-later
#include "routing/edges.h"

#include <algorithm>

namespace fnn {
namespace {

using std::size_t;

std::uint32_t edge_number(size_t edge) { return static_cast<std::uint32_t>(edge); }

}  // namespace

Edges::Edges(const Legs& legs, const std::vector<long long>& inside_mbps) : legs_(legs) {
  std::vector<long long> links_mbps(inside_mbps.size(), 0);
  for (const auto& of_node : legs) {
    first_.push_back(links_);
    links_ += of_node.size();
    for (const Leg& leg : of_node) links_mbps[static_cast<size_t>(leg.device)] += leg.mbps;
  }
  for (size_t device = 0; device < inside_mbps.size(); ++device) {
    oversubscribed_.push_back(inside_mbps[device] < links_mbps[device]);
    inside_mbps_.push_back(std::min(inside_mbps[device], std::max(1LL, links_mbps[device])));
  }
}

EdgePath Edges::path(size_t from, size_t to, SharedLeg leg) const {
  const auto device = static_cast<size_t>(legs_[from][leg.from_leg].device);
  return {edge_number(first_[from] + leg.from_leg), edge_number(links_ + first_[to] + leg.to_leg),
          oversubscribed_[device] ? edge_number(2 * links_ + device) : kNoEdge};
}

EdgePath Edges::symmetric_path(size_t from, size_t to, SharedLeg leg) const {
  EdgePath path = this->path(from, to, leg);
  path[1] = edge_number(first_[to] + leg.to_leg);
  return path;
}

std::vector<double> Edges::capacities(bool symmetric, int unit_mbps) const {
  const auto units = [&](long long mbps) { return static_cast<double>(mbps) / unit_mbps; };
  std::vector<double> capacity;
  for (const auto& of_node : legs_) {
    for (const Leg& leg : of_node) capacity.push_back(units(leg.mbps));
  }
  capacity.resize(2 * links_);
  std::copy_n(capacity.begin(), links_, capacity.begin() + static_cast<std::ptrdiff_t>(links_));
  for (const long long mbps : inside_mbps_) capacity.push_back(units(mbps) / (symmetric ? 2 : 1));
  return capacity;
}

}  // namespace fnn
