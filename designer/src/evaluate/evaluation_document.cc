// SPDX-License-Identifier: GPL-3.0-or-later
#include "evaluate/evaluation_document.h"

#include "base/digest.h"
#include "evaluate/aapc.h"
#include "evaluate/ebb.h"
#include "evaluate/exposure.h"
#include "evaluate/forwarding.h"
#include "evaluate/pair_measures.h"
#include "evaluate/pattern_measures.h"
#include "evaluate/single_traffic.h"
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

}  // namespace

Json evaluation_document(const Design& design, const Sampling& sampling) {
  const Fabric fabric = fabric_of(design);
  const Choice choice = choose(fabric, sampling.seed);
  const Weights weights = choose_weights(fabric.legs, fabric.inside_mbps, own_traffic(design.spec));
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
          {"single_pair", single_pair(fabric, weights)},
          {"single_flow", single_flow(fabric, choice, weights)},
          {"bisection", bisection_json(bisection(fabric), fabric.unit_mbps)},
          {"ebb", effective_bisection(fabric, choice, sampling)},
          {"patterns", pattern_measures(fabric, choice, design.spec, sampling)},
          {"worst_case", worst_case(fabric, choice, weights, design.spec)},
          {"aapc", all_to_all(fabric, choice)},
          {"forwarding_index", forwarding_index(fabric, choice)},
          {"exposure", exposure(fabric, design.spec)}};
}

}  // namespace fnn
