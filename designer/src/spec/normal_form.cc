// SPDX-License-Identifier: GPL-3.0-or-later
#include "spec/normal_form.h"

#include "spec/spec_shape.h"
#include "spec/topology_rules.h"

namespace fnn {
namespace {

/// Adds every key for which `schema` has a default: a value, or the value of another key of the same object.
void add_defaults(Json& value, const Json& schema) {
  if (value.is_array() && schema.contains("items") && schema["items"].is_object()) {
    for (Json& item : value) add_defaults(item, schema["items"]);
  }
  if (!value.is_object()) return;
  for (const auto& item : schema.at("properties").items()) {
    const std::string& key = item.key();
    const Json& rule = item.value();
    if (value.contains(key)) add_defaults(value[key], rule);
    else if (rule.contains("default")) value[key] = rule["default"];
    else if (rule.contains("default_from")) value[key] = value[rule["default_from"].get<std::string>()];
  }
}

/// Turns a number of NICs, and NICs given by their name, into objects, which add_defaults() completes.
void expand_nics(Json& nics) {
  if (!nics.is_array()) nics = Json(nics.get<std::size_t>(), Json::object());
  for (Json& nic : nics) {
    if (nic.is_string()) nic = Json::object({{"name", nic}});
  }
}

/// Turns a number of ports into one group, which add_defaults() completes.
void expand_ports(Json& ports) {
  if (!ports.is_array()) ports = Json::array({{{"count", ports}}});
}

/// Removes goals of weight 0.
void remove_idle_goals(Json& goals) {
  for (auto goal = goals.begin(); goal != goals.end();) {
    goal = goal->is_null() || *goal == 0 ? goals.erase(goal) : std::next(goal);
  }
}

}  // namespace

Json normal_form(const Json& sound) {
  Json spec = with_integers(sound);
  for (Json& node : spec["nodes"]) expand_nics(node["nics"]);
  const bool has_uplink = spec.contains("uplink") && !spec["uplink"].is_null();
  for (Json& device : spec["switches"]) {
    expand_ports(device["ports"]);
    if (has_uplink) device.emplace("reserved", 1);
  }
  if (spec.contains("maintenance")) {
    for (Json& device : spec["maintenance"]["switches"]) expand_ports(device["ports"]);
  }
  add_defaults(spec, spec_schema());
  add_topology_defaults(spec);
  if (spec.contains("maintenance") && spec["maintenance"]["switches"].size() > 1) add_default_trunks(spec["maintenance"]);
  for (Json& pattern : spec["patterns"]) {
    if (pattern["kind"] == "torus") pattern.emplace("reach", "nearest");
  }
  remove_idle_goals(spec["goals"]);
  for (const char* list : {"racks", "pinned"}) {
    if (spec.contains(list) && spec[list].empty()) spec.erase(list);
  }
  return spec;
}

}  // namespace fnn
