// SPDX-License-Identifier: GPL-3.0-or-later
#include "program/spec_text.h"

#include <map>

#include "base/problem.h"
#include "base/text_table.h"
#include "export/name_ranges.h"

namespace fnn {
namespace {

/// Kinds in the order of their first name, each with its names.
class Kinds {
 public:
  void add(const std::string& kind, const std::string& name) {
    const auto [place, fresh] = places_.emplace(kind, rows_.size());
    if (fresh) {
      rows_.push_back({kind});
      names_.emplace_back();
    }
    names_[place->second].push_back(name);
  }
  std::string text() const {
    std::vector<Row> ranges;
    for (const Row& names : names_) ranges.push_back(name_ranges(names));
    return text_lists(rows_, ranges);
  }

 private:
  std::map<std::string, std::size_t> places_;
  std::vector<Row> rows_;
  std::vector<Row> names_;
};

std::string kind_of_socket(const Json& socket) {
  return compact(socket["speed_mbps"]) + " Mb/s " + socket["media"].get<std::string>();
}

/// `2 NICs of 1000 Mb/s rj45`; NICs of several kinds with commas between.
std::string describe_nics(const Json& nics) {
  std::string text;
  for (std::size_t i = 0; i < nics.size();) {
    std::size_t end = i;
    while (end < nics.size() && kind_of_socket(nics[end]) == kind_of_socket(nics[i])) ++end;
    text += (i == 0 ? "" : ", ") + counted(static_cast<long long>(end - i), "NIC") + " of " + kind_of_socket(nics[i]);
    i = end;
  }
  return text;
}

std::string describe_switch(const Json& device) {
  std::string text;
  for (const Json& group : device["ports"]) {
    text += (text.empty() ? "" : ", ") + counted(group["count"].get<long long>(), "port") + " of " + kind_of_socket(group);
  }
  return device["reserved"] == 0 ? text : text + ", " + compact(device["reserved"]) + " reserved";
}

/// Goals and requirements of the design that differ from their defaults.
std::string describe_aims(const Json& normal) {
  std::string text;
  const auto add = [&text](const std::string& aim) { text += (text.empty() ? "" : ", ") + aim; };
  if (normal.value("coverage", "all") != "all") add("coverage of the pairs of patterns");
  if (normal.value("redundancy", 1) > 1) add("redundancy " + compact(normal["redundancy"]));
  if (normal.contains("patterns") && !normal["patterns"].empty()) {
    add(counted(static_cast<long long>(normal["patterns"].size()), "pattern"));
  }
  if (normal.contains("pinned")) add(counted(static_cast<long long>(normal["pinned"].size()), "pinned cable"));
  const Json goals = normal.value("goals", Json::object());
  for (const auto& goal : goals.items()) {
    add("goal " + goal.key() + (goal.value().is_number() ? " " + compact(goal.value()) : ""));
  }
  return text.empty() ? "" : "aims: " + text + "\n";
}

}  // namespace

std::string spec_text(const Json& normal) {
  Kinds kinds;
  for (const Json& node : normal["nodes"]) kinds.add(describe_nics(node["nics"]), node["name"].get<std::string>());
  for (const Json& device : normal["switches"]) kinds.add(describe_switch(device), device["name"].get<std::string>());
  const Json uplink = normal.value("uplink", Json());
  if (!uplink.is_null()) {
    kinds.add(counted(uplink["ports"].get<long long>(), "port") + ", joins the switches", uplink["name"].get<std::string>());
  }
  return normal["cluster"].get<std::string>() + ": a valid spec of topology " + normal["topology"].get<std::string>() +
         " (--json prints its normal form)\n\n" + kinds.text() + describe_aims(normal);
}

}  // namespace fnn
