// SPDX-License-Identifier: GPL-3.0-or-later
#include "export/speed_facts.h"

#include <algorithm>
#include <map>
#include <sstream>
#include <tuple>

#include "base/text_table.h"
#include "base/units.h"

namespace fnn {
namespace {

using std::size_t;

constexpr size_t kMostKinds = 3;  // of NICs that a line names
constexpr size_t kMostUpgrades = 2;

/// The ports of one medium and speed in all switches, and how many of them no cable uses.
struct Ports {
  int all = 0;
  int free = 0;
};

/// NICs of one name, speed and medium that share a fate.
struct NicClass {
  std::string nic;
  int mbps;
  std::string media;
  int port_mbps;
  auto operator<=>(const NicClass&) const = default;
};

class SpeedFacts {
 public:
  SpeedFacts(const Json& design, const Spec& spec) : design_(design), spec_(spec) {
    for (const Switch& device : spec.switches) switches_.emplace(device.name, switches_.size());
    std::vector<std::map<std::pair<std::string, int>, int>> free(spec.switches.size());
    std::vector<int> unused;
    for (size_t j = 0; j < spec.switches.size(); ++j) {
      unused.push_back(spec.switches[j].usable_ports());
      for (const PortGroup& group : spec.switches[j].ports) free[j][{group.media, group.mbps}] += group.count;
    }
    for (size_t i = 0; i < spec.nodes.size(); ++i) {
      for (const Json& link : design["nodes"][i]["links"]) {
        const size_t device = switches_.at(link["switch"]);
        const NicClass nic = class_of(i, link, device);
        ++cables_;
        --unused[device];
        --free[device][{nic.media, nic.port_mbps}];
        if (nic.port_mbps < nic.mbps) ++below_[nic];
        if (nic.port_mbps > nic.mbps) ++idle_[nic];
      }
    }
    for (size_t j = 0; j < spec.switches.size(); ++j) {
      for (const auto& [port, count] : free[j]) {
        ports_[port].all += 1;
        ports_[port].free += std::clamp(count, 0, unused[j]);
      }
    }
  }

  Json to_json() const {
    const Json& quality = design_["quality"];
    Json below = Json::array();
    int below_nic = 0;
    for (const auto& [nic, count] : below_) {
      below.push_back({{"nic", nic.nic}, {"mbps", nic.mbps}, {"count", count}, {"why", why_below(nic)}});
      below_nic += count;
    }
    Json idle = Json::array();
    for (const auto& [nic, count] : idle_) {
      const Ports closer = ports_between(nic.media, nic.mbps, nic.port_mbps - 1);
      if (closer.all == 0) continue;
      idle.push_back({{"nic", nic.nic}, {"mbps", nic.mbps}, {"port_mbps", nic.port_mbps}, {"count", count},
                      {"why", closer.free == 0 ? "it has no port of its own speed left" : "more pairs gain there"}});
    }
    return {{"worst_gbps", quality.value("worst_gbps", Json())},
            {"worst_gbps_at_most", quality.value("worst_gbps_at_most", Json())},
            {"mean_gbps", quality["mean_gbps"]},
            {"cables", cables_},
            {"below_nic", below_nic},
            {"below", below},
            {"idle", idle},
            {"upgrades", design_.value("upgrades", Json::array())}};
  }

 private:
  NicClass class_of(size_t node, const Json& link, size_t device) const {
    const auto nic = link["nic"].get<size_t>();
    const std::string& media = spec_.nodes[node].nic_media[nic];
    const Json name = spec_.normal["nodes"][node]["nics"][nic]["name"];
    int port = link.value("port_mbps", 0);
    for (const PortGroup& group : spec_.switches[device].ports) {
      if (group.media != media || link.contains("port_mbps")) continue;
      port = port == 0 ? group.mbps : std::min(port, group.mbps);
    }
    const std::string label = name.is_null() ? "NIC " + std::to_string(nic) : plain_text(name.get<std::string>(), 15);
    return {label, spec_.nodes[node].nic_mbps[nic], media, port};
  }

  /// The ports of a medium with speeds from `least` to `most`.
  Ports ports_between(const std::string& media, int least, int most) const {
    Ports sum;
    for (const auto& [port, ports] : ports_) {
      if (port.first != media || port.second < least || port.second > most) continue;
      sum.all += ports.all;
      sum.free += ports.free;
    }
    return sum;
  }

