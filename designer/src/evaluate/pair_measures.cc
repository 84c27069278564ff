// SPDX-License-Identifier: GPL-3.0-or-later
#include "evaluate/pair_measures.h"

#include <algorithm>
#include <map>
#include <string>

#include "base/units.h"

namespace fnn {
namespace {

using std::size_t;

constexpr int kOverUplink = 3;  // the sender's switch, the uplink switch, the receiver's switch

/// Histogram of unordered pairs by their bandwidth.
std::map<long long, long long> pairs_by_mbps(const Fabric& fabric) {
  std::map<long long, long long> pairs;
  for (size_t a = 0; a < fabric.nodes(); ++a) {
    for (size_t b = a + 1; b < fabric.nodes(); ++b) ++pairs[fabric.pair_mbps(a, b)];
  }
  return pairs;
}

Rational mean_of(const std::map<long long, long long>& pairs, const Fabric& fabric) {
  long long sum = 0;
  for (const auto& [mbps, count] : pairs) sum += mbps * count;
  return fabric.units(sum) / Rational(fabric.pairs());
}

std::vector<bool> uplinked_nodes(const Fabric& fabric) {
  std::vector<bool> uplinked;
  for (const auto& of_node : fabric.legs) {
    uplinked.push_back(std::any_of(of_node.begin(), of_node.end(), [&](const Leg& leg) {
      return fabric.uplinked[static_cast<size_t>(leg.device)];
    }));
  }
  return uplinked;
}

/// The formula for full switches: the sum of S(S - 1) over switches in use, divided by P(P - 1).
Rational paper_formula(const Fabric& fabric, const std::vector<int>& ports) {
  const auto nodes = static_cast<long long>(fabric.nodes());
  long long meetings = 0;
  for (size_t device = 0; device < ports.size(); ++device) {
    const long long full = std::min<long long>(ports[device], nodes);
    if (fabric.links[device] > 0) meetings += full * (full - 1);
  }
  return {meetings, nodes * (nodes - 1)};
}

Json with_gbps(const Rational& links, int unit_mbps) {
  Json number = exact_number(links);
  number["gbps"] = round_decimals(links.value() * unit_mbps / kMbpsPerGbps);
  return number;
}

}  // namespace

Json switches_traversed(const Fabric& fabric) {
  const std::vector<bool> uplinked = uplinked_nodes(fabric);
  long long flat = 0;
  long long over_uplink = 0;
  for (size_t a = 0; a < fabric.nodes(); ++a) {
    for (size_t b = a + 1; b < fabric.nodes(); ++b) {
      if (fabric.pair_mbps(a, b) > 0) flat += 2;
      else if (uplinked[a] && uplinked[b]) over_uplink += 2;
    }
  }
  Json histogram = Json::object();
  if (flat > 0) histogram["1"] = flat;
  if (over_uplink > 0) histogram[std::to_string(kOverUplink)] = over_uplink;
  const long long reached = flat + over_uplink;
  const Json mean = reached == 0 ? Json(nullptr) : exact_number({flat + kOverUplink * over_uplink, reached});
  return {{"mean", mean}, {"histogram", histogram}, {"unreached", 2 * fabric.pairs() - reached}};
}

Rational mean_pairwise(const Fabric& fabric) { return mean_of(pairs_by_mbps(fabric), fabric); }

Json pairwise(const Fabric& fabric, const std::vector<int>& ports) {
  const std::map<long long, long long> pairs = pairs_by_mbps(fabric);
  Json histogram = Json::object();
  for (const auto& [mbps, count] : pairs) histogram[fabric.units(mbps).text()] = count;
  return {{"mean", exact_number(mean_of(pairs, fabric))},
          {"min", exact_number(fabric.units(pairs.begin()->first))},
          {"histogram", histogram},
          {"paper", exact_number(paper_formula(fabric, ports))}};
}

Bisection bisection(const Fabric& fabric) {
  long long best = 0;
  for (size_t device = 0; device < fabric.links.size(); ++device) {
    best += std::min(fabric.links_mbps[device], fabric.inside_mbps[device]);
  }
  return {fabric.units(best), Rational(static_cast<long long>(fabric.nodes())) * mean_pairwise(fabric)};
}

Json bisection_json(const Bisection& bisection, int unit_mbps) {
  return {{"best", with_gbps(bisection.best, unit_mbps)},
          {"conservative", with_gbps(bisection.conservative, unit_mbps)},
          {"convention", "both-directions"}};
}

}  // namespace fnn
