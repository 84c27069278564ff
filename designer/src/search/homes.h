// SPDX-License-Identifier: GPL-3.0-or-later
// Homes: where the cables of an earlier design were, for a redesign that stays close to it.
#pragma once

#include "design/cabling.h"

namespace fnn {

class Homes {
 public:
  Homes(const Limits& limits, const Cabling& old);

  /// The number of cables of the wiring that have not moved.
  int kept(const Wiring& wiring) const;
  bool was_on(int node, int device) const {
    return device != kDummy && was_on_.has(Limits::at(device), Limits::at(node));
  }

 private:
  BitRows was_on_;  ///< per switch, the nodes that were on it
};

}  // namespace fnn
