// SPDX-License-Identifier: GPL-3.0-or-later
#include "spec/topology_rules.h"

#include <map>
#include <numeric>
#include <set>
#include <vector>

#include "spec/direct_cables.h"
#include "spec/media.h"
#include "spec/tree_places.h"

namespace fnn {
namespace {

using std::size_t;

constexpr size_t kFewestOfARing = 3;
constexpr size_t kFewestOfAMesh = 3;
constexpr size_t kMostOfAMesh = 5;

const std::map<std::string, std::vector<std::string>> kModes = {{"ring", {"routed", "stp", "bonded"}},
                                                               {"star", {"routed", "bridged"}}};

std::string number_of(size_t count, const std::string& noun) {
  return fnn::counted(static_cast<long long>(count), noun);
}

std::string with_article(const std::string& topology) {
  if (topology == "fnn") return "a flat neighborhood network";
  return topology == "switch" ? "the topology switch" : "a " + topology;
}

class TopologyCheck {
 public:
  TopologyCheck(const Json& spec, const std::string& at, Problems& problems)
      : spec_(spec), at_(at), problems_(problems), topology_(spec["topology"]), described_(with_article(topology_)) {}

  void run() {
    check_mode();
    if (topology_ != "tree" && spec_.contains("trunks")) add("/trunks", "only a tree has trunks");
    if (topology_ == "fnn" && switches() == 0) add("/switches", "expected at least 1 item, not 0");
    if (topology_ == "switch") check_one_switch();
    if (is_flat_neighborhood(spec_)) return;
    check_unused_keys();
    check_names();
    if (topology_ == "tree") check_tree();
    else check_switchless();
  }

 private:
  size_t nodes() const { return spec_["nodes"].size(); }
  size_t switches() const { return spec_["switches"].size(); }
  std::string name_of(size_t node) const { return spec_["nodes"][node]["name"]; }
  void add(const std::string& place, const std::string& message) { problems_.add(at_ + place, message); }

  void check_mode() {
    if (!spec_.contains("mode")) return;
    const auto modes = kModes.find(topology_);
    if (modes == kModes.end()) {
      add("/mode", shown(spec_["mode"]) + ", but " + described_ + " has no modes");
      return;
    }
    std::string all;
    for (const std::string& mode : modes->second) {
      if (spec_["mode"] == mode) return;
      all += (all.empty() ? "" : ", ") + mode;
    }
    add("/mode", shown(spec_["mode"]) + ", but " + described_ + " has the modes " + all);
  }

  /// Keys that direct the search.
  void check_unused_keys() {
    const std::string alone = "only a flat neighborhood network has ";
    if (!spec_["uplink"].is_null()) add("/uplink", alone + "an uplink switch");
    if (spec_["coverage"] != "all") add("/coverage", alone + "a choice of pairs");
    if (spec_["redundancy"] != 1) add("/redundancy", alone + "pairs that share several switches");
    if (!spec_["goals"].empty()) add("/goals", alone + "goals");
    if (spec_.contains("pinned")) add("/pinned", alone + "pinned cables");
  }

  void check_one_switch() {
    if (switches() != 1) {
      add("/switches", number_of(switches(), "switch") + ", but " + described_ + " has one");
      return;
    }
    const Json& device = spec_["switches"][0];
    long long ports = -device["reserved"].get<long long>();
    for (const Json& group : device["ports"]) ports += group["count"].get<long long>();
    if (ports >= 0 && ports < static_cast<long long>(nodes())) {
      add("/switches/0/ports", fnn::counted(ports, "port") + " for nodes, but " + number_of(nodes(), "node") + " need one each");
    }
  }

  void check_tree() {
    if (switches() < 2) {
      add("/switches", number_of(switches(), "switch") + ", but a tree has at least two");
      return;
    }
    const bool media = check_same_media();
    if (check_ends_of_trunks() && check_form_of_trunks() && check_ports_of_trunks() && media) check_room();
  }

  /// NIC 0 of every node goes to the same kind of port.
  bool check_same_media() {
    const Json& media = spec_["nodes"][0]["nics"][0]["media"];
    bool same = true;
    for (size_t i = 1; i < nodes(); ++i) {
      const Json& here = spec_["nodes"][i]["nics"][0]["media"];
      if (media_family(here) == media_family(media)) continue;
      add("/nodes/" + std::to_string(i) + "/nics/0/media",
          shown(here) + ", but NIC 0 of " + name_of(0) + " is " + shown(media) + "; all go to the same kind of port");
      same = false;
    }
    return same;
  }

  bool check_ends_of_trunks() {
    std::set<Json> names;
    for (const Json& device : spec_["switches"]) names.insert(device["name"]);
    bool known = true;
    for (size_t i = 0; i < spec_["trunks"].size(); ++i) {
      const Json& trunk = spec_["trunks"][i];
      const std::string place = child("/trunks", i);
      for (const char* end : {"a", "b"}) {
        if (names.contains(trunk[end])) continue;
        add(child(place, end), shown(trunk[end]) + " is not the name of a switch");
        known = false;
      }
      if (trunk["a"] != trunk["b"]) continue;
      add(place, "joins " + trunk["a"].get<std::string>() + " to itself");
      known = false;
    }
    return known;
  }

