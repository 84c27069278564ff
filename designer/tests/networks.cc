// SPDX-License-Identifier: GPL-3.0-or-later
#include "networks.h"

#include "design/design_document.h"
#include "network/network_measures.h"
#include "support.h"

namespace fnn::testing {

Design uncabled_design(const Json& document) {
  const Spec spec = read_spec(document);
  return read_design(design_document(spec, Cabling(spec.nodes.size()), 1, {}, std::nullopt));
}

AlternativeBuilder::AlternativeBuilder(int nodes, int nics, int switches, int ports,
                                       const std::optional<PriceList>& list)
    : AlternativeBuilder(uncabled_design(plain_spec(nodes, nics, switches, ports)), list) {}

AlternativeBuilder::AlternativeBuilder(Design design, const std::optional<PriceList>& list)
    : design_(std::move(design)), fabric_(fabric_of(design_)), catalog_(design_.spec, list) {}

Alternative AlternativeBuilder::build(const std::string& name) const {
  return build_alternative(name, {design_, catalog_, catalog_.nth_nic_mbps(0)});
}

RoutedNetwork routed(const Alternative& alternative, RoutingChoice choice) {
  RoutedNetwork found{*alternative.network, {}};
  for (const Alternative::LayerPlan& layer : alternative.layers) {
    found.layers.push_back({choose_routes(found.network, choice, 1, layer.closed), layer.node});
  }
  return found;
}

Json measured(const Alternative& alternative, RoutingChoice choice) {
  return network_measures(routed(alternative, choice), 1000, {}, {1, 200, 1});
}

}  // namespace fnn::testing
