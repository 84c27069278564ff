// SPDX-License-Identifier: GPL-3.0-or-later
//
// Bounds from the least number of switches
// ----------------------------------------
// sizes   At least as many switches are in use as the least shares add up to, B. A switch with s nodes has
//         s - 1 >= L(n - 1) - (r - 1)(w - 1), as one of its nodes needs the rest elsewhere. B switches of at least so many
//         nodes cannot all be full: for a given number of links, as many as possible are full and the others as small as
//         possible when the nodes meet most often. If there are too few links for so many nodes on each, none is enough.
//
// determinant  With as many switches as nodes, and every port needed, N is square: det(N * N') is the square of an
//         integer. With excess 0 all numbers outside the diagonal of N * N' are L; with excess 1 the nodes are in pairs
//         that share L + 1. The eigenvalues are then known (S. S. Shrikhande 1950; R. C. Bose and W. S. Connor 1952).
#include "oracle/size_bounds.h"

#include <algorithm>
#include <string>

#include "base/problem.h"

namespace fnn {
namespace {

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
  Count most_links = 0;
  for (const NodeGroup& group : input.groups) {
    links += group.count * group.degrees.back().links;
    most_links = std::max(most_links, group.degrees.back().links);
  }
  links = std::min(links, ports);
  const Count most = input.widths.front();
  const Count least = std::max<Count>(2, input.redundancy * (input.nodes - 1) - (most_links - 1) * (most - 1) + 1);
  const Count shares = std::max(least_shares(input, ShareRule::kFisher), least_shares(input, ShareRule::kRank));
  const Count used = ceiling(shares, kShareUnit);
  return {used, least, most, links, most_meetings(used, least, most, links)};
}

bool is_square(Count number) {
  Count root = 0;
  while (root * root < number) ++root;
  return root * root == number;
}

/// Where all ports of as many switches as nodes are needed: the number of links of every node, and its excess.
std::optional<Degree> square_incidence(const RankInput& input) {
  if (input.switches() != input.nodes || input.widths.front() != input.widths.back()) return std::nullopt;
  const Degree fewest = input.groups.front().degrees.front();  // of every node, as all widths are equal
  if (fewest.links != input.widths.front()) return std::nullopt;
  return fewest;
}

}  // namespace

std::optional<Bound> sizes_bound(const RankInput& input, Count ports, Count covered) {
  const Sizes sizes = sizes_of(input, ports);
  if (!sizes.applies() || sizes.meetings / 2 >= covered) return std::nullopt;
  const std::string sizes_text = "at least " + counted(sizes.used, "switch") + " must have " +
                                 std::to_string(sizes.least) + " to " + counted(sizes.most, "node") + " each";
  if (sizes.lacks_links()) {
    const Count needed = sizes.used * sizes.least;
    return Bound{"sizes", needed, sizes.links,
                 sizes_text + ", " + counted(needed, "link") + " or more in all, but there are NICs and ports for only " +
                     std::to_string(sizes.links)};
  }
  const Count needed = input.redundancy * input.nodes * (input.nodes - 1) / 2;
  return Bound{"sizes", needed, sizes.meetings / 2,
               sizes_text + "; with the NICs and ports that there are they cover at most " +
                   counted(sizes.meetings / 2, "pair") + " of nodes, but there are " + std::to_string(needed) +
                   (input.redundancy == 1 ? "" : ", counted as often as they must be covered")};
}

bool sizes_allow(const RankInput& input, Count links) {
  const Sizes sizes = sizes_of(input, links);
  return !sizes.applies() || sizes.meetings >= input.redundancy * input.nodes * (input.nodes - 1);
}

std::optional<Bound> determinant_bound(const RankInput& input) {
  const std::optional<Degree> degree = square_incidence(input);
  if (!degree || degree->excess > 1) return std::nullopt;
  const Count diagonal = degree->links - input.redundancy;
  const Count half = input.nodes / 2;
  // The eigenvalue links * width is a square. Of the others, those with an odd multiplicity count.
  Count odd = input.nodes % 2 == 0 ? diagonal : 1;
  if (degree->excess == 1) odd = half % 2 == 0 ? diagonal + 1 : diagonal - 1;
  if (is_square(odd)) return std::nullopt;
  return Bound{"determinant", input.switches() + 1, input.switches(),
               counted(input.nodes, "node") + " need more than " + counted(input.switches(), "switch") + " with " +
                   counted(degree->links, "port") +
                   " for nodes: the determinant of the incidence matrix would not be an integer, as its square would be " +
                   std::to_string(odd) + " times a square"};
}

}  // namespace fnn
