// SPDX-License-Identifier: GPL-3.0-or-later
// Patterns: communicating pairs of nodes with weights. docs/reference/patterns.md defines them.
#pragma once

#include <string>
#include <vector>

#include "base/json_text.h"

namespace fnn {

struct Spec;

/// Two nodes, a < b by rank, and their traffic: in any positive unit, the same for all pairs.
struct WeightedPair {
  int a;
  int b;
  double weight;

  bool operator==(const WeightedPair&) const = default;
};

/// The union of all patterns of a spec: each pair once, in order, with the sum of its weights.
std::vector<WeightedPair> traffic_of(const Spec& spec);

/// The pairs of one pattern: each pair once, in order.
std::vector<WeightedPair> traffic_of(const Spec& spec, const Json& pattern);

/// A pattern of the spec: its name and its communicating pairs.
struct OwnPattern {
  std::string name;
  std::vector<WeightedPair> pairs;
};

/// The patterns of a spec, by their kinds.
std::vector<OwnPattern> own_patterns(const Spec& spec);

/// The same, and after them "own": all of them together.
std::vector<OwnPattern> own_traffic(const Spec& spec);

/// The pairs [name, name, weight] of the normal form of a spec.
std::vector<WeightedPair> listed_pairs(const Spec& spec, const Json& pairs);

}  // namespace fnn
