// SPDX-License-Identifier: GPL-3.0-or-later
// The quick form: a design from four numbers, any of which may be left open.
#pragma once

#include <optional>
#include <string>

#include "program/fewest_switches.h"

namespace fnn {

struct QuickOptions {
  std::optional<int> nodes;  ///< 0 also means left open
  std::optional<int> nics;
  std::optional<int> ports;
  std::optional<int> switches;
  bool uplink = false;

  bool any() const { return nodes || nics || ports || switches || uplink; }
};

struct QuickSpec {
  Json spec;        ///< a spec document with all numbers determined
  Json determined;  ///< per number that was open: {"value", "how"}; how is "proved", "best-known", "found" or "tried"
  std::optional<SwitchRange> switches;  ///< when their number was open
};

/// Maximizes the nodes and minimizes the other numbers, in the order NICs, ports, nodes, switches.
/// Throws BadInput when both nodes and ports are open.
QuickSpec determine_open_numbers(const QuickOptions& options);

}  // namespace fnn
