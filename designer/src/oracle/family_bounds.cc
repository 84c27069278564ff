// SPDX-License-Identifier: GPL-3.0-or-later
//
// Intersecting families of sets
// -----------------------------
// In the dual view a node is the set of its switches, at most r of them, and any two sets intersect in L switches or
// more (the redundancy). How many nodes can there be when no switch holds more than w?
//
// fueredi     With x nodes per unit of width, x <= (r-1)/L + 1/r. Proof: give weights to the sets that
//             maximize their sum x while no switch carries more than 1. A set T of the solution meets
//             every other in L switches and itself in |T|, so L*x + (|T|-L)*x_T <= |T| <= r, which
//             bounds x_T by (r-L*x)/(r-L). A vertex solution has no more sets than switches that
//             carry 1, and there are at most r*x of these. The sum gives the bound. (For L = 1: Z. Furedi, Maximum
//             degree and fractional matchings in uniform hypergraphs, Combinatorica 1, 1981.)
//             For L = 1 Furedi also shows that x <= r-1 unless the sets are the lines of a projective
//             plane of order r-1. Where there is none, w >= n/(r-1).
//             Nodes with few NICs form a flat neighborhood network of their own, so the bound also applies to them.
// plane       The consequence of w < n/(r-1): the design is a weighted plane of order q = r-1. It has
//             r*r-r+1 switches, and every node r links. Every line of the plane is a type; two types
//             share one switch. The links on the r switches of a node add up to n + q*(nodes of its
//             type), so the unused ports on them are r*w - n minus a multiple of q: at least the remainder of
//             that division. In the sum over all types every port counts r times.
// mills       The fewest ports for up to 13 switches and any number of NICs, by Mills and Todorov (most_nodes.h).
// ratio       The same for more switches and a limited number of NICs, by our exhaustive search.
#include "oracle/family_bounds.h"

#include <algorithm>
#include <set>

#include "base/problem.h"
#include "oracle/most_nodes.h"

namespace fnn {
namespace {

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
  const bool bruck_ryser_applies = order % 4 == 1 || order % 4 == 2;
  return order == 10 || (bruck_ryser_applies && !is_sum_of_two_squares(order));
}

/// The maximum number of links of a node of a kind.
Count rank_of(const NodeKind& kind) { return static_cast<Count>(kind.widths.size()); }

Count fewest_ports(Count nodes, Count rank, Count shared) {
  if (shared == 1 && rank > 2 && has_no_plane(rank - 1)) return ceiling(nodes, rank - 1);
  return ceiling(nodes * rank * shared, rank * (rank - 1) + shared);
}

Bound fueredi_bound(const BoundInput& input) {
  std::set<Count> ranks;
  for (const NodeKind& kind : input.kinds()) ranks.insert(std::max<Count>(rank_of(kind), 1));
  Bound tightest{"fueredi", 0, input.widths().front(), ""};
  for (const Count rank : ranks) {
    Count nodes = 0;
    for (const NodeKind& kind : input.kinds()) nodes += rank_of(kind) <= rank ? kind.count : 0;
    const Count needed = fewest_ports(nodes, rank, input.redundancy());
    if (needed <= tightest.needed) continue;
    tightest.needed = needed;
    tightest.message = counted(nodes, "node") + " with at most " + counted(rank, "NIC") +
                       " each need a switch with at least " + counted(needed, "port") +
                       " for nodes (Fueredi), but the widest has " + std::to_string(tightest.available);
  }
  return tightest;
}

/// Applies only where the design must be a plane.
void append_plane_bound(const BoundInput& input, std::vector<Bound>& bounds) {
  Count rank = 0;
  Count fewest = input.nodes();
  for (const NodeKind& kind : input.kinds()) {
    rank = std::max(rank, rank_of(kind));
    fewest = std::min(fewest, rank_of(kind));
  }
  const Count width = input.widths().front();
  const Count nodes = input.nodes();
  if (input.redundancy() > 1 || rank < 3 || width * (rank - 1) >= nodes) return;
  const std::string why = counted(nodes, "node") + " with " + counted(rank, "NIC") + " on switches with " +
                          counted(width, "port") + " must be wired as a projective plane of order " +
                          std::to_string(rank - 1);
  if (fewest < rank) {
    bounds.push_back({"plane", rank, fewest, why + ": every node needs " + counted(rank, "link") +
                                                 ", but one has at most " + std::to_string(fewest)});
    return;
  }
  const Count lines = rank * (rank - 1) + 1;
  const auto switches = static_cast<Count>(input.widths().size());
  if (switches < lines) {
    bounds.push_back({"plane", lines, switches,
                      why + " on " + counted(lines, "switch") + ", but there are only " + std::to_string(switches)});
    return;
  }
  const Count unused = std::max<Count>(0, rank * width - nodes) % (rank - 1);
  bounds.push_back({"plane", lines * unused, rank * (lines * width - rank * nodes),
                    why + ", where the switches of a node must leave " + counted(unused, "port") +
                        " unused; there are not so many unused ports"});
}

void append_ratio_bound(const BoundInput& input, std::vector<Bound>& bounds) {
  Count rank = 0;
  for (const NodeKind& kind : input.kinds()) rank = std::max(rank, rank_of(kind));
  const std::size_t switches = input.widths().size();
  const Count widest = input.widths().front();
  const auto most = most_nodes(rank, switches, widest);
  if (!most) return;
  const NodesPerPort ratio = *most_nodes_per_port(rank, switches);
  Count needed = ceiling(input.nodes() * ratio.ports, ratio.nodes);
  if (needed <= widest && *most < input.nodes()) needed = widest + 1;
  const bool is_mills = switches < kFewestOfRatio;
  std::string nodes = counted(input.nodes(), "node");
  if (!is_mills) nodes += " with at most " + counted(rank, "NIC");
  bounds.push_back({is_mills ? "mills" : "ratio", needed, widest,
                    nodes + " on " + counted(static_cast<Count>(switches), "switch") + " need at least " +
                        counted(needed, "port") + " for nodes on one (" +
                        (is_mills ? "Mills" : "exhaustive search") + "), but the widest has " + std::to_string(widest)});
}

}  // namespace

void append_family_bounds(const BoundInput& input, std::vector<Bound>& bounds) {
  bounds.push_back(fueredi_bound(input));
  append_plane_bound(input, bounds);
  append_ratio_bound(input, bounds);
}

}  // namespace fnn
