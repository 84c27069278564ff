// SPDX-License-Identifier: GPL-3.0-or-later
#include "alternatives/alternatives_document.h"

#include <algorithm>
#include <atomic>
#include <thread>

#include "alternatives/alternative.h"
#include "alternatives/comparison.h"
#include "alternatives/fabric_cost.h"
#include "alternatives/network_cost.h"
#include "evaluate/fabric.h"
#include "evaluate/rational.h"
#include "evaluate/route_loads.h"
#include "network/network_measures.h"
#include "spec/patterns.h"

namespace fnn {
namespace {

using std::size_t;

// Tables grow with the square of the nodes, and edges have numbers of 16 bits.
constexpr size_t kMostNodes = 2048;
constexpr size_t kMostEdges = 65534;

/// The keys of network_measures().
constexpr const char* kMeasures[] = {"switches_traversed", "nodes_between", "pairwise", "bisection", "ebb", "patterns",
                                     "saturation", "aapc", "forwarding_index", "exposure"};

/// Drops the measures that rows of other networks do not have.
Json without_striped(Json patterns) {
  for (Json& pattern : patterns) {
    pattern["in_rank_order"].erase("striped");
    if (!pattern["anywhere"].is_null()) pattern["anywhere"].erase("striped");
  }
  return patterns;
}

Json saturations(const Json& evaluation) {
  Json json = Json::array();
  for (const Json& pattern : evaluation["worst_case"]["patterns"]) {
    if (pattern["pattern"] == "own") continue;
    json.push_back({{"pattern", pattern["pattern"]}, {"pairs", pattern["pairs"]},
                    {"basic", pattern["basic"]}, {"advanced", pattern["advanced"]}});
  }
  return json;
}

Json phases(const Json& aapc) {
  Json json = Json::object();
  for (const char* routing : {"basic", "advanced"}) {
    const Json& minima = aapc[routing]["minima"];
    const Json& time = aapc[routing]["time"];
    json[routing] = {{"time", time.is_null() ? time : time["value"]},
                     {"minimum", *std::min_element(minima.begin(), minima.end())}};
  }
  return json;
}

Json exposures(Json exposure) {
  for (Json& failures : exposure) {
    if (!failures.is_null()) failures.erase("worst");
  }
  return exposure;
}

/// The evaluation of a flat neighborhood network as measures like those of other networks.
Json measures_of_flat_network(const Json& evaluation, const Fabric& fabric, const Choice& choice) {
  RouteLoads loads(fabric, choice);
  std::array<double, 2> halves{};
  for (const auto& rate : loads.rates(across(fabric.nodes()), rank_order(fabric.nodes()))) {
    halves[kBasic] += rate[kBasic];
    halves[kAdvanced] += rate[kAdvanced];
  }
  Json bisection = evaluation["bisection"];
  bisection["across"] = {{"basic", round_decimals(halves[kBasic])}, {"advanced", round_decimals(halves[kAdvanced])}};
  return {{"switches_traversed", evaluation["switches_traversed"]},
          {"nodes_between", nullptr},
          {"pairwise", {{"mean", evaluation["pairwise"]["mean"]}, {"min", evaluation["pairwise"]["min"]}}},
          {"bisection", bisection},
          {"ebb", evaluation["ebb"]},
          {"patterns", without_striped(evaluation["patterns"])},
          {"saturation", saturations(evaluation)},
          {"aapc", phases(evaluation["aapc"])},
          {"forwarding_index", evaluation["forwarding_index"]},
          {"exposure", exposures(evaluation["exposure"])}};
}

Json parts_json(const Parts& parts) {
  Json switches = Json::array();
  for (const auto& [model, count] : parts.switches) {
    Json* same = nullptr;
    for (Json& other : switches) {
      if (other["ports"] == model.ports && other["price"] == (model.price ? Json(*model.price) : Json(nullptr))) same = &other;
    }
    if (same != nullptr) (*same)["count"] = (*same)["count"].get<int>() + count;
    else switches.push_back({{"count", count}, {"ports", model.ports}, {"price", model.price ? Json(*model.price) : Json(nullptr)}});
  }
  return {{"link_mbps", parts.mbps}, {"switches", switches}};
}

/// What each cable of the uplink tree carries when every node below one sends to every other: routes in each direction.
Json uplink_loads(const std::vector<Alternative::Uplink>& uplinks) {
  long long nodes = 0;
  for (const Alternative::Uplink& each : uplinks) nodes += each.nodes;
  Json json = Json::array();
  for (const Alternative::Uplink& each : uplinks) {
    json.push_back({{"switch", each.device}, {"nodes", each.nodes}, {"routes", each.nodes * (nodes - each.nodes)}});
  }
  return json;
}

/// A row without any measures.
Json empty_row(const std::string& name, const Json& routing, const std::string& reason) {
  Json row = {{"alternative", name}, {"routing", routing}, {"possible", reason.empty()},
              {"reason", reason.empty() ? Json(nullptr) : Json(reason)}, {"parts", nullptr}, {"fabric_cost", nullptr},
              {"even_at", nullptr}};
  for (const char* key : kMeasures) row[key] = nullptr;
  return row;
}

class Rows {
 public:
  Rows(const Design& design, const MeasuredNetwork& own, const Catalog& catalog, const Sampling& sampling)
      : design_(own), catalog_(catalog), sampling_(sampling), own_(own_patterns(design.spec)),
        nodes_(design.spec.nodes.size()) {
    rows_.push_back(empty_row("design", nullptr, ""));
    rows_[0].update(own.measures);
    finish(rows_[0], own.parts);
  }