  /// Trunks join all switches without a loop: each joins two parts that were separate before.
  bool check_form_of_trunks() {
    std::vector<size_t> part(switches());
    std::iota(part.begin(), part.end(), size_t{0});
    std::map<Json, size_t> index;
    for (const Json& device : spec_["switches"]) index.emplace(device["name"], index.size());
    const Json& trunks = spec_["trunks"];
    bool sound = true;
    for (size_t i = 0; i < trunks.size(); ++i) {
      const size_t a = part[index.at(trunks[i]["a"])];
      const size_t b = part[index.at(trunks[i]["b"])];
      if (a == b) {
        add(child("/trunks", i), "closes a loop; several cables between two switches are one trunk with a count");
        sound = false;
      }
      for (size_t& each : part) {
        if (each == b) each = a;
      }
    }
    for (size_t i = 1; i < switches(); ++i) {
      if (part[i] == part[0]) continue;
      add("/trunks", "no trunk joins " + spec_["switches"][i]["name"].get<std::string>() + " to " +
                         spec_["switches"][0]["name"].get<std::string>());
      sound = false;
    }
    return sound;
  }

  bool check_ports_of_trunks() {
    const TreePorts ports = tree_ports(spec_);
    for (const size_t trunk : ports.unfit) {
      const Json& here = spec_["trunks"][trunk];
      add(child("/trunks", trunk), number_of(here["count"], "cable") + ", but " + here["a"].get<std::string>() + " and " +
                                       here["b"].get<std::string>() + " have fewer free ports of the same medium");
    }
    return ports.unfit.empty();
  }

  void check_room() {
    const std::string media = spec_["nodes"][0]["nics"][0]["media"];
    long long room = 0;
    for (const std::map<std::string, int>& ports : tree_ports(spec_).for_nodes) {
      const auto found = ports.find(media_family(media));
      room += found == ports.end() ? 0 : found->second;
    }
    if (room >= static_cast<long long>(nodes())) return;
    add("/switches", fnn::counted(room, media + " port") + " for nodes, but " + number_of(nodes(), "node") + " need one each");
  }

  /// Segments and nodes are named in the same places, such as names of hosts.
  void check_names() {
    std::set<std::string> segments = {topology_};
    for (size_t i = 0; i < direct_cables(topology_, nodes()).size(); ++i) segments.insert("cable" + std::to_string(i));
    for (size_t i = 0; i < nodes(); ++i) {
      if (segments.contains(name_of(i))) add(child("/nodes", i) + "/name", shown(name_of(i)) + " is the name of a segment");
    }
  }

  void check_switchless() {
    if (switches() > 0) add("/switches", number_of(switches(), "switch") + ", but " + described_ + " has none");
    if (!check_number_of_nodes()) return;
    if (check_number_of_nics()) check_ends_of_cables();
  }

  bool check_number_of_nodes() {
    if (topology_ == "mesh" && (nodes() < kFewestOfAMesh || nodes() > kMostOfAMesh)) {
      add("/nodes", number_of(nodes(), "node") + ", but a mesh has " + std::to_string(kFewestOfAMesh) + " to " +
                        std::to_string(kMostOfAMesh));
      return false;
    }
    if (topology_ == "ring" && nodes() < kFewestOfARing) {
      add("/nodes", number_of(nodes(), "node") + ", but a ring has at least " + std::to_string(kFewestOfARing));
      return false;
    }
    return true;
  }

  size_t needed_nics(size_t node) const {
    if (topology_ == "ring") return 2;
    return topology_ == "mesh" || node == 0 ? nodes() - 1 : 1;
  }

  bool check_number_of_nics() {
    bool enough = true;
    for (size_t i = 0; i < nodes(); ++i) {
      const size_t nics = spec_["nodes"][i]["nics"].size();
      if (nics >= needed_nics(i)) continue;
      const std::string nodes_of_topology = topology_ == "star" ? "the first node of a star" : "every node of " + described_;
      add(child("/nodes", i) + "/nics", number_of(nics, "NIC") + ", but " + nodes_of_topology + " of " + number_of(nodes(), "node") +
                                            " needs " + std::to_string(needed_nics(i)));
      enough = false;
    }
    return enough;
  }

  void check_ends_of_cables() {
    for (const DirectCable& cable : direct_cables(topology_, nodes())) {
      const Json& media_a = spec_["nodes"][cable.a]["nics"][cable.nic_a]["media"];
      const Json& media_b = spec_["nodes"][cable.b]["nics"][cable.nic_b]["media"];
      if (media_family(media_a) == media_family(media_b)) continue;
      add(child(child("/nodes", cable.b) + "/nics", cable.nic_b) + "/media",
          shown(media_b) + ", but the other end of its cable, NIC " + std::to_string(cable.nic_a) + " of " +
              name_of(cable.a) + ", is " + shown(media_a));
    }
  }

  const Json& spec_;
  const std::string& at_;
  Problems& problems_;
  std::string topology_;
  std::string described_;
};

}  // namespace

bool is_flat_neighborhood(const Json& spec) { return spec["topology"] == "fnn" || spec["topology"] == "switch"; }

void add_topology_defaults(Json& spec) {
  const std::string topology = spec["topology"];
  if (kModes.contains(topology)) spec.emplace("mode", kModes.at(topology).front());
  if (topology == "tree") add_default_trunks(spec);
}

void add_default_trunks(Json& tree) {
  if (!tree.value("trunks", Json::array()).empty()) return;
  Json trunks = Json::array();
  for (size_t i = 1; i < tree["switches"].size(); ++i) {
    trunks.push_back({{"a", tree["switches"][0]["name"]}, {"b", tree["switches"][i]["name"]}, {"count", 1}});
  }
  tree["trunks"] = trunks;
}

void check_topology(const Json& spec, const std::string& at, Problems& problems) {
  TopologyCheck(spec, at, problems).run();
}

}  // namespace fnn
