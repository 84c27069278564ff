// SPDX-License-Identifier: GPL-3.0-or-later
//
// The problem
// -----------
// Types T of a family, switches j of width w_j: find whole numbers x_T >= 0 that add up to n with sum of x_T over the
// types on switch j <= w_j. This is an integer program, but an easy one.
//
// Planes
// ------
// Take the plane of order q, with v = q^2 + q + 1 types and as many switches, each type on q + 1
// switches, each switch with q + 1 types. Give each type the weight
//
//   x_T = K - (sum of t_j over the switches j that T is on)
//
// for any whole numbers K and t_j. Two switches share one type, so switch j carries K(q+1) - sum(t) - q*t_j.
// With c = K(q+1) - sum(t), this fits its width when t_j >= (c - w_j) / q. All nodes together are
// v*K - (q+1)*sum(t). Each c determines the least t_j and their cost in nodes; c + q gives the same result as c,
// so q values of c suffice.
//
// Example: Fano plane (q = 2), all widths 28. c = 28 needs t_j = 0, but K = 28 / 3 is not an integer: sum(t) must
// increase by 2. K = 10, two switches with t_j = 1: 70 - 6 = 64 nodes, KLAT2.
//
// With equal widths this is optimal. Let type P have x_P = x nodes. The q + 1 switches of P hold every node once and
// P's own nodes q times more: n + q*x <= (q+1)*w, and some type has at least n/v nodes, rounded up.
// Removing t = -w mod (q+1) switches, no three of them on a type, meets that bound whenever w > q + 1. A cyclic plane
// has q + 1 such switches, the negatives of its difference set (D. Jungnickel and K. Vedder, On the geometry of planar
// difference sets, 1984).
//
// Other families
// --------------
// Planes start with the solution above, designs that were found with theirs, other families with no nodes. A greedy step
// adds nodes where they cause the least excess, or removes nodes where that reduces it most. Tabu search then moves
// single nodes off the fullest switches while any switch is overfull: a type that lost or gained a node is not chosen
// again for a few moves.
#include "oracle/blow_ups.h"

#include <algorithm>
#include <numeric>

#include "base/random.h"

namespace fnn {
namespace {

using std::size_t;

constexpr int kMaxMoves = 4000;
constexpr int kTabuTenure = 6;  // moves for which a type stays unchanged

long long ceiling(long long numerator, long long denominator) {
  return numerator > 0 ? (numerator + denominator - 1) / denominator : -(-numerator / denominator);
}

size_t at(int index) { return static_cast<size_t>(index); }

/// A family during assignment of nodes to its types.
class BlowUpSearch {
 public:
  BlowUpSearch(const Family& family, const std::vector<int>& widths)
      : family_(family), room_(widths.begin(), widths.end()), copies_(family.types.size(), 0),
        tabu_until_(family.types.size(), 0) {}

  void add(size_t type, int nodes) {
    copies_[type] += nodes;
    count_ += nodes;
    for (const int device : family_.types[type]) room_[at(device)] -= nodes;
  }

  int count() const { return count_; }

  long long excess() const {
    return std::accumulate(room_.begin(), room_.end(), 0LL,
                           [](long long sum, long long room) { return sum + std::max(0LL, -room); });
  }

  void add_where_it_fits_best() { add(best(Direction::kIn), 1); }
  void remove_where_it_helps_most() { add(best(Direction::kOut), -1); }

  /// Tabu search: moves one node at a time until everything fits or the move limit is reached; keeps the best state.
  void tabu_search() {
    std::vector<int> best_copies = copies_;
    long long least = excess();
    for (now_ = 1; now_ <= kMaxMoves && least > 0; ++now_) {
      const size_t from = best(Direction::kOut);
      add(from, -1);
      tabu_until_[from] = now_ + kTabuTenure;
      const size_t to = best(Direction::kIn);
      add(to, 1);
      tabu_until_[to] = now_ + kTabuTenure / 2;
      if (const long long excess_now = excess(); excess_now < least) {
        least = excess_now;
        best_copies = copies_;
      }
    }
    for (size_t type = 0; type < copies_.size(); ++type) add(type, best_copies[type] - copies_[type]);
  }

