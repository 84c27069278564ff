// SPDX-License-Identifier: GPL-3.0-or-later
#include "design/design_reading.h"

#include <limits>

#include "spec/shape.h"

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

Check design_shape() {
  const Check name = name_of_length(kLongestName);
  const Check link = object_of({{"nic", kRequired, non_negative_integer(kLarge)},
                                {"switch", kRequired, name},
                                {"speed_mbps", kOptional, positive_integer(kLarge)}});
  const Check node = object_of({{"name", kRequired, name}, {"links", kRequired, array_of(link, 0, kMany)}});
  const Check device = object_of({{"name", kRequired, name}, {"nodes", kRequired, array_of(name, 0, kMany)}});
  return object_of({{"format", kRequired, constant("fnn-design")},
                    {"version", kRequired, constant(1)},
                    {"cluster", kRequired, name_of_length(kLongestCluster)},
                    {"spec", kRequired, any_object()},
                    {"spec_digest", kRequired, sha256()},
                    {"engine", kRequired, text()},
                    {"seed", kRequired, non_negative_integer(std::numeric_limits<std::int64_t>::max())},
                    {"verdict", kRequired, one_of({"found", "infeasible", "not-found"})},
                    {"nodes", kRequired, array_of(node, 0, kMany)},
                    {"switches", kRequired, array_of(device, 0, kMany)},
                    {"uncovered", kRequired, array_of(array_of(name, 2, 2), 0, kMany)},
                    {"quality", kRequired, quality_shape()},
                    {"bounds", kRequired, any_object()}});
}

}  // namespace

Design read_design(const Json& document) {
  static const Check shape = design_shape();
  Problems problems;
  shape(document, "", problems);
  if (!problems.empty()) throw BadInput(problems.sorted());
  return {document, read_spec(document["spec"], "/spec")};
}

}  // namespace fnn
