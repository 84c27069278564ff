// SPDX-License-Identifier: GPL-3.0-or-later
#include "design/check_measures.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <string>

#include "spec/media.h"

namespace fnn {
namespace {

using std::size_t;

/// The rounding to six decimals in documents, plus the rounding error of long sums.
constexpr double kTextError = 1e-6;
constexpr double kSumError = 1e-9;

long usable_ports_of(const Json& device) { return ports_of(device) - device["reserved"].get<long>(); }

double number_or(const Json& object, const char* key, double fallback) {
  const auto found = object.find(key);
  return found == object.end() || found->is_null() ? fallback : found->get<double>();
}

class Measures {
 public:
  Measures(const Json& document, const Json& spec, const ReadLinks& links, const Recount& count, Problems& problems)
      : quality_(document["quality"]), spec_(spec), links_(links), count_(count), problems_(problems) {
    for (const Json& node : document["nodes"]) cables_ += static_cast<long>(node["links"].size());
    for (const Json& node : spec["nodes"]) nics_ += static_cast<long>(node["nics"].size());
    for (const Json& device : spec["switches"]) ports_ += usable_ports_of(device);
    links_on_.assign(spec["switches"].size(), 0);
    for (const auto& of_node : links) {
      for (const ReadLink& link : of_node) ++links_on_[link.device];
    }
    below_ = count_below(document["nodes"]);
    meters_ = measure_meters();
  }

  void check() {
    check_counts();
    check_shared();
    check_traffic();
    if (spec_.contains("racks")) expect("cable_length_m", meters_);
    if (has_prices()) expect("price", price());
    check_moves();
    check_headroom();
    if (has_goals()) expect("score", score());
    for (const auto& [key, value] : quality_.items()) {
      if (!expected_.contains(key)) problems_.add(child("/quality", key), shown(value) + ", but has no meaning for this spec");
    }
  }

 private:
  void check_counts() {
    const auto nodes = static_cast<long>(spec_["nodes"].size());
    expect("pairs", nodes * (nodes - 1) / 2);
    if (spec_["coverage"] != "all") expect("wanted", count_.wanted);
    expect("uncovered", static_cast<long>(count_.too_few.size()));
    expect("links", cables_);
    // With more links than NICs, "unused" is undefined; the violated limits are already reported.
    if (cables_ <= nics_) expect("unused_nics", nics_ - cables_);
    else expected_.insert("unused_nics");
    if (cables_ <= ports_) expect("unused_ports", ports_ - cables_);
    else expected_.insert("unused_ports");
  }

  void check_shared() {
    Json shared = Json::object();
    for (const auto& [switches, pairs] : count_.pairs_sharing) shared[std::to_string(switches)] = pairs;
    expected_.insert("shared");
    if (!quality_.contains("shared")) problems_.add("/quality/shared", "missing");
    else if (quality_["shared"] != shared) {
      problems_.add("/quality/shared", compact(quality_["shared"]) + ", but the links give " + compact(shared));
    }
    expect("exposed", count_.exposed);
    if (count_.wanted == 0) return;
    expect("min_shared", count_.fewest);
    expect("mean_shared", static_cast<double>(count_.wanted_shared) / static_cast<double>(count_.wanted));
  }

  void check_traffic() {
    if (count_.named) expect("mean_shared_by_traffic", count_.shared / count_.traffic);
    const auto [slowest, fastest] = possible_mbps(spec_);
    // Older designs lack all but the mean.
    const bool stated = quality_.contains("below_nic") || quality_.contains("worst_gbps");
    if (slowest != fastest || stated) expect("mean_gbps", count_.mbps / count_.traffic / 1000);
    if (stated) expect("below_nic", below_);
    if (stated && count_.wanted > 0) expect("worst_gbps", static_cast<double>(count_.worst_mbps) / 1000);
    if (quality_.contains("worst_gbps_at_most")) {
      expected_.insert("worst_gbps_at_most");
      if (static_cast<double>(count_.worst_mbps) / 1000 > quality_["worst_gbps_at_most"].get<double>() + kTextError) {
        problems_.add("/quality/worst_gbps_at_most", shown(quality_["worst_gbps_at_most"]) + ", but the worst pair has more");
      }
    }
    const double busiest = count_.loads.empty() ? 0 : *std::max_element(count_.loads.begin(), count_.loads.end());
    expect("peak_load", busiest / mean_load());
  }

