// SPDX-License-Identifier: GPL-3.0-or-later
#include "design/design_reading.h"

#include <limits>

#include "spec/shape.h"
#include "spec/topology_rules.h"

namespace fnn {
namespace {

constexpr std::size_t kMany = std::numeric_limits<std::size_t>::max();
constexpr std::int64_t kLarge = 1000000000;

/// check() determines which measures are required.
Check quality_shape() {
  const Check count = non_negative_integer(std::numeric_limits<std::int64_t>::max());
  const Check amount = non_negative_number();
  return object_of({{"pairs", kOptional, count},
                    {"wanted", kOptional, count},
                    {"uncovered", kOptional, count},
                    {"shared", kOptional, any_object()},
                    {"min_shared", kOptional, count},
                    {"mean_shared", kOptional, amount},
                    {"mean_shared_by_traffic", kOptional, amount},
                    {"mean_gbps", kOptional, amount},
                    {"worst_gbps", kOptional, amount},
                    {"worst_gbps_at_most", kOptional, amount},
                    {"below_nic", kOptional, count},
                    {"exposed", kOptional, count},
                    {"peak_load", kOptional, amount},
                    {"links", kOptional, count},
                    {"unused_nics", kOptional, count},
                    {"unused_ports", kOptional, count},
                    {"cable_length_m", kOptional, amount},
                    {"price", kOptional, amount},
                    {"kept_links", kOptional, count},
                    {"moved_links", kOptional, count},
                    {"headroom", kOptional, count},
                    {"score", kOptional, any_number()}});
}

Check link_to_switch() {
  return object_of({{"nic", kRequired, non_negative_integer(kLarge)},
                    {"switch", kRequired, name_of_length(kLongestName)},
                    {"speed_mbps", kOptional, positive_integer(kLarge)},
                    {"port_mbps", kOptional, positive_integer(kLarge)}});
}

/// To a switch or to a NIC of another node; check_topology_design() determines which.
Check link_of_topology() {
  const Check peer = object_of({{"node", kRequired, host_name()},
                                {"nic", kRequired, non_negative_integer(kLarge)}});
  return object_of({{"nic", kRequired, non_negative_integer(kLarge)},
                    {"switch", kOptional, name_of_length(kLongestName)},
                    {"peer", kOptional, peer}});
}

std::vector<Key> keys_of_topology() {
  const Check name = name_of_length(kLongestName);
  const Check end = object_of({{"node", kRequired, host_name()}, {"nic", kRequired, non_negative_integer(kLarge)}});
  const Check segment = object_of({{"name", kRequired, name}, {"members", kRequired, array_of(end, 2, kMany)}});
  const Check trunk = object_of({{"a", kRequired, name}, {"b", kRequired, name}, {"count", kRequired, positive_integer(kLarge)}});
  return {{"segments", kOptional, array_of(segment, 1, kMany)}, {"trunks", kOptional, array_of(trunk, 1, kMany)}};
}

/// A flat neighborhood network has neither trunks nor links between nodes, and its switches are its segments.
Check design_shape(bool flat) {
  const Check name = name_of_length(kLongestName);
  const Check link = flat ? link_to_switch() : link_of_topology();
  const Check node = object_of({{"name", kRequired, host_name()}, {"links", kRequired, array_of(link, 0, kMany)}});
  const Check device = object_of({{"name", kRequired, name}, {"nodes", kRequired, array_of(host_name(), 0, kMany)}});
  const Check upgrade = object_of({{"change", kRequired, text()},
                                   {"worst_gbps", kRequired, non_negative_number()},
                                   {"mean_gbps", kRequired, non_negative_number()},
                                   {"below_nic", kRequired, non_negative_integer(kLarge)}});
  std::vector<Key> keys = {{"format", kRequired, constant("fnn-design")},
                           {"version", kRequired, constant(1)},
                           {"cluster", kRequired, name_of_length(kLongestCluster)},
                           {"spec", kRequired, any_object()},
                           {"spec_digest", kRequired, sha256()},
                           {"engine", kRequired, text()},
                           {"seed", kRequired, non_negative_integer(std::numeric_limits<std::int64_t>::max())},
                           {"verdict", kRequired, one_of({"found", "infeasible", "not-found"})},
                           {"nodes", kRequired, array_of(node, 0, kMany)},
                           {"switches", kRequired, array_of(device, 0, kMany)},
                           {"uncovered", kRequired, array_of(array_of(host_name(), 2, 2), 0, kMany)},
                           {"quality", kRequired, quality_shape()},
                           {"bounds", kRequired, any_object()},
                           {"upgrades", kOptional, array_of(upgrade, 0, kMany)}};
  if (!flat) {
    for (Key& key : keys_of_topology()) keys.push_back(std::move(key));
  }
  return object_of(std::move(keys));
}

/// Whether a document of unknown structure is a design of another topology.
bool has_other_topology(const Json& document) {
  const bool has_topology = document.is_object() && document.contains("spec") && document["spec"].is_object() &&
                            document["spec"].contains("topology");
  return has_topology && !is_flat_neighborhood(document["spec"]);
}

}  // namespace

Design read_design(const Json& document) {
  static const Check flat = design_shape(true);
  static const Check other = design_shape(false);
  Problems problems;
  (has_other_topology(document) ? other : flat)(document, "", problems);
  if (!problems.empty()) throw BadInput(problems.sorted());
  return {document, read_spec(document["spec"], "/spec")};
}

void require_flat_neighborhood(const Design& design, const std::string& what) {
  if (is_flat_neighborhood(design.spec.normal)) return;
  throw BadInput({{"/spec/topology", shown(design.spec.normal["topology"]) + ", but " + what}});
}

}  // namespace fnn