  std::string why_below(const NicClass& nic) const {
    const Ports fast = ports_between(nic.media, nic.mbps, std::numeric_limits<int>::max());
    if (fast.all == 0) return "no switch has a port of " + speed_text(nic.mbps);
    return fast.free == 0 ? "has no port of its own speed left" : "a free port of its speed would slow other pairs";
  }

  const Json& design_;
  const Spec& spec_;
  std::map<std::string, size_t> switches_;
  std::map<std::pair<std::string, int>, Ports> ports_;  ///< by medium and speed; `all` counts switches
  std::map<NicClass, int> below_;
  std::map<NicClass, int> idle_;
  int cables_ = 0;
};

std::string gbps_text(const Json& gbps) { return short_number(gbps.get<double>()); }

std::string below_text(const Json& facts) {
  const std::string cables = compact(facts["cables"]);
  if (facts["below_nic"] == 0) return "all " + cables + " cables at NIC speed";
  const bool one = facts["below_nic"] == 1;
  return compact(facts["below_nic"]) + " of " + cables + (one ? " cables runs below its NIC" : " cables run below their NIC");
}

/// `worst pair 2.5 Gb/s (no wiring gives more), mean 3.755`
std::string bandwidth_text(const Json& measures) {
  const Json& worst = measures["worst_gbps"];
  const bool best = !worst.is_null() && measures.value("worst_gbps_at_most", Json()) == worst;
  return (worst.is_null() ? "" : "worst pair " + speed_text(worst.get<double>() * kMbpsPerGbps)) +
         (best ? " (no wiring gives more)" : "") + (worst.is_null() ? "" : ", ") + "mean " +
         gbps_text(measures["mean_gbps"]) + (worst.is_null() ? " Gb/s" : "");
}

std::string wrapped(const std::string& head, const std::string& text) {
  std::istringstream words(text);
  Row row;
  for (std::string word; words >> word;) row.push_back(word);
  return text_list(head, row);
}

}  // namespace

std::string speed_text(double mbps) {
  return mbps < kMbpsPerGbps ? short_number(mbps) + " Mb/s" : short_number(mbps / kMbpsPerGbps) + " Gb/s";
}

Json speed_facts(const Json& design, const Spec& spec) {
  if (!design.value("quality", Json::object()).contains("below_nic")) return nullptr;
  return SpeedFacts(design, spec).to_json();
}

std::string speed_lines(const Json& facts) {
  if (facts.is_null()) return "";
  std::string why;
  for (size_t i = 0; i < std::min(facts["below"].size(), kMostKinds); ++i) {
    const Json& nic = facts["below"][i];
    const bool subject = nic["why"].get<std::string>().starts_with("has");
    why += (i == 0 ? " (" : "; ") + nic["nic"].get<std::string>() + " of " + speed_text(nic["mbps"].get<double>()) +
           (subject ? " " : ": ") + nic["why"].get<std::string>();
  }
  if (!why.empty()) why += ")";
  std::string lines = wrapped("speeds:", bandwidth_text(facts) + "; " + below_text(facts) + why);
  for (size_t i = 0; i < std::min<size_t>(facts["idle"].size(), 1); ++i) {
    const Json& nic = facts["idle"][i];
    const bool one = nic["count"] == 1;
    lines += wrapped("ports:", compact(nic["count"]) + " of " + speed_text(nic["port_mbps"].get<double>()) +
                             (one ? " carries " : " carry ") + nic["nic"].get<std::string>() + " at " +
                             speed_text(nic["mbps"].get<double>()) + ": " + nic["why"].get<std::string>());
  }
  for (size_t i = 0; i < std::min(facts["upgrades"].size(), kMostUpgrades); ++i) {
    const Json& upgrade = facts["upgrades"][i];
    const std::string below = upgrade["below_nic"] == 0 ? "none" : compact(upgrade["below_nic"]);
    const std::string change = upgrade["change"];
    lines += wrapped("better:", change + ": " + bandwidth_text(upgrade) + "; " + below + " below");
  }
  return lines;
}

}  // namespace fnn
