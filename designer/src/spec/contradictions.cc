// SPDX-License-Identifier: GPL-3.0-or-later
#include "spec/contradictions.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "spec/maintenance.h"
#include "spec/media.h"
#include "spec/normal_form.h"
#include "spec/topology_rules.h"

namespace fnn {
namespace {

/// Nodes, switches, the uplink switch and its hosts share one namespace. `folds`: they are host names, which have neither
/// case nor underscores, so that programs take names that differ only in these for one.
class Names {
 public:
  Names(const std::string& at, Problems& problems, bool folds = false) : at_(at), problems_(problems), folds_(folds) {}

  /// `owner` is the JSON pointer of the named object, `field` the pointer of its name.
  void claim(const Json& name, const std::string& owner, const std::string& field) {
    const auto [known, fresh] = owners_.emplace(key(name), std::pair(owner, name));
    if (fresh) return;
    const bool same = known->second.second == name;
    problems_.add(at_ + field, shown(name) + " is already the name of " + at_ + known->second.first +
                                   (same ? "" : ": host names have neither case nor underscores"));
  }

  bool has(const Json& name) const { return owners_.contains(key(name)); }

 private:
  std::string key(const Json& name) const {
    std::string text = name.get<std::string>();
    if (!folds_) return text;
    for (char& c : text) c = c == '_' ? '-' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return text;
  }

  const std::string& at_;
  Problems& problems_;
  const bool folds_;
  std::map<std::string, std::pair<std::string, Json>> owners_;  ///< by key: pointer of the owner, name as spelled
};

void claim_members(Names& names, const Json& list, const std::string& at) {
  for (std::size_t i = 0; i < list.size(); ++i) {
    names.claim(list[i]["name"], child(at, i), child(child(at, i), "name"));
  }
}

void check_names(const Json& spec, const std::string& at, Problems& problems) {
  Names names(at, problems, true);
  claim_members(names, spec["nodes"], "/nodes");
  claim_members(names, spec["switches"], "/switches");
  const Json& uplink = spec["uplink"];
  if (!uplink.is_null()) {
    names.claim(uplink["name"], "/uplink", "/uplink/name");
    for (const char* list : {"spares", "hosts"}) {
      for (std::size_t i = 0; i < uplink[list].size(); ++i) {
        const std::string place = child(child("/uplink", list), i);
        names.claim(uplink[list][i], place, place);
      }
    }
  }
  if (spec.contains("maintenance")) claim_members(names, spec["maintenance"]["switches"], "/maintenance/switches");
}

/// NICs are identified by name within their node, so names must be unique there, also those of twins: the second devices
/// of plugs.
void check_nic_names(const Json& spec, const std::string& at, Problems& problems) {
  for (std::size_t i = 0; i < spec["nodes"].size(); ++i) {
    const std::string list = child(child("/nodes", i), "nics");
    Names names(at, problems);
    const Json& nics = spec["nodes"][i]["nics"];
    for (std::size_t k = 0; k < nics.size(); ++k) {
      const std::string place = child(list, k);
      if (!nics[k]["name"].is_null()) names.claim(nics[k]["name"], place, child(place, "name"));
      if (!nics[k].contains("twin")) continue;
      names.claim(nics[k]["twin"], place, child(place, "twin"));
      if (nics[k]["name"].is_null()) {
        problems.add(child(at + place, "twin"), shown(nics[k]["twin"]) + ", but the other half of the plug has no `name`; name both");
      }
    }
  }
}

/// The number of ports of one family of media, or of all.
int count_ports(const Json& device, const Json& media = nullptr) {
  int sum = 0;
  for (const Json& group : device["ports"]) {
    if (media.is_null() || media_family(group["media"]) == media_family(media)) sum += group["count"].get<int>();
  }
  return sum;
}

/// Sockets that no shop has: speeds that their media never carry, and breakout cables that are too much for a cage. One
/// problem for each speed and medium, and for each medium that no switch has, however many NICs have it.
class SocketCheck {
 public:
  SocketCheck(const Json& spec, const std::string& at, Problems& problems) : problems_(problems) {
    check_switches(spec["switches"], at + "/switches");
    // In other topologies all NICs go to one kind of port.
    const bool chooses = spec["topology"] == "fnn" && !families_.empty();
    for (std::size_t i = 0; i < spec["nodes"].size(); ++i) {
      const Json& nics = spec["nodes"][i]["nics"];
      for (std::size_t k = 0; k < nics.size(); ++k) {
        const std::string place = child(child(child(at + "/nodes", i), "nics"), k);
        check(nics[k], place);
        const std::string media = nics[k]["media"];
        if (!chooses || families_.contains(media_family(media))) continue;
        ++lacking_.emplace(media, std::pair(place, 0LL)).first->second.second;
      }
    }
    for (const auto& [media, first] : lacking_) {
      const std::string others = first.second == 1 ? "" : ", and " + counted(first.second - 1, "more NIC") + " of it";
      problems_.add(child(first.first, "media"), shown(Json(media)) + ", but no switch has such a port" + others +
                                                     "; leave such NICs out, or add a switch or adapters");
    }
    if (!spec.contains("maintenance")) return;
    check(spec["maintenance"], at + "/maintenance");
    check_switches(spec["maintenance"]["switches"], at + "/maintenance/switches");
  }

