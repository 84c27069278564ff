// SPDX-License-Identifier: GPL-3.0-or-later
#include "networks.h"

#include "design/design_document.h"
#include "network/network_measures.h"
#include "support.h"

namespace fnn::testing {
namespace {

Design bare_design(const Json& document) {
  const Spec spec = read_spec(document);
  return read_design(design_document(spec, Cabling(spec.nodes.size()), 1, {}, std::nullopt));
}

}  // namespace

Workshop::Workshop(int nodes, int nics, int switches, int ports, const std::optional<PriceList>& list)
    : Workshop(bare_design(plain_spec(nodes, nics, switches, ports)), list) {}

Workshop::Workshop(Design design, const std::optional<PriceList>& list)
    : design_(std::move(design)), fabric_(fabric_of(design_)), catalog_(design_.spec, list) {}

Alternative Workshop::build(const std::string& name) const {
  return build_alternative(name, {design_, fabric_, catalog_, catalog_.nth_nic_mbps(0)});
}

RoutedNetwork routed(const Alternative& alternative, RoutingChoice choice) {
  RoutedNetwork found{*alternative.network, {}};
  for (const Alternative::WayPlan& way : alternative.ways) {
    found.ways.push_back({choose_routes(found.network, choice, 1, way.closed), way.node});
  }
  return found;
}

Json measured(const Alternative& alternative, RoutingChoice choice) {
  return network_measures(routed(alternative, choice), 1000, {}, {1, 200, 1});
}

}  // namespace fnn::testing
