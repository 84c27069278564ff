// SPDX-License-Identifier: GPL-3.0-or-later
#include "pipeline.h"

#include <cstdlib>
#include <numeric>

#include "alternatives/alternative.h"
#include "alternatives/alternatives_document.h"
#include "base/problem.h"
#include "design/check.h"
#include "design/design_document.h"
#include "engine_runs.h"
#include "evaluate/evaluation_document.h"
#include "export/exports.h"
#include "export/wiring_facts.h"
#include "export/wiring_table.h"
#include "oracle/verdict.h"
#include "program/cable_list.h"
#include "program/flat_alternative.h"
#include "program/infeasibility_report.h"
#include "program/text_format.h"
#include "redesigns.h"
#include "routing/routes_document.h"
#include "spec/topology_rules.h"
#include "topology/topology_check.h"
#include "topology/topology_design.h"
#include "topology/topology_evaluation.h"

namespace fnn::fuzzing {
namespace {

constexpr std::size_t kMostNodes = 9;
constexpr std::size_t kMostSwitches = 8;
constexpr std::size_t kMostNics = 28;

const Sampling kSampling{1, 2, 1};

Json flat_design(const Spec& spec, std::int64_t seed, const std::vector<Bound>& bounds) {
  const Designed found = design(spec, std::nullopt, brief_request(seed), [](std::int64_t, const Individual&) {});
  if (found.infeasible) checked_certificate(spec, *found.infeasible);
  Json document = design_document(spec, found.cabling, seed, bounds, found.moves);
  require(!found.infeasible || document["verdict"] != "found", "a design of what is proved infeasible", document);
  return document;
}

std::vector<Problem> violations_of(const Design& design) {
  return is_flat_neighborhood(design.spec.normal) ? check_design(design, std::vector<NamePair>{})
                                                  : check_topology_design(design);
}

/// With every alternative; a design that is none is also compared with a flat neighborhood network.
void compare(const Design& design) {
  AlternativesWanted wanted{alternative_names(), std::nullopt};
  if (is_flat_neighborhood(design.spec.normal)) {
    const Json evaluation = evaluation_document(design, kSampling);
    alternatives_document(design, measured_flat_network(design, evaluation, kSampling.seed), wanted, kSampling);
    return;
  }
  const Json evaluation = topology_evaluation(design, kSampling);
  wanted.flat = flat_alternative(design, wanted.prices, evaluation["link_mbps"], kSampling);
  alternatives_document(design, measured_topology(design, evaluation), wanted, kSampling);
}

void export_design(const Design& design) {
  for (const auto& text : {graphml_of(design), dot_of(design), netbox_of(design), slurm_of(design),
                           simgrid_of(design, false, 1), simgrid_of(design, true, 1), text_of_design(design.document)}) {
    if (text.empty()) std::abort();
  }
  parse_cable_list(cable_list_of(design.document), "cables", design.spec);
}

}  // namespace

bool is_small(const Spec& spec) {
  const auto nics = std::accumulate(spec.nodes.begin(), spec.nodes.end(), std::size_t{0},
                                    [](std::size_t sum, const Node& node) { return sum + node.nic_media.size(); });
  return spec.nodes.size() <= kMostNodes && spec.switches.size() <= kMostSwitches && nics <= kMostNics;
}

std::optional<Json> designed(const Spec& spec, std::int64_t seed) {
  Json document;
  if (is_flat_neighborhood(spec.normal)) {
    const std::vector<Bound> bounds = compute_bounds(spec);
    if (const auto broken = broken_bound(bounds)) {
      checked_certificate(spec, *broken);
      return std::nullopt;
    }
    document = flat_design(spec, seed, bounds);
  } else {
    document = topology_design(spec, seed);
  }
  require_none(violations_of(read_design(document)), document);
  return document;
}

bool use_design(const Design& design) {
  if (!violations_of(design).empty()) return false;
  if (!is_small(design.spec)) return true;
  wiring_table(wiring_facts(design.document, design.spec));
  compare(design);
  if (!is_flat_neighborhood(design.spec.normal)) return true;
  routes_document(design, 1);
  export_design(design);
  redesign(design);
  return true;
}

}  // namespace fnn::fuzzing