 private:
  void check_switches(const Json& switches, const std::string& at) {
    for (std::size_t i = 0; i < switches.size(); ++i) {
      const Json& groups = switches[i]["ports"];
      for (std::size_t k = 0; k < groups.size(); ++k) check(groups[k], child(child(child(at, i), "ports"), k));
    }
  }

  void check(const Json& socket, const std::string& at) {
    const std::string media = socket["media"];
    const auto mbps = socket["speed_mbps"].get<long long>();
    if (socket.contains("count")) families_.insert(media_family(media));
    if ((mbps < kLeastMbps || mbps > most_mbps(media)) && sockets_.emplace(media, mbps).second) {
      problems_.add(child(at, "speed_mbps"), std::to_string(mbps) + " Mb/s, but " + media + " is sold with " +
                                                 std::to_string(kLeastMbps) + " to " + std::to_string(most_mbps(media)) +
                                                 " Mb/s; correct the speed or the media");
    }
    check_cage(socket, mbps, at);
  }

  void check_cage(const Json& socket, long long mbps, const std::string& at) {
    const long long plugs = socket.value("breakout", 1);
    if (!socket.contains("cage")) {
      if (plugs > 1) problems_.add(child(at, "breakout"), "needs the `cage` that the cable goes into, such as qsfp28");
      return;
    }
    const std::string cage = socket["cage"];
    if (plugs * mbps > most_mbps(cage)) {
      problems_.add(child(at, plugs > 1 ? "breakout" : "cage"),
                    counted(plugs, "plug") + " of " + std::to_string(mbps) + " Mb/s, but " + cage + " is sold with up to " +
                        std::to_string(most_mbps(cage)) + " Mb/s; correct the speed, the cage or the breakout");
    }
    if (plugs > 1 && socket["count"].get<long long>() % plugs != 0) {
      problems_.add(child(at, "count"), compact(socket["count"]) + ", but each breakout cable has " +
                                            counted(plugs, "plug") + "; expected a multiple of it");
    }
  }

  static constexpr long long kLeastMbps = 10;

