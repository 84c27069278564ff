// SPDX-License-Identifier: GPL-3.0-or-later
#include "alternatives/network_cost.h"

#include <algorithm>
#include <map>

#include "alternatives/fabric_cost.h"
#include "design/cable_lengths.h"

namespace fnn {
namespace {

using std::size_t;

/// Components of one kind and purpose. `price` is of all of them.
struct Part {
  const char* name;
  const char* kind;  ///< "nics", "switches" or "cables"
  bool in_fabric;
  long long pieces;
  std::optional<double> price;
};

/// A spare replaces any node, so it gets as many NICs as most nodes have.
int nics_of_most_nodes(const Spec& spec) {
  std::map<size_t, int> nodes;
  for (const Node& node : spec.nodes) ++nodes[node.nic_media.size()];
  const auto most = std::max_element(nodes.begin(), nodes.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  return static_cast<int>(most->first);
}

/// The total length of all cables between nodes and switches; nothing without switches or racks.
std::optional<double> cable_meters(const Design& design) {
  if (design.spec.switches.empty() || design.spec.normal.value("racks", Json::array()).empty()) return std::nullopt;
  const CableLengths lengths(design.spec);
  std::map<std::string, size_t> devices;
  for (size_t device = 0; device < design.spec.switches.size(); ++device) devices[design.spec.switches[device].name] = device;
  double meters = 0;
  for (size_t node = 0; node < design.spec.nodes.size(); ++node) {
    for (const Json& link : design.document["nodes"][node]["links"]) {
      meters += lengths.meters(node, devices.at(link["switch"].get<std::string>()));
    }
  }
  return meters;
}

class NetworkParts {
 public:
  NetworkParts(const Design& design, const Parts& fabric, const Catalog& catalog)
      : spec_(design.spec), fabric_(fabric), catalog_(catalog), cable_(catalog.price_of_cable(fabric.mbps)) {
    add_fabric();
    if (!spec_.normal["uplink"].is_null()) add_uplink();
  }

  const std::vector<Part>& all() const { return parts_; }

  long long pieces(const std::string& kind) const {
    long long sum = 0;
    for (const Part& part : parts_) sum += part.kind == kind ? part.pieces : 0;
    return sum;
  }

  /// Components without a price count 0.
  double price(const std::string& kind) const {
    double sum = 0;
    for (const Part& part : parts_) sum += part.kind == kind ? part.price.value_or(0) : 0;
    return sum;
  }

  bool has_unpriced(const std::string& kind) const {
    const auto lacks = [&](const Part& part) { return part.kind == kind && !part.price; };
    return std::any_of(parts_.begin(), parts_.end(), lacks);
  }

  Json to_json() const {
    Json json = Json::array();
    for (const Part& part : parts_) {
      json.push_back({{"part", part.name}, {"kind", part.kind}, {"in_fabric", part.in_fabric}, {"pieces", part.pieces},
                      {"price", part.price ? Json(round_decimals(*part.price)) : Json(nullptr)}});
    }
    return json;
  }

 private:
  void add(const char* name, const char* kind, bool in_fabric, long long pieces, std::optional<double> price) {
    if (pieces > 0) parts_.push_back({name, kind, in_fabric, pieces, price});
  }

  void add_cables(const char* name, bool in_fabric, long long cables) {
    add(name, "cables", in_fabric, cables, cable_ ? std::optional(static_cast<double>(cables) * *cable_) : std::nullopt);
  }

  void add_fabric() {
    const Bill bill = catalog_.bill(fabric_);
    const auto known = [](double price, bool lacks) { return lacks ? std::nullopt : std::optional(price); };
    add("node-nics", "nics", true, fabric_.all_nics(), known(bill.nics, bill.nics_unpriced));
    add("switches", "switches", true, fabric_.all_switches(), known(bill.switches, bill.switches_unpriced));
    long long trunks = 0;
    for (const Json& trunk : spec_.normal.value("trunks", Json::array())) trunks += trunk["count"].get<long long>();
    add_cables(spec_.switches.empty() ? "cables-between-nodes" : "node-cables", true, fabric_.cables - trunks);
    add_cables("cables-between-switches", true, trunks);
  }

  void add_uplink() {
    const Json& uplink = spec_.normal["uplink"];
    const auto spares = static_cast<int>(uplink["spares"].size());
    add("uplink-switch", "switches", false, 1, price_of_uplink_switch(uplink["ports"].get<int>()));
    const auto joined = [](const Switch& device) { return device.reserved > 0; };
    add_cables("uplink-cables", false, std::count_if(spec_.switches.begin(), spec_.switches.end(), joined));
    const int nics = nics_of_most_nodes(spec_);
    const std::optional<double> price = catalog_.price_of_nics(fabric_.mbps, nics);
    add("spare-nics", "nics", false, spares * nics, price ? std::optional(spares * *price) : std::nullopt);
    add_cables("spare-cables", false, spares);
    add_cables("host-cables", false, static_cast<long long>(uplink["hosts"].size()));
  }

  /// That of the spec, else of the cheapest switch of the price list with as many ports as fast as the fabric.
  std::optional<double> price_of_uplink_switch(int ports) const {
    std::optional<double> price = Prices(spec_).of_switch(ports);
    if (price || !catalog_.list()) return price;
    for (const PriceList::Device& device : catalog_.list()->switches) {
      if (device.ports < ports || device.mbps < fabric_.mbps) continue;
      price = price ? std::min(*price, device.price) : device.price;
    }
    return price;
  }

  const Spec& spec_;
  const Parts& fabric_;
  const Catalog& catalog_;
  std::optional<double> cable_;
  std::vector<Part> parts_;
};

}  // namespace

Json network_cost(const Design& design, const Parts& fabric, const Catalog& catalog, const Json& row, int unit_mbps) {
  const NetworkParts parts(design, fabric, catalog);
  const std::optional<double> meters = cable_meters(design);
  const Prices prices(design.spec);
  Json cost = {{"parts", parts.to_json()}, {"cable_length_m", meters ? Json(round_decimals(*meters)) : Json(nullptr)},
               {"unpriced", Json::array()}, {"price", nullptr}, {"per_node", nullptr}, {"per_gbps", nullptr}};
  for (const char* kind : {"nics", "cables", "switches"}) {
    cost[kind] = parts.pieces(kind);
    const bool by_length = kind == std::string("cables") && meters && prices.has("cable_m");
    if (parts.has_unpriced(kind) && !by_length) cost["unpriced"].push_back(kind);
  }
  if (!catalog.has_prices()) return cost;
  const double length = meters.value_or(0) * prices.of("cable_m");
  const double total = parts.price("nics") + parts.price("switches") + parts.price("cables") + length;
  const bool known = !parts.has_unpriced("nics") && !parts.has_unpriced("switches");
  cost["price"] = {{"nics", round_decimals(parts.price("nics"))}, {"switches", round_decimals(parts.price("switches"))},
                   {"cables", round_decimals(parts.price("cables"))}, {"cable_length", round_decimals(length)},
                   {"total", known ? Json(round_decimals(total)) : Json(nullptr)}};
  if (known) cost.update(cost_rates(total, row, design.spec.nodes.size(), unit_mbps));
  return cost;
}

}  // namespace fnn
