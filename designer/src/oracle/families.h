// SPDX-License-Identifier: GPL-3.0-or-later
// Families: small flat neighborhood networks to blow up into large ones.
//
// A node's type is the set of switches it is on. In a family any two types share switches, so any number of nodes may
// have each type. Six types of two nodes make a design as good as six types of two hundred, on proportionally wider
// switches (oracle/blow_ups.h).
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "base/bitset.h"

namespace fnn {

struct Family {
  std::string name;
  int switches = 0;
  int shared = 1;                       ///< switches that any two types share
  std::vector<std::vector<int>> types;  ///< sets of switches, ascending
  int nodes = 0;                        ///< capacity with switches of `ports` ports, if nodes may be divided
  int ports = 0;
  int order = 0;                        ///< of the projective plane; 0 for other families
  std::vector<int> copies = {};         ///< of a design: nodes per type, for switches of `ports` ports; else empty

  /// The maximum number of NICs of a type.
  std::size_t rank() const;
  bool is_design() const { return !copies.empty(); }
};

/// The triangle, the Fano plane, ...: any two of the order² + order + 1 types share one switch, and any two switches
/// share one type.
Family projective_plane(int order);
/// The orders that `projective_plane` supports, ascending.
const std::vector<int>& plane_orders();

/// A plane minus one switch and the types on it: order² types on order² + order switches.
Family affine_plane(int order);

/// Switches are the pairs of types: any two types have one switch of their own.
Family complete_graph(int types);

/// Every type is on all switches but one.
Family all_but_one(int switches);

/// `times` disjoint copies of the family's switches; each type is on all its copies.
Family repeated(const Family& family, int times);

/// All known families for nodes with `nics` NICs that share `shared` switches; most nodes per port first.
std::vector<Family> families(std::size_t nics, int switches, int shared);

}  // namespace fnn
