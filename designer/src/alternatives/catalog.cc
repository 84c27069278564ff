// SPDX-License-Identifier: GPL-3.0-or-later
#include "alternatives/catalog.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "base/problem.h"
#include "base/units.h"

namespace fnn {
namespace {

using std::size_t;

constexpr int kAssumedSpeedup = 10;

long long inside(const std::optional<double>& gbps) {
  return gbps ? mbps_of_gbps(*gbps) : Network::kUnlimited;
}

std::optional<double> gbps_of(const Json& device) {
  if (device["internal_gbps"].is_null()) return std::nullopt;
  return device["internal_gbps"].get<double>();
}

bool same_model(const SwitchModel& a, const SwitchModel& b) {
  return a.ports == b.ports && a.price == b.price && a.inside_mbps == b.inside_mbps;
}

void keep_cheaper(std::optional<double>& best, double price) { best = best ? std::min(*best, price) : price; }

}  // namespace

int Parts::all_nics() const {
  int sum = 0;
  for (const auto& [count, nodes] : nics) sum += count * nodes;
  return sum;
}

int Parts::all_switches() const {
  int sum = 0;
  for (const auto& [model, count] : switches) sum += count;
  return sum;
}

Catalog::Catalog(const Spec& spec, std::optional<PriceList> list) : spec_(spec), prices_(spec), list_(std::move(list)) {
  for (const Node& node : spec.nodes) {
    std::vector<int> speeds = node.nic_mbps;
    std::sort(speeds.rbegin(), speeds.rend());
    if (&node == &spec.nodes.front()) nic_mbps_ = speeds;
    nic_mbps_.resize(std::min(nic_mbps_.size(), speeds.size()));
    for (size_t i = 0; i < nic_mbps_.size(); ++i) nic_mbps_[i] = std::min(nic_mbps_[i], speeds[i]);
    most_nics_ = std::max(most_nics_, static_cast<int>(speeds.size()));
  }
  int fastest_port = 0;
  for (const Switch& device : spec.switches) {
    for (const PortGroup& group : device.ports) fastest_port = std::max(fastest_port, group.mbps);
  }
  if (list_) {
    for (const PriceList::Device& device : list_->switches) fastest_port = std::max(fastest_port, device.mbps);
  }
  // Nodes without switches are joined to each other, at any speed.
  if (spec.switches.empty()) return;
  for (int& mbps : nic_mbps_) mbps = std::min(mbps, fastest_port);
}

std::vector<SwitchModel> Catalog::switches(int mbps) const {
  std::vector<SwitchModel> models;
  const auto add = [&](const SwitchModel& model) {
    const auto known = [&](const SwitchModel& other) { return same_model(model, other); };
    if (model.ports > 0 && std::none_of(models.begin(), models.end(), known)) models.push_back(model);
  };
  for (size_t i = 0; i < spec_.switches.size(); ++i) {
    const Switch& device = spec_.switches[i];
    int ports = 0;
    for (const PortGroup& group : device.ports) ports += group.mbps >= mbps ? group.count : 0;
    add({device.name, ports, mbps, prices_.of_switch(device), inside(gbps_of(spec_.normal["switches"][i]))});
  }
  if (list_) {
    for (const PriceList::Device& device : list_->switches) {
      if (device.mbps >= mbps) add({device.name, device.ports, mbps, device.price, inside(device.internal_gbps)});
    }
  }
  std::stable_sort(models.begin(), models.end(), [](const SwitchModel& a, const SwitchModel& b) { return a.ports < b.ports; });
  return models;
}

int Catalog::widest(int mbps) const {
  const std::vector<SwitchModel> models = switches(mbps);
  return models.empty() ? 0 : models.back().ports;
}

int Catalog::nics_at(int mbps) const {
  return static_cast<int>(std::count_if(nic_mbps_.begin(), nic_mbps_.end(), [&](int nic) { return nic >= mbps; }));
}

int Catalog::widest_nic(int mbps) const {
  int ports = 1;
  if (!list_) return ports;
  for (const PriceList::Nic& nic : list_->nics) {
    if (nic.mbps >= mbps) ports = std::max(ports, nic.ports);
  }
  return ports;
}

int Catalog::most_ports_of_a_node(int mbps) const { return most_nics_ * widest_nic(mbps); }
int Catalog::least_ports_of_a_node(int mbps) const { return nics_at(mbps) * widest_nic(mbps); }

int Catalog::faster_than(int mbps) const {
  std::set<int> speeds;
  for (const Switch& device : spec_.switches) {
    for (const PortGroup& group : device.ports) speeds.insert(group.mbps);
  }
  if (list_) {
    for (const PriceList::Device& device : list_->switches) speeds.insert(device.mbps);
    for (const PriceList::Piece& all : list_->connections) speeds.insert(all.mbps);
  }
  const auto next = speeds.upper_bound(mbps);
  return next == speeds.end() ? mbps * kAssumedSpeedup : *next;
}

bool Catalog::sells_nics(int mbps) const {
  if (!list_) return false;
  const auto fast = [&](const auto& piece) { return piece.mbps >= mbps; };
  return std::any_of(list_->nics.begin(), list_->nics.end(), fast);
}

std::optional<double> Catalog::price_of_nics(int mbps, int nics) const {
  // The spec states the price of the NICs that its nodes have.
  if (prices_.has("nic") && nics_at(mbps) > 0) return nics * prices_.of("nic");
  std::optional<double> best;
  if (!list_) return best;
  for (const PriceList::Nic& nic : list_->nics) {
    if (nic.mbps >= mbps) keep_cheaper(best, (nics + nic.ports - 1) / nic.ports * nic.price);
  }
  return best;
}

std::optional<double> Catalog::price_of_cable(int mbps) const {
  if (prices_.has("cable")) return prices_.of("cable");
  std::optional<double> best;
  if (!list_) return best;
  for (const PriceList::Piece& cable : list_->cables) {
    if (cable.mbps >= mbps) keep_cheaper(best, cable.price);
  }
  return best;
}

std::optional<std::string> Catalog::currency() const {
  const Json& given = spec_.normal["prices"];
  if (!given.contains("currency")) return list_ ? std::optional(list_->currency) : std::nullopt;
  const std::string own = given["currency"];
  if (list_ && list_->currency != own) {
    throw BadInput({{"/spec/prices/currency", own + ", but the price list " + list_->name + " is in " + list_->currency +
                                                  "; expected the same currency in both"}});
  }
  return own;
}

Bill Catalog::bill(const Parts& parts) const {
  Bill bill;
  for (const auto& [nics, nodes] : parts.nics) {
    const std::optional<double> price = price_of_nics(parts.mbps, nics);
    bill.nics += nodes * price.value_or(0);
    bill.nics_unpriced = bill.nics_unpriced || !price;
  }
  for (const auto& [model, count] : parts.switches) {
    bill.switches += count * model.price.value_or(0);
    bill.switches_unpriced = bill.switches_unpriced || !model.price;
  }
  const std::optional<double> cable = price_of_cable(parts.mbps);
  bill.cables = parts.cables * cable.value_or(0);
  bill.cables_unpriced = !cable;
  if (!list_ || !(bill.nics_unpriced || bill.switches_unpriced) || nics_at(parts.mbps) > 0) return bill;
  std::optional<double> connection;
  for (const PriceList::Piece& all : list_->connections) {
    if (all.mbps >= parts.mbps) keep_cheaper(connection, all.price);
  }
  if (!connection) return bill;
  int nodes = 0;
  for (const auto& [nics, count] : parts.nics) nodes += count;
  Bill whole;
  whole.connections = nodes * *connection;
  return whole;
}

}  // namespace fnn
