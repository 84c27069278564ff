// SPDX-License-Identifier: GPL-3.0-or-later
//
// Each kind of change grows until the oracle (verdict.h) no longer proves it insufficient. More of a resource is
// never worse, so bisection finds the smallest such change. Then a design of the changed spec is tried. If none is
// found at once, slightly larger changes follow, and the first that is designed is reported next to the smallest that
// is open.
#include "oracle/suggestions.h"

#include <algorithm>

#include "base/problem.h"
#include "oracle/verdict.h"

namespace fnn {
namespace {

using Count = long long;
constexpr Count kSuggestionEffort = 20000000;
constexpr Count kStepsBeyond = 2;

/// One kind of change, by any amount.
struct Change {
  std::string name;
  Count most;
  std::function<Spec(Count)> apply;
  std::function<std::string(Count)> describe;
  std::function<std::optional<double>(Count)> price;
  bool same_demand = true;
};

class SuggestionSearch {
 public:
  SuggestionSearch(const Spec& spec, const Trial& trial) : spec_(spec), demand_(spec), trial_(trial) {}

  std::vector<Suggestion> all() {
    for (const std::string& media : medias()) consider(more_ports(media));
    if (const auto poorest = poorest_nodes(); poorest.size() < spec_.nodes.size()) consider(more_nics_for(poorest));
    consider(more_nics());
    consider(more_switches());
    consider(less_redundancy());
    for (std::size_t i = 0; i < spec_.normal["patterns"].size(); ++i) consider(without_pattern(i));
    std::stable_sort(found_.begin(), found_.end(), [](const Suggestion& a, const Suggestion& b) {
      if (a.price && b.price) return *a.price < *b.price;
      return a.price.has_value() && !b.price.has_value();
    });
    return found_;
  }

 private:
  Prospect prospect(const Change& change, const Spec& changed) const {
    return assess(changed, change.same_demand ? demand_ : Demand(changed), kSuggestionEffort).prospect;
  }

  bool is_insufficient(const Change& change, Count amount) const {
    return prospect(change, change.apply(amount)) == Prospect::kImpossible;
  }

  bool is_designed(const Change& change, const Spec& changed) const {
    if (prospect(change, changed) == Prospect::kDesigned) return true;
    return trial_(changed, change.same_demand ? demand_ : Demand(changed));
  }

  void consider(const Change& change) {
    if (change.most < 1 || is_insufficient(change, change.most)) return;
    Count low = 0;
    Count high = change.most;
    while (high - low > 1) {
      const Count middle = low + (high - low) / 2;
      (is_insufficient(change, middle) ? low : high) = middle;
    }
    for (Count amount = high; amount <= std::min(change.most, high + kStepsBeyond); ++amount) {
      const bool designed = is_designed(change, change.apply(amount));
      if (designed || amount == high) {
        found_.push_back({change.name, amount, change.describe(amount), designed, change.price(amount)});
      }
      if (designed) return;
    }
  }

  /// All media of NICs, those of the first node first.
  std::vector<std::string> medias() const {
    std::vector<std::string> all;
    for (const Node& node : spec_.nodes) {
      for (const std::string& media : node.nic_media) {
        if (std::find(all.begin(), all.end(), media) == all.end()) all.push_back(media);
      }
    }
    return all;
  }

  Change more_ports(const std::string& media) const {
    const auto apply = [this, media](Count more) {
      Spec changed = spec_;
      for (Switch& device : changed.switches) {
        const auto same = std::find_if(device.ports.begin(), device.ports.end(),
                                       [&](const PortGroup& group) { return group.media == media; });
        if (same != device.ports.end()) {
          same->count += static_cast<int>(more);
        } else {
          PortGroup group = device.ports.front();
          group.count = static_cast<int>(more);
          group.media = media;
          device.ports.push_back(group);
        }
      }
      return changed;
    };
    const std::string noun = medias().size() == 1 ? "port" : media + " port";
    const auto now = common_ports();
    const auto describe = [noun, now](Count more) {
      const std::string instead =
          now ? ": " + std::to_string(*now + more) + " instead of " + std::to_string(*now) : "";
      return counted(more, "more " + noun) + " per switch" + instead;
    };
    const auto b = static_cast<Count>(spec_.switches.size());
    return {"ports", static_cast<Count>(spec_.nodes.size()) + 1, apply, describe,
            [this, b](Count more) { return times(more * b, price_of("port")); }};
  }

  std::optional<Count> common_ports() const {
    if (medias().size() > 1) return std::nullopt;
    const int first = spec_.switches.front().all_ports();
    for (const Switch& device : spec_.switches) {
      if (device.all_ports() != first || device.ports.size() > 1) return std::nullopt;
    }
    return first;
  }

  std::vector<std::size_t> poorest_nodes() const {
    std::size_t fewest = spec_.nodes.front().nic_media.size();
    for (const Node& node : spec_.nodes) fewest = std::min(fewest, node.nic_media.size());
    std::vector<std::size_t> poorest;
    for (std::size_t i = 0; i < spec_.nodes.size(); ++i) {
      if (spec_.nodes[i].nic_media.size() == fewest) poorest.push_back(i);
    }
    return poorest;
  }

  Spec with_nics(const std::vector<std::size_t>& which, Count more) const {
    Spec changed = spec_;
    for (const std::size_t i : which) {
      Node& node = changed.nodes[i];
      const std::string media = node.nic_media.front();
      node.nic_media.insert(node.nic_media.end(), static_cast<std::size_t>(more), media);
      node.nic_mbps.insert(node.nic_mbps.end(), static_cast<std::size_t>(more), node.nic_mbps.front());
    }
    return changed;
  }

