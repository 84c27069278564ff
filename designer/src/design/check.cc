// SPDX-License-Identifier: GPL-3.0-or-later
#include "design/check.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <sstream>

#include "base/reading.h"
#include "design/check_frame.h"
#include "design/check_measures.h"
#include "design/recount.h"
#include "spec/media.h"

namespace fnn {
namespace {

using std::size_t;
using Names = std::set<std::string>;
using Pair = std::pair<size_t, size_t>;

std::string quoted(const std::string& name) { return compact(Json(name)); }

/// Checks by name, against the normal form of the spec.
class Checker {
 public:
  explicit Checker(const Design& design)
      : document_(design.document),
        spec_(design.spec.normal),
        redundancy_(spec_["redundancy"]),
        links_(spec_["nodes"].size()),
        on_switch_(spec_["switches"].size()),
        ports_taken_(spec_["switches"].size()) {
    for (const Json& node : spec_["nodes"]) node_rank_.emplace(node["name"], node_rank_.size());
    for (const Json& device : spec_["switches"]) switch_rank_.emplace(device["name"], switch_rank_.size());
  }

  std::vector<Problem> run(const std::optional<std::vector<NamePair>>& wanted) {
    check_frame(document_, spec_, problems_);
    for (size_t i = 0; i < document_["nodes"].size(); ++i) check_links(i);
    for (size_t j = 0; j < document_["switches"].size(); ++j) check_switch(j);
    check_pins();
    count_ = recount(spec_, links_, possible_mbps(spec_).first);
    check_coverage(wanted);
    check_measures(document_, spec_, links_, count_, problems_);
    return problems_.sorted();
  }

 private:
  void check_links(size_t index) {
    const Json& node = document_["nodes"][index];
    const std::string name = node["name"];
    const std::string at = child(child("/nodes", index), "links");
    const auto known = node_rank_.find(name);
    if (known == node_rank_.end()) return;  // reported with the list
    std::map<std::int64_t, std::string> used;
    std::map<std::string, std::string> joined;
    std::int64_t last = -1;
    for (size_t k = 0; k < node["links"].size(); ++k) {
      const Json& link = node["links"][k];
      const std::string place = child(at, k);
      const auto nic = link["nic"].get<std::int64_t>();
      const std::string device = link["switch"];
      const auto [before, fresh] = used.emplace(nic, place);
      if (!fresh) problems_.add(child(place, "nic"), "NIC " + std::to_string(nic) + " is already used by " + before->second);
      else if (nic < last) problems_.add(child(place, "nic"), std::to_string(nic) + " after " + std::to_string(last) + ", links go by NIC");
      last = std::max(last, nic);
      const auto [earlier, first] = joined.emplace(device, place);
      if (!first) problems_.add(child(place, "switch"), name + " is already on " + device + " by " + earlier->second);
      check_link(known->second, link, place);
    }
  }

  void check_link(size_t node, const Json& link, const std::string& place) {
    const auto found = switch_rank_.find(link["switch"].get<std::string>());
    const bool known = found != switch_rank_.end();
    if (!known) problems_.add(child(place, "switch"), shown(link["switch"]) + " is not the name of a switch");
    const Json* nic = check_nic(node, link, place);
    if (!known) return;
    const long long mbps = nic == nullptr ? 0 : check_ends(node, *nic, found->second, link, place);
    on_switch_[found->second].push_back(node);
    std::vector<ReadLink>& links = links_[node];
    const bool there = std::any_of(links.begin(), links.end(), [&](const ReadLink& one) { return one.device == found->second; });
    if (!there) links.push_back({found->second, mbps});
  }

  /// The NIC of a link in the spec, or null if the node has no such NIC.
  const Json* check_nic(size_t node, const Json& link, const std::string& place) {
    const Json& nics = spec_["nodes"][node]["nics"];
    const auto nic = link["nic"].get<std::int64_t>();
    if (nic < static_cast<std::int64_t>(nics.size())) return &nics[static_cast<size_t>(nic)];
    problems_.add(child(place, "nic"), std::to_string(nic) + ", but " + name_of(node) + " has only " +
                                           counted(static_cast<long long>(nics.size()), "NIC"));
    return nullptr;
  }