  /// The links slower than their NIC, as long as nodes and NICs are those of the spec.
  long count_below(const Json& nodes) const {
    long below = 0;
    for (size_t i = 0; i < std::min(nodes.size(), spec_["nodes"].size()); ++i) {
      const Json& nics = spec_["nodes"][i]["nics"];
      for (const Json& link : nodes[i]["links"]) {
        const auto index = link["nic"].get<size_t>();
        for (const Json& device : spec_["switches"]) {
          if (index >= nics.size() || device["name"] != link["switch"]) continue;
          const long long mbps = link_mbps(nics[index], device, link.value("port_mbps", 0LL));
          below += mbps < nics[index]["speed_mbps"].get<long long>() ? 1 : 0;
        }
      }
    }
    return below;
  }

  /// The traffic of every pair counts at both ends.
  double mean_load() const { return 2 * count_.traffic / static_cast<double>(nics_); }

  /// The earlier design is not in the document, so only the plausibility of the numbers is checked.
  void check_moves() {
    const bool kept = quality_.contains("kept_links");
    if (!kept && !quality_.contains("moved_links")) return;
    expected_.insert({"kept_links", "moved_links"});
    for (const char* key : {"kept_links", "moved_links"}) {
      if (!quality_.contains(key)) problems_.add(child("/quality", key), "missing");
    }
    if (kept && quality_["kept_links"] > cables_) {
      problems_.add("/quality/kept_links", shown(quality_["kept_links"]) + ", but there are only " + counted(cables_, "link"));
    }
  }

  /// The positions of later nodes are unknown as well, but each needs one port per switch that it must share.
  void check_headroom() {
    if (!quality_.contains("headroom")) return;
    expected_.insert("headroom");
    const long each = spec_["redundancy"].get<long>();
    const long left = std::max(0L, ports_ - cables_);
    if (quality_["headroom"] > left / each) {
      problems_.add("/quality/headroom", shown(quality_["headroom"]) + " more nodes, but only " + counted(left, "port") +
                                             (left == 1 ? " is" : " are") + " unused");
    }
  }

  double measure_meters() const {
    std::map<std::string, std::pair<double, double>> places;
    if (spec_.contains("racks")) {
      for (const Json& rack : spec_["racks"]) places[rack["name"]] = {rack["x_m"].get<double>(), rack["y_m"].get<double>()};
    }
    const auto place_of = [&](const Json& item) {
      const auto found = item["rack"].is_null() ? places.end() : places.find(item["rack"].get<std::string>());
      return found == places.end() ? std::nullopt : std::optional(found->second);
    };
    std::vector<std::optional<std::pair<double, double>>> ends;
    for (const Json& device : spec_["switches"]) ends.push_back(place_of(device));
    double sum = 0;
    for (size_t node = 0; node < links_.size(); ++node) {
      const auto here = place_of(spec_["nodes"][node]);
      for (const ReadLink& link : links_[node]) {
        const auto& there = ends[link.device];
        if (here && there) sum += std::abs(here->first - there->first) + std::abs(here->second - there->second);
      }
    }
    return sum;
  }

  bool has_prices() const {
    const Json& prices = spec_["prices"];
    for (const char* what : {"cable", "cable_m", "nic", "port", "switch"}) {
      if (prices.contains(what)) return true;
    }
    const Json& switches = spec_["switches"];
    return std::any_of(switches.begin(), switches.end(), [](const Json& device) { return !device["price"].is_null(); });
  }

  double price() const {
    const Json& prices = spec_["prices"];
    double sum = meters_ * number_or(prices, "cable_m", 0);
    for (size_t j = 0; j < links_on_.size(); ++j) {
      if (links_on_[j] == 0) continue;
      const Json& device = spec_["switches"][j];
      const double by_port = static_cast<double>(ports_of(device)) * number_or(prices, "port", 0);
      sum += number_or(device, "price", number_or(prices, "switch", by_port));
      sum += static_cast<double>(links_on_[j]) * (number_or(prices, "cable", 0) + number_or(prices, "nic", 0));
    }
    return sum;
  }

  bool has_goals() const {
    for (const auto& [goal, weight] : spec_["goals"].items()) {
      if (goal != "evaluation" && weight.get<double>() > 0) return true;
    }
    return false;
  }

