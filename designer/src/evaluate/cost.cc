// SPDX-License-Identifier: GPL-3.0-or-later
#include "evaluate/cost.h"

#include <algorithm>
#include <map>
#include <numeric>

#include "base/units.h"
#include "design/cable_lengths.h"
#include "design/prices.h"

namespace fnn {
namespace {

using std::size_t;

/// Quantities to buy.
struct Pieces {
  long long nics = 0;
  long long switches = 0;
  long long cables = 0;
};

/// A spare replaces any node, so it gets as many NICs as most nodes have.
long long nics_of_most_nodes(const Spec& spec) {
  std::map<size_t, int> nodes;
  for (const Node& node : spec.nodes) ++nodes[node.nic_media.size()];
  const auto most = std::max_element(nodes.begin(), nodes.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  return static_cast<long long>(most->first);
}

Pieces pieces_of(const Fabric& fabric, const Spec& spec) {
  const long long links = std::accumulate(fabric.links.begin(), fabric.links.end(), 0LL);
  Pieces pieces{links, 0, links};
  pieces.switches = std::count_if(fabric.links.begin(), fabric.links.end(), [](int count) { return count > 0; });
  const Json& uplink = spec.normal["uplink"];
  if (uplink.is_null()) return pieces;
  const long long spares = static_cast<long long>(uplink["spares"].size()) * nics_of_most_nodes(spec);
  pieces.nics += spares;
  pieces.cables += spares + std::count(fabric.uplinked.begin(), fabric.uplinked.end(), true);
  ++pieces.switches;
  return pieces;
}

/// Sums prices, and records items without a price.
class Bill {
 public:
  Bill(const Fabric& fabric, const Spec& spec, const Pieces& pieces, double meters) : prices_(spec) {
    nics_ = static_cast<double>(pieces.nics) * prices_.of("nic");
    cables_ = static_cast<double>(pieces.cables) * prices_.of("cable") + meters * prices_.of("cable_m");
    if (!prices_.has("nic")) unpriced_.push_back("nics");
    if (!prices_.has("cable") && !prices_.has("cable_m")) unpriced_.push_back("cables");
    bool all = true;
    const auto add = [&](const std::optional<double>& price) {
      switches_ += price.value_or(0.0);
      all = all && price.has_value();
    };
    for (size_t device = 0; device < fabric.links.size(); ++device) {
      if (fabric.links[device] > 0) add(prices_.of_switch(spec.switches[device]));
    }
    const Json& uplink = spec.normal["uplink"];
    if (!uplink.is_null()) add(prices_.of_switch(uplink["ports"].get<int>()));
    if (!all) unpriced_.push_back("switches");
  }

  bool any() const { return prices_.any(); }
  double total() const { return nics_ + switches_ + cables_; }
  const Json& unpriced() const { return unpriced_; }
  Json to_json() const {
    return {{"nics", round_decimals(nics_)}, {"switches", round_decimals(switches_)},
            {"cables", round_decimals(cables_)}, {"total", round_decimals(total())}};
  }

 private:
  Prices prices_;
  double nics_ = 0;
  double switches_ = 0;
  double cables_ = 0;
  Json unpriced_ = Json::array();
};

}  // namespace

double cable_meters(const Fabric& fabric, const Spec& spec) {
  const CableLengths lengths(spec);
  double meters = 0;
  for (size_t node = 0; node < fabric.nodes(); ++node) {
    for (const Leg& leg : fabric.legs[node]) meters += lengths.meters(node, static_cast<size_t>(leg.device));
  }
  return meters;
}

Json cost(const Fabric& fabric, const Spec& spec, const Bisection& bisection, const Effective& effective,
          double meters) {
  const Pieces pieces = pieces_of(fabric, spec);
  const Bill bill(fabric, spec, pieces, meters);
  Json cost = {{"nics", pieces.nics}, {"switches", pieces.switches}, {"cables", pieces.cables},
               {"unpriced", bill.unpriced()}, {"price", nullptr}, {"per_node", nullptr}, {"per_gbps", nullptr}};
  if (!bill.any()) return cost;
  const auto per_gbps = [&](double links) -> Json {
    if (links <= 0) return nullptr;
    return round_decimals(bill.total() / (links * fabric.unit_mbps / kMbpsPerGbps));
  };
  cost["price"] = bill.to_json();
  cost["per_node"] = round_decimals(bill.total() / static_cast<double>(fabric.nodes()));
  cost["per_gbps"] = {{"best", per_gbps(bisection.best.value())},
                      {"conservative", per_gbps(bisection.conservative.value())},
                      {"effective_basic", per_gbps(effective.basic)},
                      {"effective_advanced", per_gbps(effective.advanced)}};
  return cost;
}

}  // namespace fnn
