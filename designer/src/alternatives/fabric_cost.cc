// SPDX-License-Identifier: GPL-3.0-or-later
#include "alternatives/fabric_cost.h"

#include <cmath>

#include "base/units.h"
#include "evaluate/rational.h"

namespace fnn {
namespace {

Json unpriced(const Bill& bill) {
  Json names = Json::array();
  if (bill.nics_unpriced) names.push_back("nics");
  if (bill.cables_unpriced) names.push_back("cables");
  if (bill.switches_unpriced) names.push_back("switches");
  return names;
}

Json per_gbps(double total, double links, double unit_mbps) {
  if (links <= 0) return nullptr;
  return round_decimals(total / (links * unit_mbps / kMbpsPerGbps));
}

double effective(const Json& measures, const char* routing) { return measures["ebb"][routing]["sym"]["mean"].get<double>(); }

/// A price, or null if it is negative or not finite.
Json price_or_null(double price) {
  return std::isfinite(price) && price >= 0 ? Json(round_decimals(price)) : Json(nullptr);
}

/// Whether both totals are comparable: everything has a price, or both lack the price of cables.
bool comparable(const Bill& a, const Bill& b) {
  return !a.nics_unpriced && !b.nics_unpriced && !a.switches_unpriced && !b.switches_unpriced &&
         (a.cables_unpriced == b.cables_unpriced || a.connections > 0);
}

}  // namespace

Json cost_rates(double total, const Json& measures, std::size_t nodes, int unit_mbps) {
  const auto count = static_cast<double>(nodes);
  const Json& bisection = measures["bisection"];
  return {{"per_node", round_decimals(total / count)},
          {"per_gbps",
           {{"best", per_gbps(total, bisection["best"]["value"], unit_mbps)},
            {"conservative", per_gbps(total, bisection["conservative"]["value"], unit_mbps)},
            {"effective_basic", per_gbps(total, count * effective(measures, "basic"), unit_mbps)},
            {"effective_advanced", per_gbps(total, count * effective(measures, "advanced"), unit_mbps)}}}};
}

Json fabric_cost(const Parts& parts, const Catalog& catalog, const Json& measures, std::size_t nodes, int unit_mbps) {
  Json cost = {{"nics", parts.all_nics()}, {"switches", parts.all_switches()}, {"cables", parts.cables},
               {"unpriced", Json::array()}, {"price", nullptr}, {"per_node", nullptr}, {"per_gbps", nullptr}};
  const Bill bill = catalog.bill(parts);
  cost["unpriced"] = unpriced(bill);
  if (!catalog.has_prices()) return cost;
  const bool known = !bill.nics_unpriced && !bill.switches_unpriced;
  cost["price"] = {{"nics", round_decimals(bill.nics)}, {"switches", round_decimals(bill.switches)},
                   {"cables", round_decimals(bill.cables)},
                   {"connections", round_decimals(bill.connections)},
                   {"total", known ? Json(round_decimals(bill.total())) : Json(nullptr)}};
  if (known) cost.update(cost_rates(bill.total(), measures, nodes, unit_mbps));
  return cost;
}

Parts parts_of_design(const Design& design, const Fabric& fabric) {
  Parts parts;
  parts.mbps = fabric.unit_mbps;
  const Prices prices(design.spec);
  for (std::size_t device = 0; device < fabric.links.size(); ++device) {
    if (fabric.links[device] == 0) continue;
    const Switch& model = design.spec.switches[device];
    parts.switches.push_back({{model.name, model.all_ports(), fabric.unit_mbps, prices.of_switch(model)}, 1});
    parts.cables += fabric.links[device];
  }
  for (const auto& of_node : fabric.legs) ++parts.nics[static_cast<int>(of_node.size())];
  return parts;
}

Parts parts_of_topology(const Design& design, int mbps, int cables) {
  Parts parts;
  parts.mbps = mbps;
  parts.cables = cables;
  const Prices prices(design.spec);
  // Every switch of a tree is used: it has nodes, or joins those that have.
  for (const Switch& model : design.spec.switches) {
    parts.switches.push_back({{model.name, model.all_ports(), mbps, prices.of_switch(model)}, 1});
  }
  for (const Json& node : design.document["nodes"]) ++parts.nics[static_cast<int>(node["links"].size())];
  return parts;
}

Json break_even_prices(const Offer& design, const Offer& alternative, const Catalog& catalog) {
  const Bill ours = catalog.bill(design.parts);
  const Bill theirs = catalog.bill(alternative.parts);
  const bool same_nics = design.parts.mbps == alternative.parts.mbps;
  Json json = Json::object();
  for (const char* routing : {"basic", "advanced"}) {
    const double here = effective(design.measures, routing);
    const double there = effective(alternative.measures, routing);
    Json& prices = json[routing];
    prices = {{"alternative", {{"total", nullptr}, {"switch", nullptr}}},
              {"design", {{"total", nullptr}, {"switch", nullptr}, {"nic", nullptr}}}};
    if (here <= 0 || there <= 0) continue;
    if (!ours.nics_unpriced && !ours.switches_unpriced) {
      const double total = ours.total() / here * there;
      prices["alternative"]["total"] = price_or_null(total);
      const int switches = alternative.parts.all_switches();
      const bool known = !theirs.nics_unpriced && theirs.connections == 0;
      if (switches > 0 && known) prices["alternative"]["switch"] = price_or_null((total - theirs.nics - theirs.cables) / switches);
    }
    if (!comparable(ours, theirs)) continue;
    const double total = theirs.total() / there * here;
    prices["design"]["total"] = price_or_null(total);
    prices["design"]["switch"] = price_or_null((total - ours.nics - ours.cables) / design.parts.all_switches());
    // NICs of the same speed have the same price in both networks, so it varies in both.
    const double rest = theirs.connections > 0 || !same_nics ? theirs.total() : theirs.switches + theirs.cables;
    const double their_nics = theirs.connections > 0 || !same_nics ? 0 : alternative.parts.all_nics();
    const double slope = design.parts.all_nics() / here - their_nics / there;
    prices["design"]["nic"] = price_or_null((rest / there - (ours.switches + ours.cables) / here) / slope);
  }
  return json;
}

}  // namespace fnn
