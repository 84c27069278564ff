// SPDX-License-Identifier: GPL-3.0-or-later
#include "evaluate/evaluation_document.h"

#include "base/digest.h"
#include "evaluate/aapc.h"
#include "evaluate/cost.h"
#include "evaluate/ebb.h"
#include "evaluate/exposure.h"
#include "evaluate/forwarding.h"
#include "evaluate/pair_measures.h"
#include "evaluate/pattern_measures.h"
#include "evaluate/worst_case.h"
#include "version.h"

namespace fnn {
namespace {

using std::size_t;

Choice choose(const Fabric& fabric, std::uint64_t seed) {
  Random random(seed);
  return choose_legs(fabric.legs, peer_limits(fabric.legs), random);
}

std::vector<int> usable_ports(const Spec& spec) {
  std::vector<int> ports;
  for (const Switch& device : spec.switches) ports.push_back(device.usable_ports());
  return ports;
}

Effective effective(const Json& ebb, const Fabric& fabric) {
  const auto nodes = static_cast<double>(fabric.nodes());
  return {nodes * ebb["basic"]["sym"]["mean"].get<double>(), nodes * ebb["advanced"]["sym"]["mean"].get<double>()};
}

}  // namespace

Json evaluation_document(const Design& design, const Sampling& sampling) {
  const Fabric fabric = fabric_of(design);
  const Choice choice = choose(fabric, sampling.seed);
  const Bisection best_and_conservative = bisection(fabric);
  const Json ebb = effective_bisection(fabric, choice, sampling);
  return {{"format", "fnn-evaluation"},
          {"version", 1},
          {"cluster", design.spec.cluster},
          {"engine", kEngine},
          {"seed", sampling.seed},
          {"design_digest", digest(design.document)},
          {"nodes", fabric.nodes()},
          {"link_mbps", fabric.unit_mbps},
          {"switches_traversed", switches_traversed(fabric)},
          {"pairwise", pairwise(fabric, usable_ports(design.spec))},
          {"bisection", bisection_json(best_and_conservative, fabric.unit_mbps)},
          {"ebb", ebb},
          {"patterns", pattern_measures(fabric, choice, design.spec, sampling)},
          {"worst_case", worst_case(fabric, choice, design.spec)},
          {"aapc", all_to_all(fabric, choice)},
          {"forwarding_index", forwarding_index(fabric, choice)},
          {"exposure", exposure(fabric, design.spec)},
          {"cost", cost(fabric, design.spec, best_and_conservative, effective(ebb, fabric),
                        cable_meters(fabric, design.spec))}};
}

}  // namespace fnn
