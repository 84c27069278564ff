// SPDX-License-Identifier: GPL-3.0-or-later
//
// Four bounds
// -----------
// n nodes, node i with r_i NICs, b switches, switch j with w_j ports that nodes may use.
//
// degree      A node on switch j meets the w_j - 1 others there. Over all its NICs it must meet
//             n - 1, so the r_i widest switches that take its media must add up to that.
// slots       The same turned round: each node needs at least so many links, and every link takes a
//             port. With equal widths this is Schoenheim's bound, b >= n/w * ((n-1)/(w-1)), each
//             fraction rounded up; it is then also given as "schoenheim", counted in switches.
// pairs       A switch with s nodes covers s(s-1)/2 pairs. There are n(n-1)/2 to cover and no more
//             links than NICs, which cover most when the widest switches are filled first.
// fueredi     Each node is a set of at most r switches, and any two sets meet. Z. Furedi (Maximum
//             degree and fractional matchings in uniform hypergraphs, Combinatorica 1, 1981): some
//             switch then holds at least n*r/(r*r-r+1) nodes, and n/(r-1) when there is no
//             projective plane of order r-1.
//
// Widths beyond n count as n: more ports than nodes help nobody.
#include "oracle/bounds.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <map>
#include <numeric>
#include <optional>

namespace fnn {
namespace {

using Count = long long;

Count ceiling(Count numerator, Count denominator) { return (numerator + denominator - 1) / denominator; }

/// What the bounds look at: widths and, per node, the switches its NICs could go to.
class Numbers {
 public:
  Numbers(const std::vector<Node>& nodes, const std::vector<Switch>& switches)
      : nodes_(nodes), count_(static_cast<Count>(nodes.size())) {
    for (const Switch& device : switches) {
      const Count width = std::min<Count>(device.usable_ports(), count_);
      widths_.push_back(width);
      std::map<std::string, bool> seen;
      for (const PortGroup& group : device.ports) {
        if (!std::exchange(seen[group.media], true)) widths_of_media_[group.media].push_back(width);
      }
    }
    std::sort(widths_.rbegin(), widths_.rend());
    for (auto& [media, widths] : widths_of_media_) std::sort(widths.rbegin(), widths.rend());
  }

  Count nodes() const { return count_; }
  Count pairs() const { return count_ * (count_ - 1) / 2; }
  const std::vector<Count>& widths() const { return widths_; }
  Count ports() const { return std::accumulate(widths_.begin(), widths_.end(), Count{0}); }

  /// The widths of the best switches that the NICs of a node could go to, widest first.
  std::vector<Count> best_widths(const Node& node) const {
    std::map<std::string, std::size_t> nics;
    for (const std::string& media : node.nic_media) ++nics[media];
    std::vector<Count> best;
    for (const auto& [media, count] : nics) {
      const auto found = widths_of_media_.find(media);
      if (found == widths_of_media_.end()) continue;
      const auto& widths = found->second;
      best.insert(best.end(), widths.begin(), widths.begin() + static_cast<long>(std::min(count, widths.size())));
    }
    std::sort(best.rbegin(), best.rend());
    return best;
  }

  /// Nodes of one kind are alike to every bound; looking at each kind once keeps big clusters cheap.
  template <typename Visit>
  void for_each_kind(Visit visit) const {
    std::map<std::string, std::pair<const Node*, Count>> kinds;
    for (const Node& node : nodes_) {
      std::string media;
      for (const std::string& nic : node.nic_media) media += nic + " ";
      ++kinds.try_emplace(media, &node, 0).first->second.second;
    }
    for (const auto& [media, kind] : kinds) visit(*kind.first, kind.second);
  }