  double goal(const char* name) const { return number_or(spec_["goals"], name, 0); }

  /// The score, in the order of the table in goals.md.
  double score() const {
    double sum = -goal("shared_switches") * count_.worth / (count_.traffic / count_.communicating);
    for (const double load : count_.loads) sum += goal("balance") * std::pow(load / mean_load(), 2);
    sum += goal("exposure") * static_cast<double>(count_.exposed);
    sum += goal("cable_length") * meters_;
    sum -= goal("moved_cables") * number_or(quality_, "kept_links", 0);
    return sum + goal("price") * switches_in_use();
  }

  double switches_in_use() const {
    double prices = 0;
    for (const Json& device : spec_["switches"]) prices += number_or(device, "price", 1);
    const double mean = prices > 0 ? prices / static_cast<double>(links_on_.size()) : 1;
    double sum = 0;
    for (size_t j = 0; j < links_on_.size(); ++j) {
      const Json& device = spec_["switches"][j];
      if (links_on_[j] == 0 || usable_ports_of(device) == 0) continue;
      const double filled = static_cast<double>(links_on_[j]) / static_cast<double>(usable_ports_of(device));
      sum += number_or(device, "price", 1) / mean * (1 + std::sqrt(filled)) / 2;
    }
    return sum;
  }

  void expect(const std::string& key, long expected) {
    expected_.insert(key);
    if (!quality_.contains(key)) problems_.add(child("/quality", key), "missing");
    else if (quality_[key] != expected) report_difference(key, std::to_string(expected));
  }

  void expect(const std::string& key, double expected) {
    expected_.insert(key);
    const auto stated = quality_.find(key);
    if (stated == quality_.end()) {
      problems_.add(child("/quality", key), "missing");
    } else if (std::abs(stated->get<double>() - expected) > kTextError + kSumError * std::abs(expected)) {
      report_difference(key, compact(std::round(expected / kTextError) / 1e6));
    }
  }

  void report_difference(const std::string& key, const std::string& expected) {
    problems_.add(child("/quality", key), shown(quality_[key]) + ", but the links give " + expected);
  }

  const Json& quality_;
  const Json& spec_;
  const ReadLinks& links_;
  const Recount& count_;
  Problems& problems_;
  std::set<std::string> expected_;
  std::vector<long> links_on_;  ///< per switch
  long cables_ = 0;
  long nics_ = 0;
  long ports_ = 0;
  long below_ = 0;
  double meters_ = 0;
};

}  // namespace

int ports_of(const Json& device, const std::optional<std::string>& media, long long mbps) {
  int sum = 0;
  for (const Json& group : device["ports"]) {
    const bool fits = mbps == 0 || group["speed_mbps"] == mbps;
    if (fits && (!media || media_family(group["media"]) == *media)) sum += group["count"].get<int>();
  }
  return sum;
}

long long link_mbps(const Json& nic, const Json& device, long long port_mbps) {
  long long slowest = 0;
  for (const Json& group : device["ports"]) {
    if (media_family(group["media"]) != media_family(nic["media"])) continue;
    const auto mbps = group["speed_mbps"].get<long long>();
    if (port_mbps > 0 && mbps != port_mbps) continue;
    slowest = slowest == 0 ? mbps : std::min(slowest, mbps);
  }
  return std::min(slowest, nic["speed_mbps"].get<long long>());
}

std::pair<long long, long long> possible_mbps(const Json& spec) {
  std::map<std::pair<std::string, long long>, const Json*> kinds;
  for (const Json& node : spec["nodes"]) {
    for (const Json& nic : node["nics"]) kinds.try_emplace({nic["media"], nic["speed_mbps"]}, &nic);
  }
  std::set<long long> speeds;
  for (const auto& [kind, nic] : kinds) {
    for (const Json& device : spec["switches"]) speeds.insert(link_mbps(*nic, device));
  }
  speeds.erase(0);
  if (speeds.empty()) return {0, 0};
  return {*speeds.begin(), *speeds.rbegin()};
}

void check_measures(const Json& document, const Json& spec, const ReadLinks& links, const Recount& count,
                    Problems& problems) {
  Measures(document, spec, links, count, problems).check();
}

}  // namespace fnn
