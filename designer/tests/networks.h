// SPDX-License-Identifier: GPL-3.0-or-later
// Routed networks for the tests of their measures.
#pragma once

#include <memory>

#include "alternatives/alternative.h"
#include "evaluate/fabric.h"
#include "network/forwarding_tables.h"

namespace fnn::testing {

/// Builds alternatives from nodes without cables and the available hardware.
class AlternativeBuilder {
 public:
  /// Identical nodes and identical switches, as from plain_spec().
  AlternativeBuilder(int nodes, int nics, int switches, int ports, const std::optional<PriceList>& list = std::nullopt);
  explicit AlternativeBuilder(Design design, const std::optional<PriceList>& list = std::nullopt);

  Alternative build(const std::string& name) const;
  const Catalog& catalog() const { return catalog_; }
  const Design& design() const { return design_; }
  const Fabric& fabric() const { return fabric_; }

 private:
  Design design_;
  Fabric fabric_;
  Catalog catalog_;
};

/// A design of a spec document without any cables.
Design uncabled_design(const Json& document);

/// The alternative with one of its routing choices, or with the only one.
RoutedNetwork routed(const Alternative& alternative, RoutingChoice choice = RoutingChoice::kOnly);

/// Every measure with 200 random patterns, in units of a link of 1000 Mb/s.
Json measured(const Alternative& alternative, RoutingChoice choice = RoutingChoice::kOnly);

}  // namespace fnn::testing