  Change nics_change(const std::vector<std::size_t>& which, const std::string& where) const {
    const std::size_t now = spec_.nodes[which.front()].nic_media.size();
    const bool alike = std::all_of(which.begin(), which.end(), [&](std::size_t i) {
      return spec_.nodes[i].nic_media.size() == now;
    });
    const auto describe = [now, alike, where](Count more) {
      const std::string instead =
          alike ? ": " + std::to_string(static_cast<Count>(now) + more) + " instead of " + std::to_string(now) : "";
      return counted(more, "more NIC") + where + instead;
    };
    const auto nodes = static_cast<Count>(which.size());
    return {"nics", static_cast<Count>(spec_.switches.size()),
            [this, which](Count more) { return with_nics(which, more); }, describe,
            [this, nodes](Count more) { return times(more * nodes, sum(price_of("nic"), price_of("cable"))); }};
  }

  Change more_nics() const {
    std::vector<std::size_t> all_nodes;
    for (std::size_t i = 0; i < spec_.nodes.size(); ++i) all_nodes.push_back(i);
    return nics_change(all_nodes, " per node");
  }

  Change more_nics_for(const std::vector<std::size_t>& poorest) const {
    if (poorest.size() == 1) return nics_change(poorest, " in " + spec_.nodes[poorest.front()].name);
    const std::size_t now = spec_.nodes[poorest.front()].nic_media.size();
    return nics_change(poorest, " in each of " + counted(static_cast<Count>(poorest.size()), "node") + " with " +
                                    counted(static_cast<Count>(now), "NIC"));
  }

  const Switch& widest() const {
    return *std::max_element(spec_.switches.begin(), spec_.switches.end(), [](const Switch& a, const Switch& b) {
      return a.usable_ports() < b.usable_ports();
    });
  }

  bool switches_are_alike() const {
    return std::all_of(spec_.switches.begin(), spec_.switches.end(),
                       [&](const Switch& device) { return device.usable_ports() == widest().usable_ports(); });
  }

  Change more_switches() const {
    const auto apply = [this](Count more) {
      Spec changed = spec_;
      changed.switches.insert(changed.switches.end(), static_cast<std::size_t>(more), widest());
      return changed;
    };
    const auto now = static_cast<Count>(spec_.switches.size());
    const std::string like = switches_are_alike() ? "" : " like " + widest().name;
    const auto describe = [now, like](Count more) {
      if (more == 1) return "a " + ordinal(now + 1) + " switch" + like;
      return counted(more, "more switch") + like + ": " + std::to_string(now + more) + " instead of " +
             std::to_string(now);
    };
    return {"switches", 2 * static_cast<Count>(spec_.nodes.size()), apply, describe,
            [this](Count more) { return times(more, price_of_switch()); }};
  }

  Change less_redundancy() const {
    const Count now = spec_.normal["redundancy"].get<Count>();
    const auto apply = [this, now](Count fewer) {
      Spec changed = spec_;
      changed.normal["redundancy"] = now - fewer;
      return changed;
    };
    const auto describe = [now](Count fewer) {
      return "redundancy " + std::to_string(now - fewer) + " instead of " + std::to_string(now);
    };
    return {"redundancy", now - 1, apply, describe, [](Count) { return std::optional<double>(); }, false};
  }

  Change without_pattern(std::size_t pattern) const {
    const auto apply = [this, pattern](Count) {
      Json document = spec_.normal;
      document["patterns"].erase(pattern);
      return read_spec(document);
    };
    const bool possible = spec_.normal["coverage"] == "patterns" && spec_.normal["patterns"].size() > 1;
    const std::string kind = spec_.normal["patterns"][pattern].value("kind", "");
    const auto describe = [kind, pattern](Count) {
      return "without the pattern " + kind + " (/patterns/" + std::to_string(pattern) + ")";
    };
    return {"patterns", possible ? 1 : 0, apply, describe, [](Count) { return std::optional<double>(); },
            false};
  }

  static std::string ordinal(Count number) {
    const Count last = number % 10;
    const bool teen = number / 10 % 10 == 1;
    const char* ending = teen || last == 0 || last > 3 ? "th" : last == 1 ? "st" : last == 2 ? "nd" : "rd";
    return std::to_string(number) + ending;
  }

  std::optional<double> price_of(const char* what) const {
    const auto price = spec_.normal["prices"].find(what);
    if (price == spec_.normal["prices"].end() || !price->is_number()) return std::nullopt;
    return price->get<double>();
  }

  std::optional<double> price_of_switch() const {
    if (widest().price) return widest().price;
    if (const auto price = price_of("switch")) return price;
    return times(widest().all_ports(), price_of("port"));
  }

  static std::optional<double> times(Count many, std::optional<double> price) {
    if (!price) return std::nullopt;
    return static_cast<double>(many) * *price;
  }

  /// The second may be free.
  static std::optional<double> sum(std::optional<double> a, std::optional<double> b) {
    if (!a) return std::nullopt;
    return *a + b.value_or(0);
  }

  const Spec& spec_;
  Demand demand_;
  const Trial& trial_;
  std::vector<Suggestion> found_;
};

}  // namespace

std::vector<Suggestion> suggest_changes(const Spec& spec, const Trial& trial) {
  return SuggestionSearch(spec, trial).all();
}

}  // namespace fnn