  void add_flat(const FlatAlternative& flat) {
    rows_.push_back(empty_row("fnn", nullptr, flat.reason));
    if (!flat.network) return;
    rows_.back().update(flat.network->measures);
    finish_alternative(rows_.back(), flat.network->parts);
  }

  void add(const Alternative& alternative) {
    if (!alternative.network || alternative.network->edges().size() > kMostEdges) {
      const bool large = alternative.network.has_value();
      rows_.push_back(empty_row(alternative.name, nullptr,
                                large ? "too many cables to be measured" : alternative.reason));
      return;
    }
    for (const RoutingChoice choice : alternative.routings) {
      const bool chosen = alternative.routings.size() > 1;
      jobs_.push_back({rows_.size(), alternative, choice});
      rows_.push_back(empty_row(alternative.name, chosen ? Json(name_of(choice)) : Json(nullptr), alternative.reason));
    }
  }

  /// Rows are independent of each other, so each runs in its own thread.
  Json measured() {
    std::atomic<size_t> next{0};
    const auto work = [&] {
      for (size_t job = next++; job < jobs_.size(); job = next++) measure(jobs_[job]);
    };
    {
      std::vector<std::jthread> helpers;
      for (size_t i = 1; i < std::min(sampling_.threads, jobs_.size()); ++i) helpers.emplace_back(work);
      work();
    }
    return rows_;
  }

 private:
  struct Job {
    size_t row;
    Alternative alternative;
    RoutingChoice choice;
  };

  void measure(Job& job) {
    Alternative& alternative = job.alternative;
    RoutedNetwork routed{*std::move(alternative.network), {}};
    for (const Alternative::LayerPlan& layer : alternative.layers) {
      routed.layers.push_back({choose_routes(routed.network, job.choice, sampling_.seed, layer.closed), layer.node});
    }
    const Sampling single_threaded{sampling_.seed, sampling_.patterns, 1};
    Json& row = rows_[job.row];
    row.update(network_measures(routed, design_.unit_mbps, own_, single_threaded));
    if (!alternative.uplinks.empty()) row["uplinks"] = uplink_loads(alternative.uplinks);
    finish_alternative(row, alternative.parts);
  }

  void finish(Json& row, const Parts& parts) const {
    row["parts"] = parts_json(parts);
    row["fabric_cost"] = fabric_cost(parts, catalog_, row, nodes_, design_.unit_mbps);
  }

  void finish_alternative(Json& row, const Parts& parts) const {
    finish(row, parts);
    row["even_at"] = break_even_prices({design_.parts, rows_[0]}, {parts, row}, catalog_);
  }

  const MeasuredNetwork& design_;
  const Catalog& catalog_;
  Sampling sampling_;
  std::vector<OwnPattern> own_;
  size_t nodes_;
  std::vector<Json> rows_;
  std::vector<Job> jobs_;
};

Json prices_json(const std::optional<PriceList>& list) {
  if (!list) return nullptr;
  return {{"name", list->name}, {"date", list->date}, {"currency", list->currency}};
}

}  // namespace

MeasuredNetwork measured_flat_network(const Design& design, const Json& evaluation, std::uint64_t seed) {
  const Fabric fabric = fabric_of(design);
  Random random(seed);
  const Choice choice = choose_legs(fabric.legs, peer_limits(fabric.legs), random);
  return {measures_of_flat_network(evaluation, fabric, choice), parts_of_design(design, fabric), fabric.unit_mbps};
}

MeasuredNetwork measured_topology(const Design& design, const Json& evaluation) {
  Json measures = Json::object();
  for (const char* key : kMeasures) measures[key] = evaluation[key];
  const int mbps = evaluation["link_mbps"];
  return {measures, parts_of_topology(design, mbps, evaluation["cables"]), mbps};
}

Json alternatives_document(const Design& design, const MeasuredNetwork& own, const AlternativesWanted& wanted,
                           const Sampling& sampling) {
  const Catalog catalog(design.spec, wanted.prices);
  const std::optional<std::string> currency = catalog.currency();
  const Setting setting{design, catalog, std::max(1, catalog.nth_nic_mbps(0))};
  Rows rows(design, own, catalog, sampling);
  if (wanted.flat) rows.add_flat(*wanted.flat);
  for (const std::string& name : wanted.names) {
    if (setting.nodes() > kMostNodes) {
      Alternative large;
      large.name = name;
      large.reason = "alternatives are measured up to " + std::to_string(kMostNodes) + " nodes";
      rows.add(large);
    } else {
      rows.add(build_alternative(name, setting));
    }
  }
  const Json alternatives = rows.measured();
  return {{"alternatives", alternatives},
          {"comparison", comparison(alternatives)},
          {"cost", network_cost(design, own.parts, catalog, alternatives.at(0), own.unit_mbps)},
          {"currency", currency ? Json(*currency) : Json(nullptr)},
          {"prices", prices_json(wanted.prices)}};
}

}  // namespace fnn