  BlowUp result() const { return {copies_, excess()}; }

 private:
  enum class Direction { kIn, kOut };

  struct Merit {
    long long excess;  ///< added, or removed
    long long room;    ///< on the switches of the type
    bool operator<(const Merit& other) const {
      return excess != other.excess ? excess < other.excess : room > other.room;
    }
    bool operator==(const Merit&) const = default;
  };

  Merit merit(size_t type, Direction direction) const {
    Merit merit{0, 0};
    for (const int device : family_.types[type]) {
      const long long room = room_[at(device)];
      if (direction == Direction::kIn && room <= 0) ++merit.excess;
      if (direction == Direction::kOut && room < 0) --merit.excess;
      merit.room += direction == Direction::kIn ? room : -room;
    }
    return merit;
  }

  /// Random ties keep moves from cycling; a tabu type is the last resort.
  size_t best(Direction direction) {
    size_t chosen = copies_.size();
    bool chosen_is_tabu = true;
    Merit least{0, 0};
    size_t ties = 1;
    for (size_t type = 0; type < copies_.size(); ++type) {
      if (direction == Direction::kOut && copies_[type] == 0) continue;
      const Merit here = merit(type, direction);
      const bool is_tabu = tabu_until_[type] > now_;
      const bool first = chosen == copies_.size();
      const bool better = first || (is_tabu == chosen_is_tabu ? here < least : chosen_is_tabu);
      const bool tie = !better && is_tabu == chosen_is_tabu && here == least;
      ties = better ? 1 : tie ? ties + 1 : ties;
      if (!better && !(tie && random_.one_in(ties))) continue;
      chosen = type;
      chosen_is_tabu = is_tabu;
      least = here;
    }
    return chosen;
  }

