// SPDX-License-Identifier: GPL-3.0-or-later
// Alternatives of one or two switches, and of one per NIC.
#include <algorithm>

#include "alternatives/alternative.h"

namespace fnn {
namespace {

using std::size_t;

/// The cheapest switch that holds all nodes; an unlisted model where there is none.
SwitchModel whole_switch(const Catalog& catalog, int nodes, int mbps) {
  std::optional<SwitchModel> best;
  for (const SwitchModel& model : catalog.switches(mbps)) {
    if (model.ports < nodes) continue;
    if (!best || (model.price && (!best->price || *model.price < *best->price))) best = model;
  }
  if (best) return *best;
  return {"", nodes, mbps, std::nullopt, Network::kUnlimited, false};
}

std::string missing_switch(const Catalog& catalog, int nodes, int mbps) {
  const int widest = catalog.widest(mbps);
  const std::string most = widest == 0 ? "" : "; the widest has " + std::to_string(widest);
  return "no switch of " + std::to_string(nodes) + " ports at " + std::to_string(mbps) + " Mb/s is known" + most;
}

Alternative on_one_switch(const std::string& name, const Setting& setting, int mbps, int copies) {
  const int nodes = static_cast<int>(setting.nodes());
  const SwitchModel model = whole_switch(setting.catalog, nodes, mbps);
  Alternative found;
  found.name = name;
  Network& network = found.network.emplace(setting.nodes());
  const std::uint32_t device = network.add_switch(model.inside_mbps);
  for (std::uint32_t node = 0; node < setting.nodes(); ++node) network.add_cable(node, device, mbps);
  network.copies = static_cast<size_t>(copies);
  network.finish();
  found.parts = {mbps, {{model, copies}}, {{copies, nodes}}, copies * nodes};
  if (!model.listed) found.reason = missing_switch(setting.catalog, nodes, mbps);
  return found;
}

}  // namespace

Bundle best_bundle(const Catalog& catalog) {
  Bundle best{0, 1};
  for (size_t nth = 0; catalog.nth_nic_mbps(nth) > 0; ++nth) {
    const Bundle here{static_cast<int>(nth) + 1, catalog.nth_nic_mbps(nth)};
    const auto whole = [](const Bundle& bundle) { return static_cast<long long>(bundle.nics) * bundle.mbps; };
    if (whole(here) > whole(best)) best = here;
  }
  return best;
}

Alternative one_switch(const Setting& setting) { return on_one_switch("one-switch", setting, setting.mbps, 1); }

Alternative faster_switch(const Setting& setting) {
  const int mbps = setting.catalog.faster_than(setting.mbps);
  Alternative found = on_one_switch("faster-switch", setting, mbps, 1);
  if (!setting.catalog.sells_nics(mbps)) {
    if (!found.reason.empty()) found.reason += "; ";
    found.reason += "no NIC of " + std::to_string(mbps) + " Mb/s is known";
  }
  return found;
}

Alternative rails(const Setting& setting) {
  const Bundle bundle = best_bundle(setting.catalog);
  Alternative found = on_one_switch("rails", setting, bundle.mbps, bundle.nics);
  return found;
}

Alternative two_switches(const Setting& setting) {
  const int nodes = static_cast<int>(setting.nodes());
  const int half = (nodes + 1) / 2;
  if (setting.catalog.widest(setting.mbps) >= nodes) {
    Alternative none;
    none.name = "two-switches";
    none.reason = "one switch holds all nodes";
    return none;
  }
  return cheapest("two-switches", setting.catalog, setting.mbps, [&](const SwitchModel& model) {
    Alternative found;
    found.name = "two-switches";
    if (model.ports < half + 1) {
      found.reason = missing_switch(setting.catalog, half + 1, setting.mbps);
      return found;
    }
    const int trunk = std::min(half, model.ports - half);
    Network& network = found.network.emplace(setting.nodes());
    const std::uint32_t left = network.add_switch(model.inside_mbps);
    const std::uint32_t right = network.add_switch(model.inside_mbps);
    for (int node = 0; node < nodes; ++node) network.add_cable(static_cast<std::uint32_t>(node), node < half ? left : right, setting.mbps);
    for (int cable = 0; cable < trunk; ++cable) network.add_cable(left, right, setting.mbps);
    network.finish();
    found.routings = {trunk > 1 ? RoutingChoice::kDModK : RoutingChoice::kOnly};
    found.parts = {setting.mbps, {{model, 2}}, {{1, nodes}}, nodes + trunk};
    return found;
  });
}

}  // namespace fnn
