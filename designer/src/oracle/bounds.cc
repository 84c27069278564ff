// SPDX-License-Identifier: GPL-3.0-or-later
//
// Counting bounds
// ---------------
// n nodes, node i with r_i NICs, switches with w_j ports that nodes may use. Node i must share L
// switches (the redundancy) with each of d_i peers; when every pair is wanted, d_i is n - 1.
//
// redundancy  A node that must share L switches with a peer is on at least L switches.
// degree      A node on switch j meets at most w_j - 1 others there, and at most d_i peers. Over its
//             r_i widest switches it must meet L * d_i.
// slots       The converse: each node needs at least that many links, and every link takes a
//             port. With equal widths this is Schoenheim's bound, b >= n/w * (L(n-1)/(w-1)), each
//             fraction rounded up; it is then also given as "schoenheim", counted in switches.
// pairs       A switch with s nodes covers at most s(s-1)/2 pairs, and at most the wanted pairs of its
//             nodes. The number of links is at most that of NICs; links on the widest switches cover most.
//
// family_bounds.cc adds bounds for intersecting families of sets, rank_bounds.cc bounds from linear algebra. Patterns
// that want every pair of some nodes require a flat neighborhood of these nodes: the bounds then also apply to such a
// clique.
#include "oracle/bounds.h"

#include <algorithm>
#include <optional>

#include "base/problem.h"
#include "oracle/bound_input.h"
#include "oracle/cliques.h"
#include "oracle/family_bounds.h"
#include "oracle/rank_bounds.h"

