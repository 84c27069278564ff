// SPDX-License-Identifier: GPL-3.0-or-later
//
// An example: 12 nodes of two NICs in a ring, and a price list with switches of 8 ports. Three of these join all pairs,
// with four nodes on each two. A switch of 12 ports or more would hold all nodes, and needs no design.
#include "program/flat_alternative.h"

#include <algorithm>
#include <limits>

#include "alternatives/fabric_cost.h"
#include "design/design_document.h"
#include "evaluate/evaluation_document.h"
#include "evaluate/fabric.h"
#include "oracle/verdict.h"
#include "program/designing.h"
#include "program/quick.h"

namespace fnn {
namespace {

constexpr std::size_t kMostNodes = 256;  // above, a generation of the search takes longer than it is worth
constexpr const char* kMedia = "osfp";  // of every speed
constexpr std::int64_t kGenerations = 2;
/// The effort of the exact search is derived from it.
constexpr double kSeconds = 1.0;

/// Equal nodes and the fewest equal switches that join them, as a spec.
Spec spec_of(const SwitchModel& model, int nodes, int nics) {
  QuickOptions numbers;
  numbers.nodes = nodes;
  numbers.nics = nics;
  numbers.ports = model.ports;
  Json document = determine_open_numbers(numbers).spec;
  for (Json& node : document["nodes"]) {
    node["nics"] = Json::array();
    for (int nic = 0; nic < nics; ++nic) node["nics"].push_back({{"speed_mbps", model.mbps}, {"media", kMedia}});
  }
  const Json ports = {{"count", model.ports}, {"speed_mbps", model.mbps}, {"media", kMedia}};
  for (Json& device : document["switches"]) {
    device["ports"] = Json::array({ports});
    if (model.price) device["price"] = *model.price;
    if (model.inside_mbps != Network::kUnlimited) device["internal_gbps"] = static_cast<double>(model.inside_mbps) / 1000;
  }
  return read_spec(document);
}

/// A design in which every two nodes share a switch, or nothing where none was found.
std::optional<Design> design_with(const SwitchModel& model, int nodes, int nics, std::int64_t seed) {
  const Spec spec = spec_of(model, nodes, nics);
  const std::vector<Bound> bounds = compute_bounds(spec);
  if (broken_bound(bounds)) return std::nullopt;
  DesignRequest request;
  request.seed = seed;
  request.time_limit = kSeconds;
  request.generations = kGenerations;
  const Designed designed = design(spec, std::nullopt, request, [](std::int64_t, const Individual&) {});
  if (designed.infeasible) return std::nullopt;
  const Json document = design_document(spec, designed.cabling, seed, bounds, std::nullopt);
  if (document["verdict"] != "found") return std::nullopt;
  return read_design(document);
}

std::string text_of(int number, const std::string& noun) { return std::to_string(number) + " " + noun; }

/// The models with too few ports for all nodes, the cheapest of each number of ports.
std::vector<SwitchModel> narrow_models(const Catalog& catalog, int mbps, int nodes) {
  std::vector<SwitchModel> narrow;
  for (const SwitchModel& model : catalog.switches(mbps)) {
    if (model.ports >= nodes || model.ports < 2) continue;
    const bool same = !narrow.empty() && narrow.back().ports == model.ports;
    if (!same) narrow.push_back(model);
    else if (model.price && (!narrow.back().price || *model.price < *narrow.back().price)) narrow.back() = model;
  }
  return narrow;
}

}  // namespace

FlatAlternative flat_alternative(const Design& design, const std::optional<PriceList>& prices, int mbps,
                                 const Sampling& sampling) {
  const auto refuse = [](const std::string& reason) { return FlatAlternative{std::nullopt, reason}; };
  const Catalog catalog(design.spec, prices);
  const int nodes = static_cast<int>(design.spec.nodes.size());
  const int nics = catalog.nics_at(mbps);
  const std::string speed = text_of(mbps, "Mb/s");
  if (design.spec.nodes.size() > kMostNodes) return refuse("it is designed for up to " + text_of(kMostNodes, "nodes"));
  if (nics < 2) return refuse("every node would need two NICs of " + speed);
  if (catalog.widest(mbps) == 0) return refuse("no switch of " + speed + " is known");
  const std::vector<SwitchModel> models = narrow_models(catalog, mbps, nodes);
  if (models.empty()) return refuse("one switch holds all nodes");
  std::optional<Design> chosen;
  std::pair<double, int> least;
  for (const SwitchModel& model : models) {
    std::optional<Design> found = design_with(model, nodes, nics, static_cast<std::int64_t>(sampling.seed));
    if (!found) continue;
    const Parts parts = parts_of_design(*found, fabric_of(*found));
    const Bill bill = catalog.bill(parts);
    const double price = bill.switches_unpriced ? std::numeric_limits<double>::infinity() : bill.total();
    const std::pair<double, int> rank(price, parts.all_switches());
    if (chosen && least <= rank) continue;
    chosen = std::move(found);
    least = rank;
  }
  if (!chosen) {
    return refuse("switches of " + text_of(models.back().ports, "ports") + " are too narrow for " +
                  text_of(nodes, "nodes") + " with " + text_of(nics, "NICs"));
  }
  return {measured_flat_network(*chosen, evaluation_document(*chosen, sampling), sampling.seed), ""};
}

}  // namespace fnn