  /// NIC and switch must fit each other, and the link must run at the highest common speed. Returns that speed.
  long long check_ends(size_t node, const Json& nic, size_t device, const Json& link, const std::string& place) {
    const Json& there = spec_["switches"][device];
    const std::string media = nic["media"];
    const long long port = link.value("port_mbps", 0LL);
    ++ports_taken_[device][{media_family(media), 0}];
    if (port > 0) ++ports_taken_[device][{media_family(media), port}];
    const long long mbps = link_mbps(nic, there, port);
    if (mbps == 0 && port > 0) {
      problems_.add(child(place, "port_mbps"), shown(link["port_mbps"]) + ", but " + there["name"].get<std::string>() +
                                                   " has no such port for " + media);
    } else if (mbps == 0) {
      problems_.add(place, "NIC " + shown(link["nic"]) + " of " + name_of(node) + " is " + media + ", but " +
                               there["name"].get<std::string>() + " has no such port");
    } else if (link.contains("speed_mbps") && link["speed_mbps"] != mbps) {
      problems_.add(child(place, "speed_mbps"), shown(link["speed_mbps"]) + ", but the NIC and the port give " + std::to_string(mbps));
    }
    return mbps;
  }

  void check_switch(size_t index) {
    const Json& listed = document_["switches"][index];
    const std::string name = listed["name"];
    const std::string at = child("/switches", index);
    const auto found = switch_rank_.find(name);
    if (found == switch_rank_.end()) return;
    const std::vector<size_t>& nodes = on_switch_[found->second];
    const Json& device = spec_["switches"][found->second];
    const int usable = ports_of(device) - device["reserved"].get<int>();
    if (nodes.size() > static_cast<size_t>(usable)) {
      problems_.add(at, counted(static_cast<long long>(nodes.size()), "link") + ", but only " +
                            counted(usable, "port") + " for nodes");
    }
    for (const auto& [port, count] : ports_taken_[found->second]) {
      const auto& [media, mbps] = port;
      const int ports = ports_of(device, media, mbps);
      if (ports > 0 && count > ports) {
        const std::string speed = mbps > 0 ? " at ports of " + std::to_string(mbps) + " Mb/s" : "";
        problems_.add(at, counted(count, "link") + " over " + media + speed + ", but only " + counted(ports, "such port"));
      }
    }
    check_members(at, name, listed["nodes"], nodes);
  }

  /// The list of nodes on a switch must equal the links, in node order.
  void check_members(const std::string& at, const std::string& name, const Json& listed,
                     const std::vector<size_t>& linked) {
    Names expected;
    for (const size_t node : linked) expected.insert(name_of(node));
    Names seen;
    bool ordered = true;
    for (size_t i = 0; i < listed.size(); ++i) {
      const std::string node = listed[i];
      const std::string place = child(child(at, "nodes"), i);
      if (!seen.insert(node).second) problems_.add(place, quoted(node) + " is listed twice");
      if (!expected.contains(node)) problems_.add(place, quoted(node) + " is listed, but has no link to " + name);
      ordered = ordered && (i == 0 || rank(listed[i - 1]) <= rank(node));
    }
    for (const std::string& node : expected) {
      if (!seen.contains(node)) problems_.add(child(at, "nodes"), quoted(node) + " has a link to " + name + ", but is not listed");
    }
    if (!ordered) problems_.add(child(at, "nodes"), "not in the order of the nodes");
  }

  void check_pins() {
    if (!spec_.contains("pinned")) return;
    for (const Json& pin : spec_["pinned"]) {
      const size_t index = node_rank_.at(pin["node"]);
      if (index >= document_["nodes"].size()) continue;  // reported with the list
      const Json& links = document_["nodes"][index]["links"];
      const bool kept = std::any_of(links.begin(), links.end(), [&](const Json& link) {
        return link["nic"] == pin["nic"] && link["switch"] == pin["switch"];
      });
      if (kept) continue;
      problems_.add(child(child("/nodes", index), "links"),
                    "NIC " + shown(pin["nic"]) + " is pinned to " + pin["switch"].get<std::string>() +
                        ", but does not go there");
    }
  }

  size_t rank(const std::string& node) const {
    const auto found = node_rank_.find(node);
    return found == node_rank_.end() ? node_rank_.size() : found->second;
  }

  long count_shared(const Pair& pair) const {
    const std::vector<ReadLink>& theirs = links_[pair.second];
    return std::count_if(links_[pair.first].begin(), links_[pair.first].end(), [&](const ReadLink& mine) {
      return std::any_of(theirs.begin(), theirs.end(), [&](const ReadLink& link) { return link.device == mine.device; });
    });
  }

  /// Whether a pair must share switches and shares too few.
  bool shares_too_few(const Pair& pair) const {
    return std::binary_search(count_.too_few.begin(), count_.too_few.end(), pair);
  }

  /// The message for two nodes that share too few, such as "share no switch".
  std::string describe_sharing(const Pair& pair) const {
    const long shared = count_shared(pair);
    if (shared == 0) return " share no switch";
    return " share only " + std::to_string(shared) + " of " + counted(redundancy_, "switch");
  }

