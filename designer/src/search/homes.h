// SPDX-License-Identifier: GPL-3.0-or-later
// Homes: where the cables of an earlier design were, for staying close to it.
#pragma once

#include "design/wiring.h"
#include "search/neighborhoods.h"

namespace fnn {

class Homes {
 public:
  explicit Homes(const Wiring& old) : was_on_(old.members()) {}

  /// Cables of the wiring that are where they were.
  int kept(const Wiring& wiring) const;
  /// By how much a move would raise that number.
  int judge(const Wiring& wiring, const Move& move) const;
  bool was_on(int node, int device) const {
    return device != kDummy && was_on_.has(Limits::at(device), Limits::at(node));
  }

 private:
  int change(const Wiring& wiring, int nic, int to) const {
    const int node = wiring.node(nic);
    return (was_on(node, wiring.device_of(to)) ? 1 : 0) - (was_on(node, wiring.device(nic)) ? 1 : 0);
  }

  BitRows was_on_;  ///< per switch, the nodes that were on it
};

}  // namespace fnn
