// SPDX-License-Identifier: GPL-3.0-or-later
//
// Bounds from the rank of the incidence matrix
// --------------------------------------------
// N has a row per node and a column per switch, 1 where a node is on a switch. N * N' counts the switches that two nodes
// share, so A = N * N' - L has no negative number outside its diagonal (L: the redundancy). Its diagonal is d - L for a
// node with d links, and the other numbers of its row add up to at most its excess
//
//     e = (sum of w_j - 1 over its switches) - L * (n - 1),
//
// by which it meets others more often than necessary. N has rank b at most, b being the number of switches, and A is
// N * N' minus a matrix without negative eigenvalues: A has at most b positive eigenvalues. With few links e is small,
// A is almost diagonal, and then it has many of them. A node counts as a share of a positive eigenvalue:
//
// fisher  A node with e < d - L counts 1, as A is positive definite on such nodes (Gershgorin); others count 0.
// rank    With e = k(d - L) + m, m < d - L, a node counts 1 / (1 + k + (m / (d - L))^2). Proof: for numbers c of any size
//         the square of sum c * A_ii is at most b times the sum of the squares of all numbers in C * A * C (Ky Fan and
//         Hoffman 1954), and no number outside the diagonal is above d - L. A blown-up projective plane attains this.
//
// All shares together are at most b. More links lower the share of a node and take ports: with a multiplier u >= 0, every
// design has at least as many links as the sum over all nodes of the least (d + u * share(d)), minus u * b. One with the
// best u is reported; the certificate names it.
//
// sizes   At least as many switches are in use as the least shares add up to, B. A switch with s nodes has
//         s - 1 >= L(n - 1) - (r - 1)(w - 1), as one of its nodes needs the rest elsewhere. B switches of at least so many
//         nodes cannot all be full: for a given number of links, as many as possible are full and the others as small as
//         possible when the nodes meet most often. If there are too few links for so many nodes on each, none is enough.
//
// determinant  With as many switches as nodes, and every port needed, N is square: det(N * N') is the square of an
//         integer. With excess 0 all numbers outside the diagonal of N * N' are L; with excess 1 the nodes are in pairs
//         that share L + 1. The eigenvalues are then known (S. S. Shrikhande 1950; R. C. Bose and W. S. Connor 1952).
//
// The shares are rounded down to multiples of 1 / kUnit.
#include "oracle/rank_bounds.h"

#include <algorithm>
#include <optional>

#include "base/problem.h"

namespace fnn {
namespace {

constexpr Count kUnit = Count{1} << 20;
constexpr Count kSteps = 16;                      // the multiplier is a multiple of 1 / kSteps
constexpr Count kMostMultiplier = Count{1} << 24;  // in these steps; sums stay below 2^62

/// A number of links that a node may have.
struct Choice {
  Count links;
  Count excess;  ///< at most
};

/// Equivalent nodes.
struct Chooser {
  Count count;
  std::vector<Choice> choices;  ///< with which a node can meet all others, fewest links first
};

struct RankInput {
  Count nodes;
  Count redundancy;
  std::vector<Count> widths;  ///< of switches for at least two nodes, widest first
  std::vector<Chooser> choosers;

