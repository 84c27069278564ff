// SPDX-License-Identifier: GPL-3.0-or-later
#include "spec/normal_form.h"

namespace fnn {
namespace {

const int kDefaultMbps = 1000;
const char* const kDefaultMedia = "rj45";

Json value_or(const Json& object, const char* key, Json fallback) {
  const auto found = object.find(key);
  return found == object.end() ? fallback : *found;
}

Json normal_node(const Json& node) {
  Json nics = Json::array();
  if (node["nics"].is_array()) {
    for (const Json& nic : node["nics"]) {
      nics.push_back({{"name", value_or(nic, "name", nullptr)},
                      {"speed_mbps", nic["speed_mbps"]},
                      {"media", nic["media"]}});
    }
  } else {
    const Json nic = {{"name", nullptr}, {"speed_mbps", kDefaultMbps}, {"media", kDefaultMedia}};
    nics = Json(node["nics"].get<std::size_t>(), nic);
  }
  return {{"name", node["name"]},
          {"nics", nics},
          {"rack", value_or(node, "rack", nullptr)},
          {"spare", value_or(node, "spare", false)}};
}

Json normal_switch(const Json& device, bool has_uplink) {
  Json ports = device["ports"];
  if (!ports.is_array()) {
    ports = Json::array({{{"count", device["ports"]}, {"speed_mbps", kDefaultMbps}, {"media", kDefaultMedia}}});
  }
  return {{"name", device["name"]},
          {"color", value_or(device, "color", device["name"])},
          {"ports", ports},
          {"reserved", value_or(device, "reserved", has_uplink ? 1 : 0)},
          {"price", value_or(device, "price", nullptr)},
          {"rack", value_or(device, "rack", nullptr)},
          {"internal_gbps", value_or(device, "internal_gbps", nullptr)}};
}

Json normal_uplink(const Json& uplink) {
  if (uplink.is_null()) return nullptr;
  return {{"name", uplink["name"]},
          {"ports", uplink["ports"]},
          {"spares", value_or(uplink, "spares", Json::array())},
          {"hosts", value_or(uplink, "hosts", Json::array())}};
}

Json normal_pattern(Json pattern) {
  pattern.emplace("weight", 1);
  if (pattern["kind"] == "torus") pattern.emplace("reach", "nearest");
  return pattern;
}

Json normal_patterns(const Json& patterns) {
  Json normal = Json::array();
  for (const Json& pattern : patterns) normal.push_back(normal_pattern(pattern));
  return normal;
}

/// Drops goals of weight 0.
Json normal_goals(const Json& goals) {
  Json normal = Json::object();
  for (const auto& goal : goals.items()) {
    if (!goal.value().is_null() && goal.value() != 0) normal[goal.key()] = goal.value();
  }
  return normal;
}

}  // namespace

Json normal_form(const Json& sound) {
  const Json document = with_integers(sound);
  const Json uplink = normal_uplink(value_or(document, "uplink", nullptr));
  Json nodes = Json::array();
  for (const Json& node : document["nodes"]) nodes.push_back(normal_node(node));
  Json switches = Json::array();
  for (const Json& device : document["switches"]) switches.push_back(normal_switch(device, !uplink.is_null()));
  Json normal = {{"format", "fnn-spec"},
                 {"version", 1},
                 {"cluster", document["cluster"]},
                 {"topology", document["topology"]},
                 {"nodes", nodes},
                 {"switches", switches},
                 {"uplink", uplink},
                 {"coverage", value_or(document, "coverage", "all")},
                 {"redundancy", value_or(document, "redundancy", 1)},
                 {"patterns", normal_patterns(value_or(document, "patterns", Json::array()))},
                 {"goals", normal_goals(value_or(document, "goals", Json::object()))},
                 {"mtu", value_or(document, "mtu", nullptr)},
                 {"prices", value_or(document, "prices", Json::object())}};
  for (const char* list : {"racks", "pinned"}) {
    if (document.contains(list) && !document[list].empty()) normal[list] = document[list];
  }
  return normal;
}

}  // namespace fnn

