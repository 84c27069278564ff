// SPDX-License-Identifier: GPL-3.0-or-later
// The text form of families that a search found: small_families.cc, found_designs.cc.
#pragma once

#include <string>

#include "oracle/families.h"

namespace fnn {

/// `types` lists the types, each a hexadecimal number whose bit j stands for switch j. In a design, the number of nodes
/// that have the type follows after a colon, unless it is 1.
struct TypeList {
  int nodes;
  int ports;
  int switches;
  const char* types;
};

Family read_family(const TypeList& list, std::string name);

/// The same, with `copies`.
Family read_design(const TypeList& list, std::string name);

}  // namespace fnn
