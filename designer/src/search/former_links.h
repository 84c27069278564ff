// SPDX-License-Identifier: GPL-3.0-or-later
// Former links: the switches of every node in an earlier design, for a redesign that stays close to it.
#pragma once

#include "design/cabling.h"

namespace fnn {

class FormerLinks {
 public:
  FormerLinks(const Limits& limits, const Cabling& former);

  /// The number of cables of the wiring that have not moved.
  int kept(const Wiring& wiring) const;
  bool was_on(int node, int device) const {
    return device != kDummy && was_on_.has(Limits::at(device), Limits::at(node));
  }

 private:
  BitRows was_on_;  ///< per switch, the nodes that were on it
};

}  // namespace fnn
