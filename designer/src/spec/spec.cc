// SPDX-License-Identifier: GPL-3.0-or-later
#include "spec/spec.h"

#include <algorithm>
#include <map>
#include <numeric>

#include "spec/shape.h"

namespace fnn {
namespace {

// Counts beyond these are typing errors; refusing them here bounds the memory of everything after.
constexpr std::int64_t kMostNodes = 16384;
constexpr std::int64_t kMostSwitches = 4096;
constexpr std::int64_t kMostNics = 256;
constexpr std::int64_t kMostPorts = 65536;
constexpr std::int64_t kMostMbps = 1000000000;
// What this engine takes: it keeps two bytes per ordered pair of nodes on each of its islands.
constexpr std::size_t kMostNodesHere = 4096;

const int kDefaultMbps = 1000;
const char* const kDefaultMedia = "rj45";

bool is_text(const Json& value) { return value.is_string(); }
bool is_number(const Json& value) { return value.is_number(); }
bool is_object(const Json& value) { return value.is_object(); }

Check spec_shape() {
  const Check name = name_of_length(kLongestName);
  const Check rack = or_null(text(), "a string", is_text);
  const Check speed = positive_integer(kMostMbps);
  const Check media = one_of({"rj45", "sfp", "sfp28", "qsfp"});
  const Check nic = object_of({{"name", kOptional, or_null(text(), "a string", is_text)},
                               {"speed_mbps", kRequired, speed},
                               {"media", kRequired, media}});
  const Check node = object_of({{"name", kRequired, name},
                                {"nics", kRequired, count_or(kMostNics, array_of(nic, 1, kMostNics))},
                                {"rack", kOptional, rack},
                                {"spare", kOptional, boolean()}});
  const Check ports = object_of({{"count", kRequired, positive_integer(kMostPorts)},
                                 {"speed_mbps", kRequired, speed},
                                 {"media", kRequired, media}});
  const Check device = object_of(
      {{"name", kRequired, name},
       {"color", kOptional, name_of_length(0)},
       {"ports", kRequired, count_or(kMostPorts, array_of(ports, 1, kMostNics))},
       {"reserved", kOptional, non_negative_integer(kMostPorts)},
       {"price", kOptional, or_null(non_negative_number(), "a non-negative number", is_number)},
       {"rack", kOptional, rack},
       {"internal_gbps", kOptional, or_null(positive_number(), "a positive number", is_number)}});
  const Check names = array_of(name, 0, kMostNodes);
  const Check uplink = object_of({{"name", kRequired, name},
                                  {"ports", kRequired, positive_integer(kMostPorts)},
                                  {"spares", kOptional, names},
                                  {"hosts", kOptional, names}});
  return object_of(
      {{"format", kRequired, constant("fnn-spec")},
       {"version", kRequired, constant(1)},
       {"cluster", kRequired, name_of_length(kLongestCluster)},
       {"topology", kRequired, one_of({"fnn"})},
       {"nodes", kRequired, array_of(node, 2, kMostNodes)},
       {"switches", kRequired, array_of(device, 1, kMostSwitches)},
       {"uplink", kOptional, or_null(uplink, "an object", is_object)},
       {"coverage", kOptional, one_of({"all", "patterns"})},
       {"redundancy", kOptional, positive_integer(kMostNics)},
       {"patterns", kOptional, array_of(any_object(), 0, kMostNodes)},
       {"goals", kOptional, any_object()},
       {"mtu", kOptional, or_null(integer_between(576, 9216), "an integer from 576 to 9216", is_number)},
       {"prices", kOptional, any_object()}});
}

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

Json normal_form(const Json& sound) {
  const Json document = with_integers(sound);
  const Json uplink = normal_uplink(value_or(document, "uplink", nullptr));
  Json nodes = Json::array();
  for (const Json& node : document["nodes"]) nodes.push_back(normal_node(node));
  Json switches = Json::array();
  for (const Json& device : document["switches"]) switches.push_back(normal_switch(device, !uplink.is_null()));
  return {{"format", "fnn-spec"},
          {"version", 1},
          {"cluster", document["cluster"]},
          {"topology", document["topology"]},
          {"nodes", nodes},
          {"switches", switches},
          {"uplink", uplink},
          {"coverage", value_or(document, "coverage", "all")},
          {"redundancy", value_or(document, "redundancy", 1)},
          {"patterns", value_or(document, "patterns", Json::array())},
          {"goals", value_or(document, "goals", Json::object())},
          {"mtu", value_or(document, "mtu", nullptr)},
          {"prices", value_or(document, "prices", Json::object())}};
}

/// Nodes, switches, the uplink and the machines on it share one space of names.
class Names {
 public:
  Names(const std::string& at, Problems& problems) : at_(at), problems_(problems) {}

  /// `owner` is the pointer of what is named, `field` the pointer of its name.
  void claim(const Json& name, const std::string& owner, const std::string& field) {
    const auto [known, fresh] = owners_.emplace(name.get<std::string>(), owner);
    if (!fresh) problems_.add(at_ + field, shown(name) + " is already the name of " + at_ + known->second);
  }

