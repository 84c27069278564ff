// SPDX-License-Identifier: GPL-3.0-or-later
// What the bounds look at: widths and, per kind of node, the switches its NICs could go to.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "spec/demand.h"
#include "spec/spec.h"

namespace fnn {

using Count = long long;

inline Count ceiling(Count numerator, Count denominator) { return (numerator + denominator - 1) / denominator; }

/// Nodes that are alike to every bound.
struct BoundKind {
  const Node* node;          ///< the first of them
  Count many;
  Count peers;               ///< nodes that it must share switches with
  std::vector<Count> widths;  ///< of the best switches that its NICs could go to, widest first
};

/// Widths beyond the number of nodes count as that: more ports than nodes help nobody.
class Numbers {
 public:
  Numbers(const std::vector<Node>& nodes, const std::vector<Switch>& switches, const Demand& demand);

  Count nodes() const { return nodes_; }
  /// Switches that a wanted pair must share.
  Count redundancy() const { return redundancy_; }
  bool is_universal() const { return universal_; }
  /// Wanted pairs, each as often as it must be met.
  Count meetings() const { return meetings_; }
  /// All widths, widest first.
  const std::vector<Count>& widths() const { return widths_; }
  Count ports() const;
  /// Looking at each kind once keeps big clusters cheap.
  const std::vector<BoundKind>& kinds() const { return kinds_; }

 private:
  std::vector<Count> best_widths(const Node& node) const;

  Count nodes_;
  Count redundancy_;
  bool universal_;
  Count meetings_;
  std::vector<Count> widths_;
  std::map<std::string, std::vector<Count>> widths_of_media_;
  std::vector<BoundKind> kinds_;
};

}  // namespace fnn
