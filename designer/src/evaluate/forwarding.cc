// SPDX-License-Identifier: GPL-3.0-or-later
#include "evaluate/forwarding.h"

#include <algorithm>
#include <numeric>

#include "design/shared_switches.h"

namespace fnn {
namespace {

using std::size_t;

Json summary(const std::vector<int>& routes) {
  if (routes.empty()) return nullptr;
  const long long sum = std::accumulate(routes.begin(), routes.end(), 0LL);
  return {{"min", *std::min_element(routes.begin(), routes.end())},
          {"mean", exact_number({sum, static_cast<std::int64_t>(routes.size())})},
          {"max", *std::max_element(routes.begin(), routes.end())}};
}

/// Route counts of the upward, then of the downward direction of all links.
std::vector<int> nic_route_counts(const Fabric& fabric, const Choice& choice) {
  std::vector<size_t> first;
  size_t links = 0;
  for (const auto& of_node : fabric.legs) {
    first.push_back(links);
    links += of_node.size();
  }
  std::vector<int> routes(2 * links, 0);
  for (size_t from = 0; from < fabric.nodes(); ++from) {
    for (size_t to = 0; to < fabric.nodes(); ++to) {
      for_each_shared(fabric.legs[from], fabric.legs[to], [&](size_t from_leg, size_t to_leg) {
        if (choice.leg(from, to) != from_leg) return;
        ++routes[first[from] + from_leg];
        ++routes[links + first[to] + to_leg];
      });
    }
  }
  return routes;
}

}  // namespace

Json forwarding_index(const Fabric& fabric, const Choice& choice) {
  const auto uplinked = static_cast<size_t>(std::count(fabric.uplinked.begin(), fabric.uplinked.end(), true));
  return {{"nic", summary(nic_route_counts(fabric, choice))}, {"switch", summary(std::vector<int>(2 * uplinked, 0))}};
}

}  // namespace fnn