  const Family& family_;
  std::vector<long long> room_;
  std::vector<int> copies_;
  std::vector<int> tabu_until_;
  int count_ = 0;
  int now_ = 0;
  Random random_{1};
};

/// The weights of the essay above: K, and t_j per switch.
struct PlaneWeights {
  long long each = 0;
  std::vector<long long> removed;
  long long nodes = 0;
};

/// An oval: switches of which no three are on a type. A cyclic plane has order + 1 of them, the negatives of its
/// difference set.
std::vector<bool> oval_of(const Family& plane) {
  std::vector<bool> oval(at(plane.switches), false);
  for (const int member : plane.types.front()) oval[at((plane.switches - member) % plane.switches)] = true;
  return oval;
}

/// Greedily increases `removed` by `more` in total, so that the smallest type keeps many nodes. Each step takes the
/// switch whose types have lost least; of equals, one of the oval, then the one that was taken least often.
void remove_more(const Family& plane, PlaneWeights& weights, long long more) {
  const std::vector<bool> oval = oval_of(plane);
  std::vector<long long> lost(plane.types.size(), 0);
  for (size_t type = 0; type < lost.size(); ++type) {
    for (const int device : plane.types[type]) lost[type] += weights.removed[at(device)];
  }
  struct Price {
    long long worst;
    bool outside;
    int times_removed;
    auto operator<=>(const Price&) const = default;
  };
  std::vector<int> times_removed(at(plane.switches), 0);
  for (; more > 0; --more) {
    std::vector<Price> prices;
    for (size_t device = 0; device < oval.size(); ++device) prices.push_back({0, !oval[device], times_removed[device]});
    for (size_t type = 0; type < lost.size(); ++type) {
      for (const int device : plane.types[type]) {
        prices[at(device)].worst = std::max(prices[at(device)].worst, lost[type]);
      }
    }
    const auto cheapest = static_cast<int>(std::min_element(prices.begin(), prices.end()) - prices.begin());
    ++weights.removed[at(cheapest)];
    ++times_removed[at(cheapest)];
    for (size_t type = 0; type < lost.size(); ++type) {
      const auto& on = plane.types[type];
      if (std::binary_search(on.begin(), on.end(), cheapest)) ++lost[type];
    }
  }
}

PlaneWeights plane_weights(const Family& plane, const std::vector<int>& widths) {
  const long long q = plane.order;
  const long long widest = *std::max_element(widths.begin(), widths.end());
  const auto least_removed = [&](long long c) {
    std::vector<long long> removed;
    for (const int width : widths) removed.push_back(ceiling(c - width, q));
    return removed;
  };
  PlaneWeights best;
  best.nodes = -1;
  long long best_more = 0;
  for (long long c = widest; c > widest - q; --c) {
    PlaneWeights weights;
    weights.removed = least_removed(c);
    long long sum = std::accumulate(weights.removed.begin(), weights.removed.end(), 0LL);
    const long long more = (((-c - sum) % (q + 1)) + (q + 1)) % (q + 1);
    sum += more;
    weights.each = (c + sum) / (q + 1);
    weights.nodes = plane.switches * weights.each - (q + 1) * sum;
    if (weights.nodes <= best.nodes) continue;
    best = weights;
    best_more = more;
  }
  if (best.nodes >= 0) remove_more(plane, best, best_more);
  return best;
}

/// A type cannot have fewer than 0 nodes, so negative weights are cut off at 0.
void start_with_plane(BlowUpSearch& search, const Family& plane, const std::vector<int>& widths) {
  const PlaneWeights weights = plane_weights(plane, widths);
  if (weights.nodes < 0) return;
  for (size_t type = 0; type < plane.types.size(); ++type) {
    long long copies = weights.each;
    for (const int device : plane.types[type]) copies -= weights.removed[at(device)];
    if (copies > 0) search.add(type, static_cast<int>(copies));
  }
}

}  // namespace

BlowUp blow_up(const Family& family, int nodes, const std::vector<int>& widths) {
  BlowUpSearch search(family, widths);
  if (family.order > 0) start_with_plane(search, family, widths);
  for (size_t type = 0; type < family.copies.size(); ++type) search.add(type, family.copies[type]);
  while (search.count() > nodes) search.remove_where_it_helps_most();
  while (search.count() < nodes) search.add_where_it_fits_best();
  search.tabu_search();
  return search.result();
}

BlowUp largest_blow_up(const Family& family, int width) {
  const std::vector<int> widths(at(family.switches), width);
  for (auto nodes = static_cast<int>(most_nodes_of_family(family, width));; --nodes) {
    BlowUp result = blow_up(family, nodes, widths);
    if (result.fits()) return result;
  }
}

int fewest_ports(const Family& family, int nodes) {
  int too_few = 0;
  int enough = nodes;
  while (enough - too_few > 1) {
    const int middle = too_few + (enough - too_few) / 2;
    const std::vector<int> widths(at(family.switches), middle);
    (blow_up(family, nodes, widths).fits() ? enough : too_few) = middle;
  }
  return enough;
}

long long most_nodes_of_plane(int order, long long width) {
  const long long q = order;
  const long long types = q * q + q + 1;
  // n is at most types * x and at most (q+1) * width - q * x, where x is the size of the largest type.
  const long long x = (q + 1) * width / (types + q);
  return std::max(types * x, std::min(types * (x + 1), (q + 1) * width - q * (x + 1)));
}

long long most_nodes_of_family(const Family& family, int width) {
  if (family.order > 0) return most_nodes_of_plane(family.order, width);
  if (family.is_design()) return width >= family.ports ? family.nodes : 0;
  return static_cast<long long>(family.nodes) * width / family.ports;
}

long long count_nodes(const BlowUp& blow_up) {
  return std::accumulate(blow_up.copies.begin(), blow_up.copies.end(), 0LL);
}

}  // namespace fnn
