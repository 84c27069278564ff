// SPDX-License-Identifier: GPL-3.0-or-later
// Routed networks for tests of what is measured on them.
#pragma once

#include <memory>

#include "alternatives/alternative.h"
#include "network/forwarding_tables.h"

namespace fnn::testing {

/// Nodes without cables and what hardware there is: what alternatives are built from.
class Workshop {
 public:
  /// Alike nodes and switches, as plain_spec() makes them.
  Workshop(int nodes, int nics, int switches, int ports, const std::optional<PriceList>& list = std::nullopt);
  explicit Workshop(Design design, const std::optional<PriceList>& list = std::nullopt);

  Alternative build(const std::string& name) const;
  const Catalog& catalog() const { return catalog_; }
  const Design& design() const { return design_; }
  const Fabric& fabric() const { return fabric_; }

 private:
  Design design_;
  Fabric fabric_;
  Catalog catalog_;
};

/// With one of the choices that it offers, or the only one.
RoutedNetwork routed(const Alternative& alternative, RoutingChoice choice = RoutingChoice::kOnly);

/// Every measure with 200 random patterns, in links of 1000 Mb/s.
Json measured(const Alternative& alternative, RoutingChoice choice = RoutingChoice::kOnly);

}  // namespace fnn::testing
