// SPDX-License-Identifier: GPL-3.0-or-later
#include "topology/topology_check.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <set>

#include "design/check_frame.h"
#include "spec/media.h"
#include "spec/tree_places.h"

namespace fnn {
namespace {

using std::size_t;

/// A used NIC: the rank of its node and its index there.
using End = std::pair<size_t, std::int64_t>;
using Ends = std::set<End>;

std::string number_of(size_t count, const std::string& noun) {
  return fnn::counted(static_cast<long long>(count), noun);
}

/// Sets of NICs, switches and whole nodes that are joined (union-find).
class JoinedParts {
 public:
  size_t part_of(const std::string& name) {
    const auto [found, fresh] = index_.emplace(name, parent_.size());
    if (fresh) parent_.push_back(found->second);
    return root(found->second);
  }
  void join(const std::string& a, const std::string& b) {
    const size_t one = part_of(a);
    parent_[one] = part_of(b);
  }

 private:
  size_t root(size_t at) {
    while (parent_[at] != at) at = parent_[at] = parent_[parent_[at]];
    return at;
  }

  std::map<std::string, size_t> index_;
  std::vector<size_t> parent_;
};

class TopologyChecker {
 public:
  explicit TopologyChecker(const Design& design)
      : document_(design.document), spec_(design.spec.normal), topology_(spec_["topology"]),
        switched_(topology_ == "tree") {
    for (const Json& node : spec_["nodes"]) rank_.emplace(node["name"], rank_.size());
    for (const Json& device : spec_["switches"]) on_switch_[device["name"]];
  }

  std::vector<Problem> run() {
    check_frame(document_, spec_, problems_);
    const size_t listed = std::min(document_["nodes"].size(), spec_["nodes"].size());
    for (size_t i = 0; i < listed; ++i) read_links(i);
    if (problems_.empty()) check_peers();
    if (problems_.empty()) check_form();
    if (problems_.empty()) check_contents();
    return problems_.sorted();
  }

 private:
  std::string name_of(size_t node) const { return spec_["nodes"][node]["name"]; }
  std::string describe(const End& end) const { return "NIC " + std::to_string(end.second) + " of " + name_of(end.first); }
  std::string place_of(const End& end) const { return places_.at(end); }

  // --- links

  void read_links(size_t node) {
    const Json& links = document_["nodes"][node]["links"];
    std::int64_t last = -1;
    for (size_t k = 0; k < links.size(); ++k) {
      const std::string place = child(child(child("/nodes", node), "links"), k);
      const auto nic = links[k]["nic"].get<std::int64_t>();
      const size_t nics = spec_["nodes"][node]["nics"].size();
      if (nic >= static_cast<std::int64_t>(nics)) {
        problems_.add(child(place, "nic"), std::to_string(nic) + ", but " + name_of(node) + " has only " + number_of(nics, "NIC"));
      } else if (nic <= last) {
        problems_.add(child(place, "nic"), std::to_string(nic) + " after " + std::to_string(last) + ", links go by NIC");
      } else {
        places_.emplace(End(node, nic), place);
        read_far_end(End(node, nic), links[k], place);
      }
      last = std::max(last, nic);
    }
  }

  void read_far_end(const End& end, const Json& link, const std::string& place) {
    const char* key = switched_ ? "switch" : "peer";
    const char* other = switched_ ? "peer" : "switch";
    if (link.contains(other)) problems_.add(child(place, other), "a cable of this topology leads to a " + std::string(switched_ ? "switch" : "peer"));
    if (!link.contains(key)) problems_.add(child(place, key), "missing");
    else if (switched_) read_switch(end, link["switch"], place);
    else read_peer(end, link["peer"], place);
  }

  void read_switch(const End& end, const Json& name, const std::string& place) {
    const auto found = on_switch_.find(name.get<std::string>());
    if (found == on_switch_.end()) problems_.add(child(place, "switch"), shown(name) + " is not the name of a switch");
    else found->second.push_back(end);
  }

  void read_peer(const End& end, const Json& peer, const std::string& place) {
    const std::string at = child(place, "peer");
    const auto found = rank_.find(peer["node"].get<std::string>());
    if (found == rank_.end()) problems_.add(child(at, "node"), shown(peer["node"]) + " is not the name of a node");
    else if (found->second == end.first) problems_.add(child(at, "node"), "the cable leads back to " + name_of(end.first));
    else peers_.emplace(end, End(found->second, peer["nic"].get<std::int64_t>()));
  }

