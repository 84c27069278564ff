// SPDX-License-Identifier: GPL-3.0-or-later
#include "evaluate/saturation.h"

#include <algorithm>

#include "evaluate/splitting.h"
#include "routing/edges.h"

namespace fnn {
namespace {

using std::size_t;

constexpr double kGap = 0.0001;
// About two seconds for the million flows of a thousand nodes.
constexpr double kMostWork = 5e7;
constexpr int kMostSweeps = 400;
constexpr int kFewestSweeps = 20;

/// The largest edge load when every flow uses its basic route.
double basic_load(const Fabric& fabric, const Choice& choice, const Edges& edges, const std::vector<DemandedFlow>& flows) {
  Splitting fixed(edges.capacities(false, fabric.unit_mbps));
  for (const auto& [flow, amount] : flows) {
    for (const SharedLeg& leg : shared_legs(fabric.legs[flow.from], fabric.legs[flow.to])) {
      if (leg.from_leg == choice.leg(flow.from, flow.to)) fixed.add(amount, {edges.path(flow.from, flow.to, leg)});
    }
  }
  return fixed.largest();
}

/// The largest edge load when every flow divides by the weights of its pair.
double weighted_load(const Fabric& fabric, const Weights& weights, const Edges& edges,
                     const std::vector<DemandedFlow>& flows) {
  Splitting fixed(edges.capacities(false, fabric.unit_mbps));
  for (const auto& [flow, amount] : flows) {
    const std::vector<SharedLeg> shared = shared_legs(fabric.legs[flow.from], fabric.legs[flow.to]);
    const std::vector<double> parts = parts_of(weights.of(flow.from, flow.to), shared.size());
    for (size_t i = 0; i < shared.size(); ++i) fixed.add(amount * parts[i], {edges.path(flow.from, flow.to, shared[i])});
  }
  return fixed.largest();
}

/// Loads of the flows that are split in equal parts, and as well as possible.
struct SplitLoads {
  double equal;
  Splitting::Answer best;
};

/// Nothing where no flow has a path.
std::optional<SplitLoads> split_flows(const Fabric& fabric, const Edges& edges, const std::vector<DemandedFlow>& flows,
                                      bool symmetric) {
  Splitting splitting(edges.capacities(symmetric, fabric.unit_mbps));
  size_t demands = 0;
  std::vector<Splitting::Path> paths;
  for (const auto& [flow, amount] : flows) {
    if (symmetric && flow.from > flow.to) continue;
    paths.clear();
    for (const SharedLeg& leg : shared_legs(fabric.legs[flow.from], fabric.legs[flow.to])) {
      paths.push_back(symmetric ? edges.symmetric_path(flow.from, flow.to, leg) : edges.path(flow.from, flow.to, leg));
    }
    if (paths.empty()) continue;
    splitting.add(amount, paths);
    ++demands;
  }
  if (demands == 0) return std::nullopt;
  const double equal = splitting.largest();
  const int sweeps = std::clamp(static_cast<int>(kMostWork / static_cast<double>(demands)), kFewestSweeps, kMostSweeps);
  return SplitLoads{equal, splitting.solve(kGap, sweeps)};
}

}  // namespace

std::optional<Saturation> saturate(const Fabric& fabric, const Choice& choice, const Weights& weights,
                                   const std::vector<DemandedFlow>& flows, bool symmetric) {
  const Edges edges(fabric.legs, fabric.inside_mbps);
  const std::optional<SplitLoads> loads = split_flows(fabric, edges, flows, symmetric);
  if (!loads) return std::nullopt;
  return Saturation{1 / basic_load(fabric, choice, edges, flows), 1 / loads->equal,
                    1 / weighted_load(fabric, weights, edges, flows), 1 / loads->best.achieved, 1 / loads->best.bound};
}

std::optional<double> saturation_bound(const Fabric& fabric, const std::vector<DemandedFlow>& flows) {
  const std::optional<SplitLoads> loads = split_flows(fabric, Edges(fabric.legs, fabric.inside_mbps), flows, false);
  if (!loads) return std::nullopt;
  return 1 / loads->best.bound;
}

}  // namespace fnn
