// SPDX-License-Identifier: GPL-3.0-or-later
// The input of the bounds: widths and, per kind of node, the switches available to its NICs.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "spec/demand.h"
#include "spec/spec.h"

namespace fnn {

using Count = long long;

inline Count ceiling(Count numerator, Count denominator) { return (numerator + denominator - 1) / denominator; }

/// Nodes that are equivalent for every bound.
struct NodeKind {
  const Node* node;          ///< the first of them
  Count count;
  Count peers;               ///< nodes with which it must share switches
  std::vector<Count> widths;  ///< of the best switches available to its NICs, widest first
};

/// Widths are limited to the number of nodes: more ports have no use.
class BoundInput {
 public:
  BoundInput(const std::vector<Node>& nodes, const std::vector<Switch>& switches, const Demand& demand);

  Count nodes() const { return nodes_; }
  /// Switches that a wanted pair must share.
  Count redundancy() const { return redundancy_; }
  bool is_universal() const { return universal_; }
  /// Wanted pairs times the redundancy.
  Count meetings() const { return meetings_; }
  /// All widths, widest first.
  const std::vector<Count>& widths() const { return widths_; }
  Count ports() const;
  /// Bounds visit each kind once, which keeps large clusters cheap.
  const std::vector<NodeKind>& kinds() const { return kinds_; }

 private:
  std::vector<Count> best_widths(const Node& node) const;

  Count nodes_;
  Count redundancy_;
  bool universal_;
  Count meetings_;
  std::vector<Count> widths_;
  std::map<std::string, std::vector<Count>> widths_of_media_;
  std::vector<NodeKind> kinds_;
};

}  // namespace fnn