namespace fnn {
namespace {

/// The most meetings with peers that a node can have on its `links` best switches.
Count meetings_of(const NodeKind& kind, std::size_t links) {
  Count met = 0;
  for (std::size_t k = 0; k < links; ++k) met += std::clamp<Count>(kind.widths[k] - 1, 0, kind.peers);
  return met;
}

std::string times(Count redundancy) {
  return redundancy == 1 ? "" : " on " + counted(redundancy, "switch") + " each";
}

/// "5 others", or the number that its patterns want.
std::string peers_text(const BoundInput& input, const NodeKind& kind) {
  if (input.is_universal()) return "there are " + std::to_string(kind.peers) + " others";
  return "its patterns want " + std::to_string(kind.peers);
}

Bound redundancy_bound(const BoundInput& input) {
  const NodeKind* poorest = nullptr;
  for (const NodeKind& kind : input.kinds()) {
    if (kind.peers > 0 && (poorest == nullptr || kind.widths.size() < poorest->widths.size())) poorest = &kind;
  }
  const Count links = poorest == nullptr ? input.redundancy() : static_cast<Count>(poorest->widths.size());
  const std::string name = poorest == nullptr ? "" : poorest->node->name;
  return {"redundancy", input.redundancy(), links,
          name + " can be on at most " + counted(links, "switch") + ", but must share " +
              std::to_string(input.redundancy()) + " with others"};
}

Bound degree_bound(const BoundInput& input) {
  const auto slack = [&](const NodeKind& kind) {
    return meetings_of(kind, kind.widths.size()) - input.redundancy() * kind.peers;
  };
  const NodeKind* poorest = &input.kinds().front();
  for (const NodeKind& kind : input.kinds()) {
    if (slack(kind) < slack(*poorest)) poorest = &kind;
  }
  const Count met = meetings_of(*poorest, poorest->widths.size());
  return {"degree", input.redundancy() * poorest->peers, met,
          poorest->node->name + " with " + counted(static_cast<Count>(poorest->node->nic_media.size()), "NIC") +
              " can share a switch with at most " + counted(met, "node") + (input.redundancy() == 1 ? "" : " over all switches") +
              ", but " + peers_text(input, *poorest) + times(input.redundancy())};
}

/// The fewest links with which a node meets its peers; all possible links when these do not suffice.
Count fewest_links(const BoundInput& input, const NodeKind& kind) {
  if (kind.peers == 0) return 0;
  std::size_t links = std::min(static_cast<std::size_t>(input.redundancy()), kind.widths.size());
  while (links < kind.widths.size() && meetings_of(kind, links) < input.redundancy() * kind.peers) ++links;
  return static_cast<Count>(links);
}

Bound slots_bound(const BoundInput& input) {
  Count needed = 0;
  Count least = input.nodes();
  for (const NodeKind& kind : input.kinds()) {
    const Count links = fewest_links(input, kind);
    needed += kind.count * links;
    least = std::min(least, links);
  }
  const std::string whom = input.is_universal() ? " to meet all others" : " to meet whom its patterns want";
  return {"slots", needed, input.ports(),
          "every node needs at least " + counted(least, "link") + whom + times(input.redundancy()) + ", " +
              counted(needed, "port") + " in all, but the switches have only " + std::to_string(input.ports()) +
              " for nodes"};
}

/// The slots bound in whole switches, when all widths are equal.
std::optional<Bound> schoenheim_bound(const BoundInput& input, const Bound& slots) {
  const Count width = input.widths().front();
  if (width < 2 || input.widths().back() != width) return std::nullopt;
  const Count needed = ceiling(slots.needed, width);
  const Count available = static_cast<Count>(input.widths().size());
  return Bound{"schoenheim", needed, available,
               counted(input.nodes(), "node") + " need at least " + counted(needed, "switch") + " with " +
                   counted(width, "port") + " for nodes (Schoenheim: " + counted(slots.needed, "link") +
                   " in all), but there are only " + std::to_string(available)};
}

/// The most pairs that switches cover when every pair counts. A node covers more pairs on a wide switch than
/// elsewhere.
Count all_pairs_covered(const BoundInput& input) {
  Count nics = 0;
  for (const NodeKind& kind : input.kinds()) nics += kind.count * static_cast<Count>(kind.widths.size());
  Count covered = 0;
  for (const Count width : input.widths()) {
    const Count on_switch = std::clamp<Count>(width, 0, nics);
    nics -= on_switch;
    covered += on_switch * (on_switch - 1) / 2;
  }
  return covered;
}

/// The most wanted pairs among the nodes that fit a switch: each node has at most all of its peers there, and at
/// most all other nodes of the switch.
Count wanted_pairs_covered(const BoundInput& input) {
  std::vector<Count> peers;
  for (const NodeKind& kind : input.kinds()) {
    peers.insert(peers.end(), static_cast<std::size_t>(kind.count), kind.peers);
  }
  std::sort(peers.rbegin(), peers.rend());
  Count covered = 0;
  for (const Count width : input.widths()) {
    Count ends = 0;
    for (Count i = 0; i < width; ++i) ends += std::min(peers[static_cast<std::size_t>(i)], width - 1);
    covered += ends / 2;
  }
  return covered;
}

Bound pairs_bound(const BoundInput& input) {
  const Count covered = input.is_universal() ? all_pairs_covered(input) : wanted_pairs_covered(input);
  return {"pairs", input.meetings(), covered,
          "all switches together cover at most " + counted(covered, "pair") + " of nodes, but there are " +
              std::to_string(input.meetings()) + (input.is_universal() ? "" : " that patterns want") +
              (input.redundancy() == 1 ? "" : ", counted as often as they must be covered")};
}

std::vector<Bound> plain_bounds(const BoundInput& input) {
  const Bound slots = slots_bound(input);
  std::vector<Bound> bounds;
  if (input.redundancy() > 1) bounds.push_back(redundancy_bound(input));
  bounds.push_back(degree_bound(input));
  if (auto schoenheim = schoenheim_bound(input, slots)) bounds.push_back(std::move(*schoenheim));
  bounds.push_back(slots);
  bounds.push_back(pairs_bound(input));
  if (input.is_universal()) {
    append_family_bounds(input, bounds);
    append_rank_bounds(input, bounds);
  }
  return bounds;
}

/// The tightest bound on the nodes of a clique, as a bound on the whole spec.
std::optional<Bound> clique_bound(const std::vector<Node>& nodes, const std::vector<Switch>& switches,
                                  const Demand& demand) {
  const std::vector<std::size_t> clique = wanted_clique(demand);
  if (clique.size() < 3) return std::nullopt;
  std::vector<Node> members;
  for (const std::size_t node : clique) members.push_back(nodes[node]);
  const std::vector<Bound> bounds =
      plain_bounds(BoundInput(members, switches, Demand::universal(members.size(), demand.redundancy())));
  const auto tightest = std::min_element(bounds.begin(), bounds.end(), [](const Bound& a, const Bound& b) {
    return a.available * b.needed < b.available * a.needed;
  });
  return Bound{"clique", tightest->needed, tightest->available,
               members.front().name + " ... " + members.back().name + ", " +
                   counted(static_cast<Count>(members.size()), "node") +
                   ", are to meet all of each other: " + tightest->message};
}

}  // namespace

std::vector<Bound> compute_bounds(const std::vector<Node>& nodes, const std::vector<Switch>& switches,
                                  const Demand& demand) {
  std::vector<Bound> bounds = plain_bounds(BoundInput(nodes, switches, demand));
  if (demand.is_universal()) return bounds;
  if (auto clique = clique_bound(nodes, switches, demand)) bounds.push_back(std::move(*clique));
  return bounds;
}

std::vector<Bound> compute_bounds(const Spec& spec) { return compute_bounds(spec.nodes, spec.switches, Demand(spec)); }

}  // namespace fnn
