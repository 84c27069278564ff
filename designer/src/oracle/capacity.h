// SPDX-License-Identifier: GPL-3.0-or-later
// Capacity: the most nodes that a number of NICs per node can join over switches of a given width, with any number of
// switches.
#pragma once

#include "oracle/blow_ups.h"

namespace fnn {

struct Capacity {
  int nics = 0;
  int ports = 0;
  long long nodes = 0;   ///< reached by the blow-up of the family
  long long bound = 0;   ///< upper bound for every design
  Family family;
  BlowUp blown;

  bool is_proved() const { return nodes == bound; }
};

Capacity capacity(int nics, int ports);

/// Upper bound for every design; the essay in capacity.cc gives the proof.
long long capacity_bound(int nics, int ports);

}  // namespace fnn
