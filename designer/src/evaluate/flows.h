// SPDX-License-Identifier: GPL-3.0-or-later
// Flows: source and destination of simultaneous traffic.
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

/// Simultaneous flows.
using Level = std::vector<Flow>;

/// Levels run one after another; only flows of the same level share links.
struct FlowPattern {
  std::string name;
  int group = 0;  ///< for an exchange in groups: ranks per group
  std::vector<Level> levels;

  std::size_t flows() const;
};

/// The standard patterns, measured on every fabric. docs/reference/evaluation.md defines them.
std::vector<FlowPattern> standard_patterns(std::size_t nodes);

/// Phase `offset` of an all-to-all: node i sends to node i + offset.
Level phase(std::size_t nodes, std::size_t offset);

/// The identity mapping: rank r on node r.
std::vector<std::uint16_t> rank_order(std::size_t nodes);

/// Both directions of all pairs at once.
Level both_directions(const std::vector<WeightedPair>& pairs);

}  // namespace fnn
