// SPDX-License-Identifier: GPL-3.0-or-later
#include "spec/spec_shape.h"

#include "spec/spec.h"

namespace fnn {
namespace {

// Larger counts are typing errors; rejecting them here bounds memory use.
constexpr std::int64_t kMostSwitches = 4096;
constexpr std::int64_t kMostNics = 256;
constexpr std::int64_t kMostPorts = 65536;
constexpr std::int64_t kMostMbps = 1000000000;
constexpr std::int64_t kMostDimensions = 16;
constexpr std::size_t kMostPairs = 16777216;
// Only the ratios of goals matter, and the search adds them in integers.
constexpr std::int64_t kHeaviestGoal = 1000;
constexpr std::int64_t kFarthestMeters = 100000;

bool is_text(const Json& value) { return value.is_string(); }
bool is_number(const Json& value) { return value.is_number(); }
bool is_object(const Json& value) { return value.is_object(); }

/// [name, name] or [name, name, weight]. A later stage checks whether the names exist.
Check pairs_shape() {
  return array_of(tuple_of({text(), text(), non_negative_number()}, 2), 0, kMostPairs);
}

/// The kind of a pattern determines which keys it needs (pattern_reading.cc).
Check pattern_shape() {
  const Check count = positive_integer(kMostSpecNodes);
  return object_of({{"kind", kRequired,
                     one_of({"ring", "torus", "hypercube", "bit-reversal", "transpose", "groups", "grid", "tree",
                             "dissemination", "shift", "pairs"})},
                    {"weight", kOptional, positive_number()},
                    {"dims", kOptional, array_of(count, 1, kMostDimensions)},
                    {"reach", kOptional, one_of({"nearest", "lines"})},
                    {"size", kOptional, integer_between(2, kMostSpecNodes)},
                    {"rows", kOptional, count},
                    {"cols", kOptional, count},
                    {"offset", kOptional, count},
                    {"pairs", kOptional, pairs_shape()},
                    {"file", kOptional, text()}});
}

Check goals_shape() {
  const Check weight = non_negative_number(kHeaviestGoal);
  const Check evaluation = object_of({{"pairs", kOptional, pairs_shape()}, {"file", kOptional, text()}});
  return object_of({{"shared_switches", kOptional, weight},
                    {"balance", kOptional, weight},
                    {"exposure", kOptional, weight},
                    {"cable_length", kOptional, weight},
                    {"moved_cables", kOptional, weight},
                    {"price", kOptional, weight},
                    {"evaluation", kOptional, or_null(evaluation, "an object", is_object)}});
}

Check racks_shape() {
  const Check meters = number_between(-kFarthestMeters, kFarthestMeters);
  return array_of(object_of({{"name", kRequired, text()}, {"x_m", kRequired, meters}, {"y_m", kRequired, meters}}), 0,
                  kMostSpecNodes);
}

Check pins_shape() {
  return array_of(object_of({{"node", kRequired, text()},
                             {"nic", kRequired, non_negative_integer(kMostNics - 1)},
                             {"switch", kRequired, text()}}),
                  0, kMostPairs);
}

Check prices_shape() {
  const Check price = non_negative_number();
  return object_of({{"cable", kOptional, price},
                    {"cable_m", kOptional, price},
                    {"nic", kOptional, price},
                    {"node", kOptional, price},
                    {"port", kOptional, price},
                    {"switch", kOptional, price}});
}

Check shape_of_spec() {
  const Check name = name_of_length(kLongestName);
  const Check rack = or_null(text(), "a string", is_text);
  const Check speed = positive_integer(kMostMbps);
  const Check media = one_of({"rj45", "sfp", "sfp28", "qsfp"});
  const Check nic = object_of({{"name", kOptional, or_null(text(), "a string", is_text)},
                               {"speed_mbps", kRequired, speed},
                               {"media", kRequired, media}});
  const Check node = object_of({{"name", kRequired, name},
                                {"nics", kRequired, count_or(kMostNics, array_of(nic, 1, kMostNics))},
                                {"rack", kOptional, rack},
                                {"spare", kOptional, boolean()}});
  const Check ports = object_of({{"count", kRequired, positive_integer(kMostPorts)},
                                 {"speed_mbps", kRequired, speed},
                                 {"media", kRequired, media}});
  const Check device = object_of(
      {{"name", kRequired, name},
       {"color", kOptional, name_of_length(0)},
       {"ports", kRequired, count_or(kMostPorts, array_of(ports, 1, kMostNics))},
       {"reserved", kOptional, non_negative_integer(kMostPorts)},
       {"price", kOptional, or_null(non_negative_number(), "a non-negative number", is_number)},
       {"rack", kOptional, rack},
       {"internal_gbps", kOptional, or_null(positive_number(), "a positive number", is_number)}});
  const Check names = array_of(name, 0, kMostSpecNodes);
  const Check uplink = object_of({{"name", kRequired, name},
                                  {"ports", kRequired, positive_integer(kMostPorts)},
                                  {"spares", kOptional, names},
                                  {"hosts", kOptional, names}});
  return object_of(
      {{"format", kRequired, constant("fnn-spec")},
       {"version", kRequired, constant(1)},
       {"cluster", kRequired, name_of_length(kLongestCluster)},
       {"topology", kRequired, one_of({"fnn"})},
       {"nodes", kRequired, array_of(node, 2, kMostSpecNodes)},
       {"switches", kRequired, array_of(device, 1, kMostSwitches)},
       {"uplink", kOptional, or_null(uplink, "an object", is_object)},
       {"coverage", kOptional, one_of({"all", "patterns"})},
       {"redundancy", kOptional, positive_integer(kMostNics)},
       {"patterns", kOptional, array_of(pattern_shape(), 0, kMostSpecNodes)},
       {"goals", kOptional, goals_shape()},
       {"racks", kOptional, racks_shape()},
       {"pinned", kOptional, pins_shape()},
       {"mtu", kOptional, or_null(integer_between(576, 9216), "an integer from 576 to 9216", is_number)},
       {"prices", kOptional, prices_shape()}});
}

}  // namespace

const Check& spec_shape() {
  static const Check shape = shape_of_spec();
  return shape;
}

}  // namespace fnn