  void check_peers() {
    for (const auto& [end, peer] : peers_) {
      const auto back = peers_.find(peer);
      if (back == peers_.end() || back->second != end) {
        problems_.add(child(place_of(end), "peer"), describe(peer) + " does not lead back to " + describe(end));
      } else if (media_family(media_of(end)) != media_family(media_of(peer))) {
        problems_.add(child(place_of(end), "peer"), describe(end) + " is " + media_of(end) + ", but " + describe(peer) +
                                                        " is " + media_of(peer));
      }
    }
  }

  std::string media_of(const End& end) const {
    return spec_["nodes"][end.first]["nics"][static_cast<size_t>(end.second)]["media"];
  }

  // --- form

  void check_form() {
    for (size_t node = 0; node < rank_.size(); ++node) check_number_of_links(node);
    if (!problems_.empty()) return;
    if (switched_) check_ports();
    if (topology_ == "ring") check_cycle();
    if (topology_ == "mesh") check_pairs();
    if (topology_ == "star") check_center();
  }

  void check_number_of_links(size_t node) {
    const size_t links = document_["nodes"][node]["links"].size();
    size_t needed = 1;
    if (topology_ == "ring") needed = 2;
    if (topology_ == "mesh" || (topology_ == "star" && node == 0)) needed = rank_.size() - 1;
    if (links == needed) return;
    problems_.add(child(child("/nodes", node), "links"), number_of(links, "link") + ", but " + name_of(node) + " has " +
                                                             std::to_string(needed) + " in this topology");
  }

  void check_ports() {
    const TreePorts ports = tree_ports(spec_);
    for (size_t i = 0; i < spec_["switches"].size(); ++i) {
      const Json& device = spec_["switches"][i];
      const std::vector<End>& ends = on_switch_.at(device["name"]);
      std::map<std::string, int> by_media;
      for (const End& end : ends) ++by_media[media_family(media_of(end))];
      for (const auto& [media, links] : by_media) {
        const auto found = ports.for_nodes[i].find(media);
        const int most = found == ports.for_nodes[i].end() ? 0 : found->second;
        if (links <= most) continue;
        problems_.add(child("/switches", i), fnn::counted(links, "link") + " over " + media + ", but only " +
                                                 fnn::counted(most, "such port") + " for nodes");
      }
    }
  }

  void check_cycle() {
    size_t length = 0;
    End at(0, peers_.begin()->first.second);
    do {
      const End there = peers_.at(at);
      const Json& links = document_["nodes"][there.first]["links"];
      const std::int64_t first = links[0]["nic"];
      at = End(there.first, there.second == first ? links[1]["nic"].get<std::int64_t>() : first);
      ++length;
    } while (at.first != 0);
    if (length == rank_.size()) return;
    problems_.add("/nodes", "the ring of " + name_of(0) + " has " + number_of(length, "node") + ", not all " +
                                std::to_string(rank_.size()));
  }

  void check_pairs() {
    std::set<std::pair<size_t, size_t>> joined;
    for (const auto& [end, peer] : peers_) {
      if (joined.emplace(end.first, peer.first).second) continue;
      problems_.add(child(place_of(end), "peer"), name_of(end.first) + " has another cable to " + name_of(peer.first));
    }
  }

  void check_center() {
    for (const auto& [end, peer] : peers_) {
      if (end.first == 0 || peer.first == 0) continue;
      problems_.add(child(place_of(end), "peer"), "the cables of a star lead to " + name_of(0));
    }
  }

  // --- what follows from the links

  void check_contents() {
    check_members();
    if (document_.value("trunks", Json()) != spec_.value("trunks", Json())) {
      problems_.add("/trunks", "not those of the spec");
    }
    if (!document_["uncovered"].empty()) problems_.add("/uncovered", "not empty, but this topology has no such pairs");
    if (document_["verdict"] != "found") problems_.add("/verdict", shown(document_["verdict"]) + " is not \"found\"");
    check_segments();
    check_quality();
  }

  void check_members() {
    for (size_t i = 0; i < document_["switches"].size(); ++i) {
      Json expected = Json::array();
      for (const End& end : on_switch_.at(document_["switches"][i]["name"])) expected.push_back(name_of(end.first));
      if (document_["switches"][i]["nodes"] == expected) continue;
      problems_.add(child(child("/switches", i), "nodes"), "not the nodes with a link to it, in rank order");
    }
  }