  Count switches() const { return static_cast<Count>(widths.size()); }
};

using Share = Count (*)(const Choice& choice, Count redundancy);

Count fisher_share(const Choice& choice, Count redundancy) {
  return choice.excess < choice.links - redundancy ? kUnit : 0;
}

Count rank_share(const Choice& choice, Count redundancy) {
  const Count diagonal = choice.links - redundancy;
  if (diagonal == 0) return 0;
  const Count whole = choice.excess / diagonal;
  const Count rest = choice.excess % diagonal;
  return kUnit * diagonal * diagonal / ((1 + whole) * diagonal * diagonal + rest * rest);
}

/// All numbers of links on the best switches that let a node meet all others. No width is above the number of nodes, so
/// these are at least the redundancy.
std::vector<Choice> choices_of(const std::vector<Count>& widths, Count redundancy, Count peers) {
  std::vector<Choice> choices;
  Count excess = -redundancy * peers;
  Count links = 0;
  for (const Count width : widths) {
    if (width < 2) break;
    excess += width - 1;
    ++links;
    if (excess >= 0) choices.push_back({links, excess});
  }
  return choices;
}

RankInput rank_input(const BoundInput& input) {
  RankInput result{input.nodes(), input.redundancy(), {}, {}};
  for (const Count width : input.widths()) {
    if (width >= 2) result.widths.push_back(width);
  }
  for (const NodeKind& kind : input.kinds()) {
    result.choosers.push_back({kind.count, choices_of(kind.widths, input.redundancy(), kind.peers)});
  }
  return result;
}

bool all_can_choose(const RankInput& input) {
  return std::all_of(input.choosers.begin(), input.choosers.end(), [](const Chooser& one) { return !one.choices.empty(); });
}

/// The least shares of all nodes.
Count least_shares(const RankInput& input, Share share) {
  Count sum = 0;
  for (const Chooser& chooser : input.choosers) {
    Count least = kUnit;
    for (const Choice& choice : chooser.choices) least = std::min(least, share(choice, input.redundancy));
    sum += chooser.count * least;
  }
  return sum;
}

/// The links that a multiplier proves to be necessary.
struct Relaxation {
  Count multiplier;  ///< in steps
  Count links;
  Count shares;      ///< of the choices that attain the minimum
};

Relaxation relax(const RankInput& input, Share share, Count multiplier) {
  Count cost = -multiplier * input.switches() * kUnit;
  Count shares = 0;
  for (const Chooser& chooser : input.choosers) {
    Count least = -1;
    Count of_least = 0;
    for (const Choice& choice : chooser.choices) {
      const Count own = share(choice, input.redundancy);
      const Count here = choice.links * kSteps * kUnit + multiplier * own;
      if (least >= 0 && here >= least) continue;
      least = here;
      of_least = own;
    }
    cost += chooser.count * least;
    shares += chooser.count * of_least;
  }
  return {multiplier, ceiling(std::max<Count>(cost, 0), kSteps * kUnit), shares};
}

/// The cost is a concave function of the multiplier, so the best one is where the shares come down to the number of
/// switches.
Relaxation best_relaxation(const RankInput& input, Share share) {
  Count low = 0;
  Count high = kMostMultiplier;
  while (high - low > 1) {
    const Count middle = low + (high - low) / 2;
    (relax(input, share, middle).shares > input.switches() * kUnit ? low : high) = middle;
  }
  const Relaxation below = relax(input, share, low);
  const Relaxation above = relax(input, share, high);
  return below.links >= above.links ? below : above;
}

Bound links_bound(const RankInput& input, const char* name, const char* source, Share share) {
  const Count shares = least_shares(input, share);
  if (shares > input.switches() * kUnit) {
    const Count needed = ceiling(shares, kUnit);
    return {name, needed, input.switches(),
            counted(input.nodes, "node") + " with so few NICs need at least " + counted(needed, "switch") + " (" + source +
                "), but there are only " + std::to_string(input.switches())};
  }
  const Relaxation best = best_relaxation(input, share);
  Count ports = 0;
  for (const Count width : input.widths) ports += width;
  return {name, best.links, ports,
          counted(input.nodes, "node") + " on " + counted(input.switches(), "switch") + " need at least " +
              counted(best.links, "link") + " (" + source + "), but the switches have only " + counted(ports, "port") +
              " for nodes",
          Multiplier{best.multiplier, kSteps}};
}

/// The sum of s * (s - 1) over `used` switches of `least` to `most` nodes that have `links` in all, at most.
Count most_meetings(Count used, Count least, Count most, Count links) {
  const Count free = links - used * least;
  if (free < 0 || least > most) return 0;
  if (least == most) return used * most * (most - 1);
  const Count full = free / (most - least);
  if (full >= used) return used * most * (most - 1);
  const Count partial = least + free % (most - least);
  return full * most * (most - 1) + partial * (partial - 1) + (used - full - 1) * least * (least - 1);
}

struct Sizes {
  Count used;      ///< switches, at least
  Count least;     ///< nodes on a switch
  Count most;
  Count links;     ///< at most
  Count meetings;  ///< ordered pairs of nodes on the same switch, at most