  std::optional<Pair> known_pair(const std::string& a, const std::string& b) const {
    const auto one = node_rank_.find(a);
    const auto other = node_rank_.find(b);
    if (one == node_rank_.end() || other == node_rank_.end() || one == other) return std::nullopt;
    return Pair(std::minmax(one->second, other->second));
  }

  std::string name_of(size_t node) const { return spec_["nodes"][node]["name"]; }

  void check_coverage(const std::optional<std::vector<NamePair>>& wanted) {
    std::set<Pair> listed;
    const std::set<Pair> must = wanted_pairs(wanted);
    for (size_t i = 0; i < document_["uncovered"].size(); ++i) {
      const Json& pair = document_["uncovered"][i];
      const std::string at = child("/uncovered", i);
      const std::string both = pair[0].get<std::string>() + " and " + pair[1].get<std::string>();
      const auto known = known_pair(pair[0], pair[1]);
      if (!known) problems_.add(at, both + " are not two nodes of the spec");
      else if (!listed.insert(*known).second) problems_.add(at, both + " are listed twice");
      else if (count_shared(*known) >= redundancy_) problems_.add(at, both + " share " + required_text());
      else if (!shares_too_few(*known)) problems_.add(at, both + " need not share a switch");
      else if (!wanted || must.contains(*known)) problems_.add(at, both + describe_sharing(*known));
    }
    for (const Pair& pair : count_.too_few) {
      if (!listed.contains(pair)) {
        problems_.add("/uncovered", pair_names(pair) + describe_sharing(pair) + ", but are not listed");
      }
    }
    for (const Pair& pair : must) {
      if (count_shared(pair) < redundancy_ && !shares_too_few(pair)) {
        problems_.add("--pairs", pair_names(pair) + describe_sharing(pair));
      }
    }
    check_verdict();
  }

  void check_verdict() {
    const std::string verdict = document_["verdict"];
    if (verdict == (count_.too_few.empty() ? "found" : "not-found")) return;
    problems_.add("/verdict", quoted(verdict) + ", but " + counted(static_cast<long long>(count_.too_few.size()), "pair") +
                                  (count_.too_few.size() == 1 ? " shares " : " share ") +
                                  (redundancy_ == 1 ? "no switch" : "too few switches"));
  }

  std::string required_text() const { return redundancy_ == 1 ? "a switch" : counted(redundancy_, "switch"); }

  std::string pair_names(const Pair& pair) const { return name_of(pair.first) + " and " + name_of(pair.second); }

  std::set<Pair> wanted_pairs(const std::optional<std::vector<NamePair>>& wanted) const {
    std::set<Pair> pairs;
    if (!wanted) return pairs;
    for (const NamePair& pair : *wanted) {
      if (const auto known = known_pair(pair.first, pair.second)) pairs.insert(*known);
    }
    return pairs;
  }

  const Json& document_;
  const Json& spec_;
  Problems problems_;
  std::map<std::string, size_t> node_rank_;
  std::map<std::string, size_t> switch_rank_;
  long redundancy_;
  ReadLinks links_;
  std::vector<std::vector<size_t>> on_switch_;  ///< per switch, one node entry per link
  /// Per switch, the links by media, and by the speed that they state of their port; 0: all.
  std::vector<std::map<std::pair<std::string, long long>, int>> ports_taken_;
  Recount count_;
};

}  // namespace

std::vector<NamePair> read_pairs(const std::string& path, const Spec& spec) {
  std::istringstream file(read_text(path));
  Names nodes;
  for (const Node& node : spec.nodes) nodes.insert(node.name);
  std::vector<NamePair> pairs;
  std::vector<Problem> problems;
  std::string line;
  for (size_t number = 1; std::getline(file, line); ++number) {
    line = line.substr(0, line.find('#'));
    std::replace(line.begin(), line.end(), ',', ' ');
    std::istringstream fields(line);
    const std::vector<std::string> names{std::istream_iterator<std::string>(fields), {}};
    const std::string at = file_name(path) + " line " + std::to_string(number);
    if (names.empty()) continue;
    if (names.size() != 2) {
      problems.push_back({at, "expected two node names, not " + std::to_string(names.size())});
      continue;
    }
    for (const std::string& name : names) {
      if (!nodes.contains(name)) problems.push_back({at, quoted(name) + " is not the name of a node"});
    }
    pairs.emplace_back(names[0], names[1]);
  }
  if (!problems.empty()) throw BadInput(problems);
  return pairs;
}

std::vector<Problem> check_design(const Design& design, const std::optional<std::vector<NamePair>>& wanted) {
  return Checker(design).run(wanted);
}

}  // namespace fnn