  /// The segments that the cables form. Nodes that are bridged or bonded join their NICs.
  std::set<Ends> find_segments() const {
    JoinedParts parts;
    const auto nic = [](const End& end) { return std::to_string(end.first) + ":" + std::to_string(end.second); };
    for (const auto& [end, peer] : peers_) parts.join(nic(end), nic(peer));
    for (const auto& [name, ends] : on_switch_) {
      for (const End& end : ends) parts.join(nic(end), name);
    }
    for (const Json& trunk : spec_.value("trunks", Json::array())) parts.join(trunk["a"], trunk["b"]);
    const bool bridged = spec_.value("mode", "routed") != "routed";
    std::map<size_t, Ends> by_part;
    for (const auto& [end, place] : places_) {
      if (bridged) parts.join(nic(end), "node " + std::to_string(end.first));
    }
    for (const auto& [end, place] : places_) by_part[parts.part_of(nic(end))].insert(end);
    std::set<Ends> segments;
    for (const auto& [part, ends] : by_part) segments.insert(ends);
    return segments;
  }

  void check_segments() {
    if (!document_.contains("segments")) {
      problems_.add("/segments", "missing");
      return;
    }
    std::set<Ends> expected = find_segments();
    std::set<Json> names;
    for (size_t i = 0; i < document_["segments"].size(); ++i) {
      const Json& segment = document_["segments"][i];
      const std::string place = child("/segments", i);
      if (!names.insert(segment["name"]).second) problems_.add(child(place, "name"), shown(segment["name"]) + " is the name of another segment");
      const std::optional<Ends> ends = read_members(segment["members"], child(place, "members"));
      if (ends && expected.erase(*ends) == 0) problems_.add(child(place, "members"), "the cables join no such set of NICs");
    }
    for (const Ends& missing : expected) problems_.add("/segments", "the segment of " + describe(*missing.begin()) + " is missing");
  }

  std::optional<Ends> read_members(const Json& members, const std::string& at) {
    Ends ends;
    for (size_t k = 0; k < members.size(); ++k) {
      const auto found = rank_.find(members[k]["node"].get<std::string>());
      const bool known = found != rank_.end() && places_.contains(End(found->second, members[k]["nic"]));
      if (!known || !ends.emplace(found->second, members[k]["nic"]).second) {
        problems_.add(child(at, k), known ? "listed twice" : "not a NIC with a cable");
        return std::nullopt;
      }
    }
    return ends;
  }

  void check_quality() {
    const auto nodes = static_cast<std::int64_t>(rank_.size());
    const auto used = static_cast<std::int64_t>(places_.size());
    std::int64_t trunks = 0;
    for (const Json& trunk : spec_.value("trunks", Json::array())) trunks += trunk["count"].get<std::int64_t>();
    std::int64_t nics = 0;
    for (const Json& node : spec_["nodes"]) nics += static_cast<std::int64_t>(node["nics"].size());
    Json expected = {{"pairs", nodes * (nodes - 1) / 2}, {"links", switched_ ? used + trunks : used / 2}, {"unused_nics", nics - used}};
    if (switched_) {
      std::int64_t ports = 0;
      for (const Json& device : spec_["switches"]) {
        for (const Json& group : device["ports"]) ports += group["count"].get<std::int64_t>();
      }
      expected["unused_ports"] = ports - used - 2 * trunks;
    }
    for (const auto& item : expected.items()) {
      const Json stated = document_["quality"].value(item.key(), Json());
      if (stated == item.value()) continue;
      problems_.add(child("/quality", item.key()), (stated.is_null() ? "missing" : shown(stated)) + ", but the design has " + shown(item.value()));
    }
  }

  const Json& document_;
  const Json& spec_;
  std::string topology_;
  bool switched_;
  Problems problems_;
  std::map<std::string, size_t> rank_;
  std::map<End, std::string> places_;                    ///< used NICs with the place of their link
  std::map<End, End> peers_;
  std::map<std::string, std::vector<End>> on_switch_;
};

}  // namespace

std::vector<Problem> check_topology_design(const Design& design) { return TopologyChecker(design).run(); }

}  // namespace fnn
