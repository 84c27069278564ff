// SPDX-License-Identifier: GPL-3.0-or-later
#include "program/cable_list.h"

#include <algorithm>
#include <charconv>
#include <optional>

#include "base/csv.h"
#include "base/json_syntax.h"
#include "base/problem.h"
#include "design/wiring.h"
#include "spec/spec.h"

namespace fnn {
namespace {

using std::size_t;

template <class Named>
std::optional<size_t> find_name(const std::vector<Named>& all, const std::string& name) {
  const auto found = std::find_if(all.begin(), all.end(), [&](const Named& one) { return one.name == name; });
  if (found == all.end()) return std::nullopt;
  return static_cast<size_t>(found - all.begin());
}

std::optional<size_t> number_in(const std::string& text) {
  size_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

class CableReader {
 public:
  CableReader(std::string file, const Spec& spec)
      : file_(std::move(file)), spec_(spec), limits_(spec), wiring_(limits_), cabling_(spec.nodes.size()) {}

  Cabling read(const std::vector<CsvLine>& lines) {
    for (const CsvLine& line : lines) {
      if (line.fields != std::vector<std::string>{"node", "nic", "switch"}) read_line(line);
    }
    if (!problems_.empty()) throw BadInput(problems_);
    for (auto& cables : cabling_) std::sort(cables.begin(), cables.end());
    return std::move(cabling_);
  }

 private:
  void report(const CsvLine& line, const std::string& message) {
    problems_.push_back({file_ + " line " + std::to_string(line.number), message});
  }

  void read_line(const CsvLine& line) {
    if (line.fields.size() != 3) {
      report(line, "expected node,nic,switch, not " + counted(static_cast<long long>(line.fields.size()), "field"));
      return;
    }
    const std::optional<size_t> node = find_name(spec_.nodes, line.fields[0]);
    const std::optional<size_t> device = find_name(spec_.switches, line.fields[2]);
    const std::optional<size_t> nic = number_in(line.fields[1]);
    if (!node) report(line, shown(line.fields[0]) + " is not the name of a node");
    if (!device) report(line, shown(line.fields[2]) + " is not the name of a switch");
    if (!nic) report(line, shown(line.fields[1]) + " is not the number of a NIC");
    else if (node && *nic >= spec_.nodes[*node].nic_media.size()) {
      const auto count = static_cast<long long>(spec_.nodes[*node].nic_media.size());
      report(line, line.fields[0] + " has " + counted(count, "NIC") + ", counted from 0");
    } else if (node && device) plug(line, *node, {static_cast<int>(*nic), static_cast<int>(*device)});
  }

  void plug(const CsvLine& line, size_t node, const Cable& cable) {
    const int nic = limits_.first_nic[node] + cable.nic;
    const int group = limits_.group_of(cable.device, wiring_.media(nic));
    const Switch& device = spec_.switches[Limits::at(cable.device)];
    if (wiring_.group(nic) != kDummy) report(line, "the NIC has a cable already");
    else if (wiring_.is_on(static_cast<int>(node), cable.device))
      report(line, line.fields[0] + " is on " + device.name + " already");
    else if (group == kDummy)
      report(line, device.name + " has no port for " + spec_.nodes[node].nic_media[Limits::at(cable.nic)]);
    else if (!wiring_.can_plug(nic, group)) report(line, device.name + " has no port left for a node");
    else {
      wiring_.plug(nic, group);
      cabling_[node].push_back(cable);
    }
  }

  std::string file_;
  const Spec& spec_;
  Limits limits_;
  Wiring wiring_;
  Cabling cabling_;
  std::vector<Problem> problems_;
};

}  // namespace

Cabling parse_cable_list(const std::string& text, const std::string& name, const Spec& spec) {
  return CableReader(name, spec).read(csv_lines(text));
}

std::string cable_list_of(const Json& document) {
  std::string text = "node,nic,switch\n";
  for (const Json& node : document["nodes"]) {
    for (const Json& link : node["links"]) {
      text += node["name"].get<std::string>() + "," + std::to_string(link["nic"].get<int>()) + "," +
              link["switch"].get<std::string>() + "\n";
    }
  }
  return text;
}

}  // namespace fnn
