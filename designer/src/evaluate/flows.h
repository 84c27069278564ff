// SPDX-License-Identifier: GPL-3.0-or-later
// Flows: who sends to whom at the same time.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "spec/patterns.h"

namespace fnn {

/// Ranks, or nodes in rank order.
struct Flow {
  std::uint16_t from;
  std::uint16_t to;

  bool operator==(const Flow&) const = default;
};

/// Flows that are under way together.
using Level = std::vector<Flow>;

/// Levels follow one another; only flows of one level share links.
struct FlowPattern {
  std::string name;
  int group = 0;  ///< of an exchange in groups: how many ranks each has
  std::vector<Level> levels;

  std::size_t flows() const;
};

/// The patterns that every fabric is measured with. docs/reference/evaluation.md defines them.
std::vector<FlowPattern> standard_patterns(std::size_t nodes);

/// Phase `offset` of an all-to-all: node i sends to node i + offset.
Level phase(std::size_t nodes, std::size_t offset);

/// Rank r on node r.
std::vector<std::uint16_t> rank_order(std::size_t nodes);

/// Both directions of all pairs at once.
Level both_ways(const std::vector<WeightedPair>& pairs);

}  // namespace fnn