  Problems& problems_;
  std::set<std::string> families_;                       ///< of the ports of the fabric
  std::set<std::pair<std::string, long long>> sockets_;  ///< media and speeds with a problem
  /// By media that no switch has: the place of the first NIC, and the number of NICs.
  std::map<std::string, std::pair<std::string, long long>> lacking_;
};

/// `at`: the pointer of `switches`.
void check_reserved(const Json& switches, const std::string& at, Problems& problems) {
  for (std::size_t i = 0; i < switches.size(); ++i) {
    const int ports = count_ports(switches[i]);
    const int reserved = switches[i]["reserved"].get<int>();
    if (reserved > ports) {
      problems.add(child(child(at, i), "reserved"),
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

void check_racks(const Json& spec, const std::string& at, Problems& problems) {
  if (!spec.contains("racks")) return;
  Names racks(at, problems);
  claim_members(racks, spec["racks"], "/racks");
  const auto check = [&](const Json& list, const std::string& place) {
    for (std::size_t i = 0; i < list.size(); ++i) {
      const Json& rack = list[i]["rack"];
      if (rack.is_null() || racks.has(rack)) continue;
      problems.add(child(child(at + place, i), "rack"), shown(rack) + " is not the name of a rack");
    }
  };
  check(spec["nodes"], "/nodes");
  check(spec["switches"], "/switches");
  if (spec.contains("maintenance")) check(spec["maintenance"]["switches"], "/maintenance/switches");
}

using Named = std::map<Json, const Json*>;

Named by_name(const Json& list) {
  Named named;
  for (const Json& each : list) named.emplace(each["name"], &each);
  return named;
}

const Json* find_named(const Named& named, const Json& name) {
  const auto found = named.find(name);
  return found == named.end() ? nullptr : found->second;
}

/// Checks each pin alone and against earlier pins. The search determines whether a design around them exists.
class PinCheck {
 public:
  PinCheck(const Json& spec, Problems& problems)
      : nodes_(by_name(spec["nodes"])), switches_(by_name(spec["switches"])), problems_(problems) {}

  void check_pin(const Json& pin, const std::string& at) {
    const Json* node = find_named(nodes_, pin["node"]);
    const Json* device = find_named(switches_, pin["switch"]);
    if (node == nullptr) problems_.add(child(at, "node"), shown(pin["node"]) + " is not the name of a node");
    if (device == nullptr) problems_.add(child(at, "switch"), shown(pin["switch"]) + " is not the name of a switch");
    if (node == nullptr) return;
    const Json* nic = find_nic(pin, *node, at);
    const bool fits = nic != nullptr && device != nullptr && check_media((*nic)["media"], pin, *device, at);
    const bool first = check_first(pin, at);
    if (fits && first) check_room((*nic)["media"], *device, at);
  }

 private:
  /// Null when the node has no such NIC.
  const Json* find_nic(const Json& pin, const Json& node, const std::string& at) {
    const auto nic = pin["nic"].get<std::size_t>();
    const Json& nics = node["nics"];
    if (nic < nics.size()) return &nics[nic];
    problems_.add(child(at, "nic"), std::to_string(nic) + ", but " + pin["node"].get<std::string>() + " has only " +
                                        counted(static_cast<long long>(nics.size()), "NIC"));
    return nullptr;
  }

  bool check_media(const Json& media, const Json& pin, const Json& device, const std::string& at) {
    if (count_ports(device, media) > 0) return true;
    problems_.add(at, "NIC " + std::to_string(pin["nic"].get<std::size_t>()) + " of " +
                          pin["node"].get<std::string>() + " is " + media.get<std::string>() + ", but " +
                          pin["switch"].get<std::string>() + " has no such port");
    return false;
  }

  bool check_first(const Json& pin, const std::string& at) {
    const bool first_of_nic = pinned_nics_.emplace(pin["node"], pin["nic"]).second;
    const bool first_on_switch = pinned_switches_.emplace(pin["node"], pin["switch"]).second;
    if (!first_of_nic) problems_.add(at, "this NIC is pinned already");
    if (!first_on_switch) {
      problems_.add(at, pin["node"].get<std::string>() + " is pinned to " + pin["switch"].get<std::string>() + " already");
    }
    return first_of_nic && first_on_switch;
  }

  /// Reserved ports may be of any medium, so there are two limits: over all media and per medium.
  void check_room(const Json& media, const Json& device, const std::string& at) {
    const int alike = ++load_[{device["name"], media}];
    const int all = ++load_[{device["name"], Json()}];
    const int usable = std::max(0, count_ports(device) - device["reserved"].get<int>());
    if (all > usable) {
      report_full(device, all, usable, "", at);
    } else if (const int ports = count_ports(device, media); alike > ports) {
      report_full(device, alike, ports, media.get<std::string>() + " ", at);
    }
  }

  void report_full(const Json& device, int cables, int ports, const std::string& media, const std::string& at) {
    problems_.add(at, counted(cables, media + "cable") + " pinned to " + device["name"].get<std::string>() +
                          " by now, but it has only " + counted(ports, media + "port") + " for nodes");
  }

  Named nodes_;
  Named switches_;
  Problems& problems_;
  std::set<std::pair<Json, Json>> pinned_nics_;
  std::set<std::pair<Json, Json>> pinned_switches_;
  std::map<std::pair<Json, Json>, int> load_;  ///< by switch and media; by switch and null for all media
};

void check_pins(const Json& spec, const std::string& at, Problems& problems) {
  if (!spec.contains("pinned")) return;
  PinCheck check(spec, problems);
  for (std::size_t i = 0; i < spec["pinned"].size(); ++i) {
    check.check_pin(spec["pinned"][i], child(at + "/pinned", i));
  }
}

void check_patterns_are_there(const Json& spec, const std::string& at, Problems& problems) {
  if (spec["coverage"] == "patterns" && spec["patterns"].empty()) {
    problems.add(at + "/coverage", "\"patterns\", but there are no patterns");
  }
}

/// Labels of the two networks must differ. Equal names are reported as names.
void check_maintenance_colors(const Json& spec, const std::string& at, Problems& problems) {
  const Json& fabric = spec["switches"];
  const Json& own = spec["maintenance"]["switches"];
  for (std::size_t i = 0; i < own.size(); ++i) {
    for (std::size_t k = 0; k < fabric.size(); ++k) {
      if (own[i]["color"] != fabric[k]["color"] || own[i]["name"] == fabric[k]["name"]) continue;
      problems.add(child(child(at + "/maintenance/switches", i), "color"),
                   shown(own[i]["color"]) + " is already the color of " + child(at + "/switches", k));
      break;
    }
  }
}

/// No NIC belongs to both networks. One problem, however many nodes have such a NIC.
void check_maintenance_nic(const Json& spec, const std::string& at, Problems& problems) {
  const Json& name = spec["maintenance"]["nic"];
  std::string first;
  long long more = -1;
  for (const Json& node : spec["nodes"]) {
    const Json& nics = node["nics"];
    const auto claimed = std::find_if(nics.begin(), nics.end(), [&](const Json& nic) { return nic["name"] == name; });
    if (claimed == nics.end()) continue;
    if (++more == 0) first = "NIC " + std::to_string(claimed - nics.begin()) + " of " + node["name"].get<std::string>();
  }
  if (more < 0) return;
  const std::string others = more == 0 ? "" : " and of " + counted(more, "more node");
  problems.add(at + "/maintenance/nic", shown(name) + " is " + first + others +
                                            " in the fabric, but the maintenance network needs a NIC of its own");
}

void check_maintenance(const Json& spec, const std::string& at, Problems& problems) {
  if (!spec.contains("maintenance")) return;
  check_reserved(spec["maintenance"]["switches"], at + "/maintenance/switches", problems);
  check_maintenance_colors(spec, at, problems);
  check_maintenance_nic(spec, at, problems);
  const auto of_switches = [&](const Problem& each) { return each.at.starts_with(at + "/maintenance/switches"); };
  const std::vector<Problem> before = problems.sorted();
  if (std::any_of(before.begin(), before.end(), of_switches)) return;  // they would cause more problems
  Problems found;
  check_topology(normal_form(maintenance_spec(spec)), "", found);
  for (const Problem& each : found.sorted()) {
    // A fabric that is a tree as well has reported nodes with the name of its segment.
    if (!each.at.starts_with("/nodes")) problems.add(at + "/maintenance" + each.at, each.message);
    else if (spec["topology"] != "tree") problems.add(at + each.at, each.message);
  }
}

}  // namespace

void find_contradictions(const Json& spec, const std::string& at, Problems& problems) {
  check_names(spec, at, problems);
  check_nic_names(spec, at, problems);
  SocketCheck(spec, at, problems);
  check_reserved(spec["switches"], at + "/switches", problems);
  check_uplink_ports(spec, at, problems);
  check_racks(spec, at, problems);
  check_pins(spec, at, problems);
  check_patterns_are_there(spec, at, problems);
  check_topology(spec, at, problems);
  check_maintenance(spec, at, problems);
}

}  // namespace fnn
