// SPDX-License-Identifier: GPL-3.0-or-later
#include "export/wiring_table.h"

#include <algorithm>

#include "base/problem.h"
#include "base/text_table.h"
#include "export/name_ranges.h"
#include "export/speed_facts.h"

namespace fnn {
namespace {

constexpr std::size_t kMostNodesOfTable = 24;
constexpr std::size_t kLongestLabel = 15;
constexpr std::size_t kMostUncoveredPairs = 3;

std::string count_of(const Json& number, const std::string& noun) { return counted(number.get<long long>(), noun); }

std::string label_of(const Json& name) { return plain_text(name.get<std::string>(), kLongestLabel); }

std::string nic_counts_text(const Json& counts) {
  if (counts.size() == 1) return count_of(counts[0], "NIC");
  return compact(counts.front()) + " to " + compact(counts.back()) + " NICs";
}

/// ` (ring, routed)`; nothing for a flat neighborhood network.
std::string topology_text(const Json& facts) {
  if (facts["topology"] == "fnn") return "";
  const std::string mode = facts["mode"].is_null() ? "" : ", " + facts["mode"].get<std::string>();
  return " (" + facts["topology"].get<std::string>() + mode + ")";
}

Json trunk_cables(const Json& facts) {
  int cables = 0;
  for (const Json& trunk : facts["trunks"]) cables += trunk["count"].get<int>();
  return cables;
}

/// Adds a comma to each part but the last.
Row with_commas(Row parts) {
  for (std::size_t i = 0; i + 1 < parts.size(); ++i) parts[i] += ",";
  return parts;
}

std::string counts_line(const Json& facts) {
  const Json& switches = facts["switches"];
  Row parts{count_of(facts["nodes"], "node") + " with " + nic_counts_text(facts["nics"])};
  if (!switches.empty()) parts.push_back(counted(static_cast<long long>(switches.size()), "switch"));
  if (!facts["uplink"].is_null()) parts.emplace_back("1 uplink switch");
  parts.push_back(count_of(facts["cables"], "cable") + (switches.empty() ? " between nodes" : " to nodes"));
  if (!facts["trunks"].empty()) parts.push_back(compact(trunk_cables(facts)) + " between switches");
  return text_list(facts["cluster"].get<std::string>() + topology_text(facts) + ":", with_commas(parts));
}

std::string uncovered_line(const Json& facts) {
  const Json& pairs = facts["uncovered"];
  if (pairs.empty()) return "";
  const auto number = static_cast<long long>(pairs.size());
  const bool one = facts["redundancy"] == 1;
  std::string line = counted(number, "pair") + " of nodes " + (number == 1 ? "shares " : "share ") +
                     (one ? "no switch" : "fewer than " + compact(facts["redundancy"]) + " switches") + ": ";
  for (std::size_t i = 0; i < std::min(pairs.size(), kMostUncoveredPairs); ++i) {
    line += (i == 0 ? "" : ", ") + pairs[i][0].get<std::string>() + " and " + pairs[i][1].get<std::string>();
  }
  return line + (pairs.size() > kMostUncoveredPairs ? ", ...\n" : "\n");
}

std::string switch_label(const Json& device) {
  const std::string name = device["name"];
  return device["color"].get<std::string>() == name ? name : name + " (" + label_of(device["color"]) + ")";
}

/// `4 of 5 ports, 1 for uplink`
std::string load_text(const Json& device) {
  std::string text = compact(device["used"]) + " of " + count_of(device["ports"], "port");
  if (device.value("uplink", 0) > 0) text += ", 1 for uplink";
  if (device.value("trunks", 0) > 0) text += ", " + compact(device["trunks"]) + " for trunks";
  if (device.value("reserved", 0) > 0) text += ", " + compact(device["reserved"]) + " reserved";
  return text;
}

std::string switch_lines(const Json& facts) {
  std::vector<Row> rows;
  std::vector<Row> nodes;
  for (const Json& device : facts["switches"]) {
    rows.push_back({switch_label(device), load_text(device)});
    nodes.push_back(device["nodes"].empty() ? Row{"no", "node"} : name_ranges(device["nodes"].get<Row>()));
  }
  const Json& uplink = facts["uplink"];
  if (!uplink.is_null()) {
    const std::string name = uplink["name"];
    rows.push_back({name == "uplink" ? name : name + " (uplink)", load_text(uplink)});
    nodes.push_back(name_ranges(uplink["joined"].get<Row>()));
  }
  return rows.empty() ? "" : "\n" + text_lists(rows, nodes);
}

/// `trunks: red to blue, red to green (2 cables)`
std::string trunk_lines(const Json& facts) {
  Row trunks;
  for (const Json& trunk : facts["trunks"]) {
    const std::string ends = trunk["a"].get<std::string>() + " to " + trunk["b"].get<std::string>();
    trunks.push_back(ends + (trunk["count"] == 1 ? "" : " (" + count_of(trunk["count"], "cable") + ")"));
  }
  return trunks.empty() ? "" : text_list("trunks:", with_commas(trunks));
}

/// The name of NIC `index` if all nodes that have this NIC give it the same; null otherwise.
Json common_name(const Json& wiring, std::size_t index) {
  Json name;
  bool first = true;
  for (const Json& node : wiring) {
    if (index >= node["nics"].size()) continue;
    const Json& own = node["nics"][index]["name"];
    if (!first && own != name) return nullptr;
    name = own;
    first = false;
  }
  return name;
}

/// A heading for each of `count` NICs: their names where each is common, else their numbers.
Row nic_headings(const Json& wiring, std::size_t count, bool& are_names) {
  Row names;
  Row numbers;
  for (std::size_t index = 0; index < count; ++index) {
    const Json name = common_name(wiring, index);
    if (!name.is_null()) names.push_back(label_of(name));
    numbers.push_back("NIC " + std::to_string(index));
  }
  are_names = names.size() == count;
  return are_names ? names : numbers;
}

/// `red`, `k1:0` for NIC 0 of k1, `-` for a NIC without a cable; with the name of the NIC if the heading lacks it.
std::string cell_text(const Json& nic, bool with_name) {
  std::string text = nic["to"].is_null() ? "-" : nic["to"].get<std::string>();
  if (nic.contains("peer_nic")) {
    const Json& peer = nic["peer_nic"];
    text += ":" + (peer.is_string() ? label_of(peer) : compact(peer));
  }
  if (nic.contains("port_mbps")) text += " " + speed_text(nic["port_mbps"].get<double>());
  return with_name && !nic["name"].is_null() ? text + " (" + label_of(nic["name"]) + ")" : text;
}

std::string nic_table(const Json& facts) {
  const Json& wiring = facts["wiring"];
  if (wiring.size() > kMostNodesOfTable && !facts["switches"].empty()) return "";
  std::vector<Row> rows{{"node"}};
  for (const Json& node : wiring) rows.push_back({node["node"].get<std::string>()});
  bool are_names = false;
  const Row headings = nic_headings(wiring, facts["nics"].back().get<std::size_t>(), are_names);
  for (std::size_t index = 0; index < headings.size(); ++index) {
    rows[0].push_back(headings[index]);
    for (std::size_t rank = 0; rank < wiring.size(); ++rank) {
      const Json& nics = wiring[rank]["nics"];
      rows[rank + 1].push_back(index < nics.size() ? cell_text(nics[index], !are_names) : "");
    }
  }
  return "\n" + text_table(rows);
}

}  // namespace

std::string wiring_table(const Json& facts) {
  return counts_line(facts) + uncovered_line(facts) + speed_lines(facts.value("speeds", Json())) + switch_lines(facts) +
         trunk_lines(facts) + nic_table(facts);
}

}  // namespace fnn
