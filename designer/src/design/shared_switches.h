// SPDX-License-Identifier: GPL-3.0-or-later
// The switches that pairs of nodes of a cabling share.
#pragma once

#include "base/bitset.h"
#include "design/cabling.h"

namespace fnn {

/// Calls visit(i, j) for every switch that both from[i] and to[j] lead to. Works for links of any kind with a
/// `device`, sorted by switch.
template <typename Links, typename Visit>
void for_each_shared(const Links& from, const Links& to, Visit visit) {
  for (std::size_t i = 0, j = 0; i < from.size() && j < to.size();) {
    if (from[i].device == to[j].device) visit(i++, j++);
    else if (from[i].device < to[j].device) ++i;
    else ++j;
  }
}

class SharedSwitches {
 public:
  SharedSwitches(const Cabling& cabling, std::size_t switches) : on_(cabling.size(), switches), nodes_(cabling.size()) {
    for (std::size_t node = 0; node < nodes_; ++node) {
      for (const Cable& cable : cabling[node]) on_.insert(node, Limits::at(cable.device));
    }
  }

  int switches(std::size_t a, std::size_t b) const {
    int count = 0;
    for (std::size_t w = 0; w < on_.words(); ++w) count += count_bits(on_.row(a)[w] & on_.row(b)[w]);
    return count;
  }

  /// Calls visit(a, b, shared switches) for every pair of nodes, in order.
  template <typename Visit>
  void for_each_pair(Visit visit) const {
    for (std::size_t a = 0; a < nodes_; ++a) {
      for (std::size_t b = a + 1; b < nodes_; ++b) visit(a, b, switches(a, b));
    }
  }

 private:
  BitRows on_;  ///< per node, its switches
  std::size_t nodes_;
};

}  // namespace fnn
