// SPDX-License-Identifier: GPL-3.0-or-later
// Capacity: the most nodes that so many NICs can join over switches of so many ports, with as many
// switches as it takes.
#pragma once

#include "oracle/blow_ups.h"

namespace fnn {

struct Capacity {
  int nics = 0;
  int ports = 0;
  long long nodes = 0;   ///< reached by the blow-up of the family
  long long bound = 0;   ///< no design has more
  Family family;
  BlowUp blown;

  bool is_proved() const { return nodes == bound; }
};

Capacity capacity(int nics, int ports);

/// What no design can exceed; the essay in capacity.cc says why.
long long capacity_bound(int nics, int ports);

}  // namespace fnn