 private:
  const std::string& at_;
  Problems& problems_;
  std::map<std::string, std::string> owners_;
};

void claim_members(Names& names, const Json& list, const std::string& at) {
  for (std::size_t i = 0; i < list.size(); ++i) {
    names.claim(list[i]["name"], child(at, i), child(child(at, i), "name"));
  }
}

void check_names(const Json& spec, const std::string& at, Problems& problems) {
  Names names(at, problems);
  claim_members(names, spec["nodes"], "/nodes");
  claim_members(names, spec["switches"], "/switches");
  const Json& uplink = spec["uplink"];
  if (uplink.is_null()) return;
  names.claim(uplink["name"], "/uplink", "/uplink/name");
  for (const char* list : {"spares", "hosts"}) {
    for (std::size_t i = 0; i < uplink[list].size(); ++i) {
      const std::string place = child(child("/uplink", list), i);
      names.claim(uplink[list][i], place, place);
    }
  }
}

/// The NICs of one node are found by name on the node, so no name may stand for two.
void check_nic_names(const Json& spec, const std::string& at, Problems& problems) {
  for (std::size_t i = 0; i < spec["nodes"].size(); ++i) {
    const std::string list = child(child("/nodes", i), "nics");
    Names names(at, problems);
    const Json& nics = spec["nodes"][i]["nics"];
    for (std::size_t k = 0; k < nics.size(); ++k) {
      const std::string place = child(list, k);
      if (!nics[k]["name"].is_null()) names.claim(nics[k]["name"], place, child(place, "name"));
    }
  }
}

int sum_of_ports(const Json& device) {
  int sum = 0;
  for (const Json& group : device["ports"]) sum += group["count"].get<int>();
  return sum;
}

void check_reserved(const Json& spec, const std::string& at, Problems& problems) {
  const Json& switches = spec["switches"];
  for (std::size_t i = 0; i < switches.size(); ++i) {
    const int ports = sum_of_ports(switches[i]);
    const int reserved = switches[i]["reserved"].get<int>();
    if (reserved > ports) {
      problems.add(child(child(at + "/switches", i), "reserved"),
                   counted(reserved, "port") + " reserved, but the switch has only " + std::to_string(ports));
    }
  }
}

void check_uplink_ports(const Json& spec, const std::string& at, Problems& problems) {
  const Json& uplink = spec["uplink"];
  if (uplink.is_null()) return;
  const Json& all = spec["switches"];
  const auto joined =
      std::count_if(all.begin(), all.end(), [](const Json& device) { return device["reserved"].get<int>() > 0; });
  const auto spares = static_cast<long long>(uplink["spares"].size());
  const auto hosts = static_cast<long long>(uplink["hosts"].size());
  const auto ports = uplink["ports"].get<long long>();
  if (joined + spares + hosts > ports) {
    problems.add(at + "/uplink/ports", counted(ports, "port") + ", but " + counted(joined, "switch") + ", " +
                                           counted(spares, "spare") + " and " + counted(hosts, "host") +
                                           " need one each");
  }
}

/// Everything of a node or a switch that the search could see, without what merely tells it apart.
std::string kind_of(Json thing) {
  thing.erase("name");
  thing.erase("color");
  if (thing.contains("nics")) {
    for (Json& nic : thing["nics"]) nic.erase("name");
  }
  return compact(thing);
}

template <class Value>
std::optional<Value> given(const Json& value) {
  return value.is_null() ? std::nullopt : std::optional<Value>(value.get<Value>());
}

Spec spec_of(Json normal) {
  Spec spec;
  spec.cluster = normal["cluster"];
  for (const Json& node : normal["nodes"]) {
    std::vector<std::string> media;
    std::vector<int> mbps;
    for (const Json& nic : node["nics"]) {
      media.push_back(nic["media"]);
      mbps.push_back(nic["speed_mbps"]);
    }
    spec.nodes.push_back(
        {node["name"], std::move(media), std::move(mbps), given<std::string>(node["rack"]), kind_of(node)});
  }
  for (const Json& device : normal["switches"]) {
    std::vector<PortGroup> ports;
    for (const Json& group : device["ports"]) ports.push_back({group["count"], group["media"], group["speed_mbps"]});
    spec.switches.push_back({device["name"], std::move(ports), device["reserved"], given<double>(device["price"]),
                             given<std::string>(device["rack"]), kind_of(device)});
  }
  spec.normal = std::move(normal);
  return spec;
}

}  // namespace

int Switch::all_ports() const {
  return std::accumulate(ports.begin(), ports.end(), 0,
                         [](int sum, const PortGroup& group) { return sum + group.count; });
}

Spec read_spec(const Json& document, const std::string& at) {
  static const Check shape = spec_shape();
  Problems structure;
  shape(document, at, structure);
  if (!structure.empty()) throw BadInput(structure.sorted());

  Json normal = normal_form(document);
  Problems meaning;
  check_names(normal, at, meaning);
  check_nic_names(normal, at, meaning);
  check_reserved(normal, at, meaning);
  check_uplink_ports(normal, at, meaning);
  if (!meaning.empty()) throw BadInput(meaning.sorted());
  return spec_of(std::move(normal));
}

void require_supported(const Spec& spec) {
  Problems problems;
  if (spec.nodes.size() > kMostNodesHere) {
    problems.add("/nodes", std::to_string(spec.nodes.size()) + " nodes are more than this engine supports, " +
                               std::to_string(kMostNodesHere));
  }
  const std::string refusal = " is not supported by this engine";
  const Json& coverage = spec.normal["coverage"];
  if (coverage != "all") problems.add("/coverage", shown(coverage) + refusal);
  const Json& redundancy = spec.normal["redundancy"];
  if (redundancy != 1) problems.add("/redundancy", shown(redundancy) + refusal);
  if (!spec.normal["patterns"].empty()) problems.add("/patterns", "a list of patterns" + refusal);
  if (!spec.normal["goals"].empty()) problems.add("/goals", "a choice of goals" + refusal);
  if (!problems.empty()) throw BadInput(problems.sorted());
}

}  // namespace fnn
