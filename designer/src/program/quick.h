// SPDX-License-Identifier: GPL-3.0-or-later
// The quick form: a design from four numbers, any of which may be left open.
#pragma once

#include <optional>
#include <string>

#include "program/plain_spec.h"

namespace fnn {

struct QuickOptions {
  std::optional<int> nodes;  ///< 0, too, means left open
  std::optional<int> nics;
  std::optional<int> ports;
  std::optional<int> switches;
  bool uplink = false;

  bool any() const { return nodes || nics || ports || switches || uplink; }
};

struct Quick {
  Json spec;     ///< a spec document with all numbers settled
  Json settled;  ///< per number that was open: {"value", "how"}; how is "proved", "found" or "tried"
};

/// Nodes become as many as can be, the rest as few as can be, in the order NICs, ports, nodes,
/// switches. Throws BadInput without nodes and ports.
Quick settle(const QuickOptions& options);

}  // namespace fnn