  bool lacks_links() const { return used * least > links; }
  /// Whether more switches are in use than the links would fill.
  bool applies() const { return used * most >= links; }
};

Sizes sizes_of(const RankInput& input, Count ports) {
  Count links = 0;
  Count rank = 0;
  for (const Chooser& chooser : input.choosers) {
    links += chooser.count * chooser.choices.back().links;
    rank = std::max(rank, chooser.choices.back().links);
  }
  links = std::min(links, ports);
  const Count most = input.widths.front();
  const Count least = std::max<Count>(2, input.redundancy * (input.nodes - 1) - (rank - 1) * (most - 1) + 1);
  const Count used = ceiling(std::max(least_shares(input, fisher_share), least_shares(input, rank_share)), kUnit);
  return {used, least, most, links, most_meetings(used, least, most, links)};
}

Bound sizes_bound(const RankInput& input, const Sizes& sizes) {
  const std::string sizes_text = "at least " + counted(sizes.used, "switch") + " must have " +
                                 std::to_string(sizes.least) + " to " + counted(sizes.most, "node") + " each";
  if (sizes.lacks_links()) {
    const Count needed = sizes.used * sizes.least;
    return {"sizes", needed, sizes.links,
            sizes_text + ", " + counted(needed, "link") + " or more in all, but there are NICs and ports for only " +
                std::to_string(sizes.links)};
  }
  const Count needed = input.redundancy * input.nodes * (input.nodes - 1) / 2;
  return {"sizes", needed, sizes.meetings / 2,
          sizes_text + "; with the NICs and ports that there are they cover at most " +
              counted(sizes.meetings / 2, "pair") + " of nodes, but there are " + std::to_string(needed) +
              (input.redundancy == 1 ? "" : ", counted as often as they must be covered")};
}

bool is_square(Count number) {
  Count root = 0;
  while (root * root < number) ++root;
  return root * root == number;
}

/// Where all ports of as many switches as nodes are needed: the number of links of every node, and its excess.
std::optional<Choice> square_incidence(const RankInput& input) {
  if (input.switches() != input.nodes || input.widths.front() != input.widths.back()) return std::nullopt;
  const Choice fewest = input.choosers.front().choices.front();  // of every node, as all widths are equal
  if (fewest.links != input.widths.front()) return std::nullopt;
  return fewest;
}

/// Nothing where the determinant is the square of an integer, or not known.
std::optional<Bound> determinant_bound(const RankInput& input) {
  const std::optional<Choice> choice = square_incidence(input);
  if (!choice || choice->excess > 1) return std::nullopt;
  const Count diagonal = choice->links - input.redundancy;
  const Count half = input.nodes / 2;
  // The eigenvalue links * width is a square. Of the others, those with an odd multiplicity count.
  Count odd = input.nodes % 2 == 0 ? diagonal : 1;
  if (choice->excess == 1) odd = half % 2 == 0 ? diagonal + 1 : diagonal - 1;
  if (is_square(odd)) return std::nullopt;
  return Bound{"determinant", input.switches() + 1, input.switches(),
               counted(input.nodes, "node") + " need more than " + counted(input.switches(), "switch") + " with " +
                   counted(choice->links, "port") +
                   " for nodes: the determinant of the incidence matrix would not be an integer, as its square would be " +
                   std::to_string(odd) + " times a square"};
}

RankInput alike(Count nodes, Count nics, Count ports, Count switches) {
  const Count width = std::min(ports, nodes);
  const std::vector<Count> own(static_cast<std::size_t>(nics), width);
  return {nodes, 1, std::vector<Count>(static_cast<std::size_t>(switches), width), {{nodes, choices_of(own, 1, nodes - 1)}}};
}

Count schoenheim_switches(Count nodes, Count width) { return ceiling(nodes * ceiling(nodes - 1, width - 1), width); }

const Bound& named(const std::vector<Bound>& bounds, const char* name) {
  return *std::find_if(bounds.begin(), bounds.end(), [&](const Bound& bound) { return bound.name == name; });
}

}  // namespace

void append_rank_bounds(const BoundInput& input, std::vector<Bound>& bounds) {
  const RankInput ranks = rank_input(input);
  if (input.nodes() < 3 || ranks.widths.empty() || !all_can_choose(ranks)) return;
  const Count pairs = named(bounds, "pairs").available;
  const Count slots = named(bounds, "slots").needed;
  const Sizes sizes = sizes_of(ranks, input.ports());
  const auto append = [&](Bound bound) {
    if (bound.needed > slots || !bound.holds()) bounds.push_back(std::move(bound));
  };
  if (ranks.switches() < ranks.nodes) {  // no share is above 1
    append(links_bound(ranks, "fisher", "Fisher", fisher_share));
    append(links_bound(ranks, "rank", "rank of the incidence matrix", rank_share));
  }
  if (sizes.applies() && sizes.meetings / 2 < pairs) bounds.push_back(sizes_bound(ranks, sizes));
  if (auto determinant = determinant_bound(ranks)) bounds.push_back(std::move(*determinant));
}

bool rank_bounds_allow(Count nodes, Count nics, Count ports) {
  const RankInput input = alike(nodes, nics, ports, 1);
  if (nodes < 3 || !all_can_choose(input)) return nodes < 3;
  const Sizes sizes = sizes_of(input, nodes * nics);
  return !sizes.applies() || sizes.meetings >= nodes * (nodes - 1);
}

Count fewest_switches(Count nodes, Count nics, Count ports) {
  if (nodes < 3) return 1;
  if (!rank_bounds_allow(nodes, nics, ports)) return -1;
  for (Count switches = schoenheim_switches(nodes, std::min(ports, nodes));; ++switches) {
    const RankInput input = alike(nodes, nics, ports, switches);
    const bool enough = links_bound(input, "", "", fisher_share).holds() && links_bound(input, "", "", rank_share).holds();
    if (enough && !determinant_bound(input)) return switches;
  }
}

}  // namespace fnn
