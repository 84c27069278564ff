// SPDX-License-Identifier: GPL-3.0-or-later
// Families: small flat neighborhoods to blow up into big ones.
//
// A node's type is the set of switches it is on. In a family any two types share switches, so any
// number of nodes may be given to each type: six types of two nodes make a design as good as six
// types of two hundred, on switches as much wider (oracle/blow_ups.h).
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "base/bitset.h"

namespace fnn {

struct Family {
  std::string name;
  int switches = 0;
  int shared = 1;                       ///< any two types share so many switches
  std::vector<std::vector<int>> types;  ///< sets of switches, rising
  int nodes = 0;                        ///< that switches of `ports` ports hold
  int ports = 0;
  int order = 0;                        ///< of the projective plane; 0 when it is none

  /// NICs of the types that have most.
  std::size_t rank() const;
};

/// The triangle, the Fano plane, ...: each two of the order² + order + 1 types share one switch, and
/// each two switches one type.
Family projective_plane(int order);
/// The orders that `projective_plane` knows, rising.
const std::vector<int>& plane_orders();

/// A plane without one switch and the types on it: order² types on order² + order switches.
Family affine_plane(int order);

/// Switches are the pairs of so many types: each two types have one switch to themselves.
Family complete_graph(int types);

/// Every type is on all switches but one.
Family all_but_one(int switches);

/// The family `times` times over, on switches of its own each time.
Family repeated(const Family& family, int times);

/// All that is known for nodes with so many NICs to share so many switches; most nodes per port
/// first.
std::vector<Family> families(std::size_t nics, int switches, int shared);

}  // namespace fnn