 private:
  const std::vector<Node>& nodes_;
  Count count_;
  std::vector<Count> widths_;
  std::map<std::string, std::vector<Count>> widths_of_media_;
};

Bound degree_bound(const Numbers& numbers) {
  Count fewest = std::numeric_limits<Count>::max();
  const Node* poorest = nullptr;
  numbers.for_each_kind([&](const Node& node, Count) {
    Count met = 0;
    for (const Count width : numbers.best_widths(node)) met += std::max<Count>(width - 1, 0);
    if (met < fewest) {
      fewest = met;
      poorest = &node;
    }
  });
  const Count others = numbers.nodes() - 1;
  return {"degree", others, fewest,
          poorest->name + " with " + counted(static_cast<Count>(poorest->nic_media.size()), "NIC") +
              " can meet at most " + counted(fewest, "node") + ", but there are " + std::to_string(others) +
              " others"};
}

/// The fewest links with which a node meets all others; all it can have when that is not enough.
Count fewest_links(const Numbers& numbers, const Node& node) {
  Count links = 0;
  Count met = 0;
  for (const Count width : numbers.best_widths(node)) {
    if (met >= numbers.nodes() - 1) break;
    met += std::max<Count>(width - 1, 0);
    ++links;
  }
  return links;
}

Bound slots_bound(const Numbers& numbers) {
  Count needed = 0;
  Count least = numbers.nodes();
  numbers.for_each_kind([&](const Node& node, Count many) {
    const Count links = fewest_links(numbers, node);
    needed += many * links;
    least = std::min(least, links);
  });
  return {"slots", needed, numbers.ports(),
          "every node needs at least " + counted(least, "link") + " to meet all others, " +
              counted(needed, "port") + " in all, but the switches have only " + std::to_string(numbers.ports()) +
              " for nodes"};
}

/// The slots bound in whole switches, when all are equally wide.
std::optional<Bound> schoenheim_bound(const Numbers& numbers, const Bound& slots) {
  const Count width = numbers.widths().front();
  if (width < 2 || numbers.widths().back() != width) return std::nullopt;
  const Count needed = ceiling(slots.needed, width);
  const Count available = static_cast<Count>(numbers.widths().size());
  return Bound{"schoenheim", needed, available,
               counted(numbers.nodes(), "node") + " need at least " + counted(needed, "switch") + " with " +
                   counted(width, "port") + " for nodes (Schoenheim: " + counted(slots.needed, "link") +
                   " in all), but there are only " + std::to_string(available)};
}

Bound pairs_bound(const Numbers& numbers) {
  Count nics = 0;
  numbers.for_each_kind(
      [&](const Node& node, Count many) { nics += many * static_cast<Count>(numbers.best_widths(node).size()); });
  Count covered = 0;
  for (const Count width : numbers.widths()) {
    const Count on_switch = std::clamp<Count>(width, 0, nics);
    nics -= on_switch;
    covered += on_switch * (on_switch - 1) / 2;
  }
  return {"pairs", numbers.pairs(), covered,
          "all switches together cover at most " + counted(covered, "pair") + " of nodes, but there are " +
              std::to_string(numbers.pairs())};
}

bool is_sum_of_two_squares(Count number) {
  for (Count a = 0; a * a <= number; ++a) {
    for (Count b = a; a * a + b * b <= number; ++b) {
      if (a * a + b * b == number) return true;
    }
  }
  return false;
}

/// Orders without a projective plane: by Bruck and Ryser, and 10 by Lam's computer search.
bool has_no_plane(Count order) {
  const bool judged = order % 4 == 1 || order % 4 == 2;
  return order == 10 || (judged && !is_sum_of_two_squares(order));
}

Bound fueredi_bound(const Numbers& numbers) {
  Count rank = 0;
  numbers.for_each_kind([&](const Node& node, Count) {
    rank = std::max(rank, static_cast<Count>(numbers.best_widths(node).size()));
  });
  rank = std::clamp<Count>(rank, 1, static_cast<Count>(numbers.widths().size()));
  const Count n = numbers.nodes();
  const Count needed = rank > 2 && has_no_plane(rank - 1) ? ceiling(n, rank - 1)
                                                          : ceiling(n * rank, rank * rank - rank + 1);
  const Count widest = numbers.widths().front();
  return {"fueredi", needed, widest,
          counted(n, "node") + " with at most " + counted(rank, "NIC") + " each need a switch with at least " +
              counted(needed, "port") + " for nodes (Fueredi), but the widest has " + std::to_string(widest)};
}

bool feasible(const std::vector<Node>& nodes, const std::vector<Switch>& switches) {
  const std::vector<Bound> bounds = compute_bounds(nodes, switches);
  return std::all_of(bounds.begin(), bounds.end(), [](const Bound& bound) { return bound.holds(); });
}

/// The least k from 1 to `most` that passes; more of anything never hurts, so halving finds it.
std::optional<Count> least(Count most, const std::function<bool(Count)>& passes) {
  if (most < 1 || !passes(most)) return std::nullopt;
  Count low = 0;
  Count high = most;
  while (high - low > 1) {
    const Count middle = low + (high - low) / 2;
    (passes(middle) ? high : low) = middle;
  }
  return high;
}

/// Calls visit with the one value that all items share, when there is one.
template <typename Items, typename Value>
std::optional<Count> common(const Items& items, Value value) {
  const Count first = value(items.front());
  for (const auto& item : items) {
    if (value(item) != first) return std::nullopt;
  }
  return first;
}

std::vector<Switch> with_ports(std::vector<Switch> switches, Count more) {
  for (Switch& device : switches) device.ports.front().count += static_cast<int>(more);
  return switches;
}

std::vector<Node> with_nics(std::vector<Node> nodes, Count more) {
  for (Node& node : nodes) {
    const std::string media = node.nic_media.front();
    node.nic_media.insert(node.nic_media.end(), static_cast<std::size_t>(more), media);
  }
  return nodes;
}

const Switch& widest(const std::vector<Switch>& switches) {
  return *std::max_element(switches.begin(), switches.end(), [](const Switch& a, const Switch& b) {
    return a.usable_ports() < b.usable_ports();
  });
}

std::vector<Switch> with_switches(std::vector<Switch> switches, Count more) {
  const Switch model = widest(switches);
  switches.insert(switches.end(), static_cast<std::size_t>(more), model);
  return switches;
}

/// "7 ports on every switch instead of 5", or "2 more ports on every switch".
std::string change_message(Count add, std::optional<Count> now, const std::string& noun, const std::string& where) {
  if (now) return counted(*now + add, noun) + where + " instead of " + std::to_string(*now);
  return std::to_string(add) + " more " + counted(add, noun).substr(std::to_string(add).size() + 1) + where;
}

}  // namespace

std::vector<Bound> compute_bounds(const std::vector<Node>& nodes, const std::vector<Switch>& switches) {
  const Numbers numbers(nodes, switches);
  const Bound slots = slots_bound(numbers);
  std::vector<Bound> bounds{degree_bound(numbers)};
  if (auto schoenheim = schoenheim_bound(numbers, slots)) bounds.push_back(std::move(*schoenheim));
  bounds.push_back(slots);
  bounds.push_back(pairs_bound(numbers));
  bounds.push_back(fueredi_bound(numbers));
  return bounds;
}

std::vector<Suggestion> suggest_changes(const Spec& spec) {
  const std::vector<Node>& nodes = spec.nodes;
  const std::vector<Switch>& switches = spec.switches;
  const auto n = static_cast<Count>(nodes.size());
  const auto b = static_cast<Count>(switches.size());
  const auto ports = least(n + 1, [&](Count k) { return feasible(nodes, with_ports(switches, k)); });
  const auto nics = least(b, [&](Count k) { return feasible(with_nics(nodes, k), switches); });
  const auto more = least(4 * n, [&](Count k) { return feasible(nodes, with_switches(switches, k)); });

  std::vector<Suggestion> suggestions;
  if (ports) {
    const auto now = common(switches, [](const Switch& device) { return device.all_ports(); });
    suggestions.push_back({"ports", *ports, change_message(*ports, now, "port", " on every switch")});
  }
  if (nics) {
    const auto now = common(nodes, [](const Node& node) { return static_cast<Count>(node.nic_media.size()); });
    suggestions.push_back({"nics", *nics, change_message(*nics, now, "NIC", " in every node")});
  }
  if (more) {
    const auto alike = common(switches, [](const Switch& device) { return device.usable_ports(); });
    const std::string like = " like " + widest(switches).name;
    suggestions.push_back({"switches", *more,
                           alike ? change_message(*more, b, "switch", "")
                                 : change_message(*more, std::nullopt, "switch", like)});
  }
  return suggestions;
}

}  // namespace fnn
