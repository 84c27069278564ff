// SPDX-License-Identifier: GPL-3.0-or-later
#include "alternatives/comparison.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace fnn {
namespace {

/// Numbers that differ by less than this, relative to the larger, are equal.
constexpr double kRelativeTolerance = 1e-5;

/// A number with its uncertainty.
struct Value {
  double number;
  double margin = 0;
};

struct Measure {
  std::string name;
  bool more_is_better;
  std::function<std::optional<Value>(const Json& row)> of;
};

std::optional<Value> at(const Json& row, const std::string& pointer) {
  const Json::json_pointer place(pointer);
  if (!row.contains(place) || row[place].is_null()) return std::nullopt;
  return Value{row[place].get<double>()};
}

Measure plain(const std::string& name, bool more_is_better, const std::string& pointer) {
  return {name, more_is_better, [pointer](const Json& row) { return at(row, pointer); }};
}

Measure estimated(const std::string& name, const std::string& pointer) {
  return {name, true, [pointer](const Json& row) -> std::optional<Value> {
            const Json::json_pointer place(pointer);
            if (!row.contains(place)) return std::nullopt;
            const Json& number = row[place];
            // An estimate with an exact value has only the uncertainty of its patterns.
            return Value{number["mean"].get<double>(), (number["high"].get<double>() - number["low"].get<double>()) / 2};
          }};
}

/// Prices are comparable where the same items lack a price.
Measure priced(const std::string& name, const std::string& pointer, const Json& unpriced_of_design) {
  return {name, false, [pointer, unpriced_of_design](const Json& row) -> std::optional<Value> {
            for (const Json& what : row["fabric_cost"]["unpriced"]) {
              if (std::find(unpriced_of_design.begin(), unpriced_of_design.end(), what) == unpriced_of_design.end()) {
                return std::nullopt;
              }
            }
            return at(row, pointer);
          }};
}

/// The nodes that forward between two nodes; switches need none.
Measure forwarding_nodes() {
  return {"nodes-between", false, [](const Json& row) -> std::optional<Value> {
            return row["nodes_between"].is_null() ? std::optional<Value>(Value{0}) : at(row, "/nodes_between/mean/value");
          }};
}

std::vector<Measure> measures_for(const Json& design) {
  std::vector<Measure> measures = {plain("switches-traversed", false, "/switches_traversed/mean/value"),
                                   plain("pairwise", true, "/pairwise/mean/value"),
                                   plain("across-basic", true, "/bisection/across/basic"),
                                   plain("across-advanced", true, "/bisection/across/advanced"),
                                   estimated("effective-basic", "/ebb/basic/sym"),
                                   estimated("effective-advanced", "/ebb/advanced/sym"),
                                   plain("phases-basic", false, "/aapc/basic/time"),
                                   plain("phases-advanced", false, "/aapc/advanced/time"),
                                   plain("exposure-switch", false, "/exposure/switch/max"),
                                   plain("exposure-cable", false, "/exposure/cable/max")};
  if (!design["nodes_between"].is_null()) measures.insert(measures.begin(), forwarding_nodes());
  for (std::size_t i = 0; i < design["saturation"].size(); ++i) {
    const std::string pattern = design["saturation"][i]["pattern"];
    const std::string place = "/saturation/" + std::to_string(i);
    measures.push_back(plain(pattern + "-basic", true, place + "/basic"));
    measures.push_back(plain(pattern + "-advanced", true, place + "/advanced"));
  }
  const Json& unpriced = design["fabric_cost"]["unpriced"];
  measures.push_back(priced("fabric-price", "/fabric_cost/price/total", unpriced));
  measures.push_back(priced("fabric-price-per-effective-basic", "/fabric_cost/per_gbps/effective_basic", unpriced));
  measures.push_back(priced("fabric-price-per-effective-advanced", "/fabric_cost/per_gbps/effective_advanced", unpriced));
  return measures;
}

/// Negative where the design is worse.
int compare(const Value& design, const Value& other, bool more_is_better) {
  const double difference = design.number - other.number;
  const double larger = std::max(std::abs(design.number), std::abs(other.number));
  const double slack = std::hypot(design.margin, other.margin) + kRelativeTolerance * larger;
  if (std::abs(difference) <= slack) return 0;
  return (difference > 0) == more_is_better ? 1 : -1;
}

}  // namespace

std::string row_name(const Json& row) {
  const std::string name = row["alternative"];
  return row["routing"].is_null() ? name : name + "/" + row["routing"].get<std::string>();
}

Json comparison(const Json& alternatives) {
  const Json& design = alternatives.at(0);
  Json json = Json::array();
  for (const Measure& measure : measures_for(design)) {
    const std::optional<Value> ours = measure.of(design);
    if (!ours) continue;
    Json lists[3] = {Json::array(), Json::array(), Json::array()};
    std::optional<Value> best = ours;
    std::string best_name = "design";
    for (std::size_t i = 1; i < alternatives.size(); ++i) {
      const Json& row = alternatives[i];
      const std::optional<Value> theirs = row["possible"].get<bool>() ? measure.of(row) : std::nullopt;
      if (!theirs) continue;
      lists[compare(*ours, *theirs, measure.more_is_better) + 1].push_back(row_name(row));
      if (compare(*best, *theirs, measure.more_is_better) >= 0) continue;
      best = theirs;
      best_name = row_name(row);
    }
    json.push_back({{"measure", measure.name},
                    {"better", measure.more_is_better ? "more" : "less"},
                    {"design", ours->number},
                    {"best", {{"alternative", best_name}, {"value", best->number}}},
                    {"loses_to", lists[0]},
                    {"even_with", lists[1]},
                    {"wins_over", lists[2]}});
  }
  return json;
}

}  // namespace fnn
