// SPDX-License-Identifier: GPL-3.0-or-later
#include "evaluate/saturation.h"

#include <algorithm>

#include "design/shared_switches.h"
#include "evaluate/splitting.h"

namespace fnn {
namespace {

using std::size_t;

constexpr double kGap = 0.0001;
// About two seconds for the million flows of a thousand nodes.
constexpr double kMostWork = 5e7;
constexpr int kMostSweeps = 400;
constexpr int kFewestSweeps = 20;

/// Edge numbers: links upward, links downward, the insides of switches.
class Edges {
 public:
  explicit Edges(const Fabric& fabric) : fabric_(fabric) {
    for (const auto& of_node : fabric.legs) {
      first_.push_back(links_);
      links_ += of_node.size();
    }
  }

  /// Only oversubscribed switches have an inside edge.
  Splitting::Path path(Flow flow, SharedLeg leg) const {
    const auto device = static_cast<size_t>(fabric_.legs[flow.from][leg.from_leg].device);
    const bool oversubscribed = fabric_.inside_mbps[device] < fabric_.links_mbps[device];
    return {number(first_[flow.from] + leg.from_leg), number(links_ + first_[flow.to] + leg.to_leg),
            oversubscribed ? number(2 * links_ + device) : Splitting::kNoEdge};
  }

  /// Both directions of a pair at once: upward and downward loads are equal, so upward links represent both.
  Splitting::Path symmetric_path(Flow flow, SharedLeg leg) const {
    Splitting::Path path = this->path(flow, leg);
    path[1] = number(first_[flow.to] + leg.to_leg);
    return path;
  }

  /// In links.
  std::vector<double> capacities(bool symmetric) const {
    std::vector<double> capacity;
    for (const auto& of_node : fabric_.legs) {
      for (const Leg& leg : of_node) capacity.push_back(links(leg.mbps));
    }
    capacity.resize(2 * links_);
    std::copy_n(capacity.begin(), links_, capacity.begin() + static_cast<std::ptrdiff_t>(links_));
    for (size_t device = 0; device < fabric_.links.size(); ++device) {
      const long long mbps = std::min(fabric_.inside_mbps[device], std::max(1LL, fabric_.links_mbps[device]));
      capacity.push_back(links(mbps) / (symmetric ? 2 : 1));
    }
    return capacity;
  }

 private:
  static std::uint32_t number(size_t edge) { return static_cast<std::uint32_t>(edge); }
  double links(long long mbps) const { return static_cast<double>(mbps) / fabric_.unit_mbps; }

  const Fabric& fabric_;
  std::vector<size_t> first_;
  size_t links_ = 0;
};

/// The largest edge load when every flow uses its basic route.
double basic_load(const Fabric& fabric, const Choice& choice, const Edges& edges, const std::vector<DemandedFlow>& flows) {
  Splitting fixed(edges.capacities(false));
  for (const auto& [flow, amount] : flows) {
    for (const SharedLeg& leg : shared_legs(fabric.legs[flow.from], fabric.legs[flow.to])) {
      if (leg.from_leg == choice.leg(flow.from, flow.to)) fixed.add(amount, {edges.path(flow, leg)});
    }
  }
  return fixed.largest();
}

}  // namespace

std::optional<Saturation> saturate(const Fabric& fabric, const Choice& choice, const std::vector<DemandedFlow>& flows,
                                   bool symmetric) {
  const Edges edges(fabric);
  Splitting splitting(edges.capacities(symmetric));
  size_t demands = 0;
  std::vector<Splitting::Path> paths;
  for (const auto& [flow, amount] : flows) {
    if (symmetric && flow.from > flow.to) continue;
    paths.clear();
    for (const SharedLeg& leg : shared_legs(fabric.legs[flow.from], fabric.legs[flow.to])) {
      paths.push_back(symmetric ? edges.symmetric_path(flow, leg) : edges.path(flow, leg));
    }
    if (paths.empty()) continue;
    splitting.add(amount, paths);
    ++demands;
  }
  if (demands == 0) return std::nullopt;
  const double advanced = splitting.largest();
  const int sweeps = std::clamp(static_cast<int>(kMostWork / static_cast<double>(demands)), kFewestSweeps, kMostSweeps);
  const Splitting::Answer best = splitting.solve(kGap, sweeps);
  return Saturation{1 / basic_load(fabric, choice, edges, flows), 1 / advanced, 1 / best.achieved, 1 / best.bound};
}

}  // namespace fnn
