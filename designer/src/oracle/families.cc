// SPDX-License-Identifier: GPL-3.0-or-later
#include "oracle/families.h"

#include <algorithm>

#include "oracle/found_designs.h"
#include "oracle/small_families.h"

namespace fnn {
namespace {

using std::size_t;

/// Types are the cyclic shifts of a difference set, modulo the number of switches. If every difference except 0
/// occurs `shared` times in the set, any two shifts share that many switches.
Family cyclic(std::string name, int switches, int shared, const std::vector<int>& differences) {
  Family family{std::move(name), switches, shared, {}, switches, static_cast<int>(differences.size()), 0};
  for (int shift = 0; shift < switches; ++shift) {
    std::vector<int> type;
    for (const int member : differences) type.push_back((member + shift) % switches);
    std::sort(type.begin(), type.end());
    family.types.push_back(std::move(type));
  }
  return family;
}

struct DifferenceSet {
  int order;
  std::vector<int> members;
};

/// J. Singer, A theorem in finite projective geometry and some applications to number theory (1938): every order that
/// is a prime power has one.
const std::vector<DifferenceSet>& singer_sets() {
  static const std::vector<DifferenceSet> sets = {
      {1, {0, 1}},
      {2, {0, 1, 3}},
      {3, {0, 1, 3, 9}},
      {4, {0, 1, 4, 14, 16}},
      {5, {0, 1, 3, 8, 12, 18}},
      {7, {0, 1, 3, 13, 32, 36, 43, 52}},
      {8, {0, 1, 3, 7, 15, 31, 36, 54, 63}},
      {9, {0, 1, 3, 9, 27, 49, 56, 61, 77, 81}},
      {11, {0, 1, 3, 12, 20, 34, 38, 81, 88, 94, 104, 109}},
      {13, {0, 1, 3, 16, 23, 28, 42, 76, 82, 86, 119, 137, 154, 175}},
      {16, {0, 1, 3, 7, 15, 31, 63, 90, 116, 127, 136, 181, 194, 204, 233, 238, 255}},
  };
  return sets;
}

/// Symmetric designs in which two types share two or more switches.
const std::vector<Family>& symmetric_designs() {
  static const std::vector<Family> designs = [] {
    std::vector<Family> all = {
        cyclic("biplane of 7", 7, 2, {0, 3, 5, 6}),
        cyclic("biplane of 11", 11, 2, {1, 3, 4, 5, 9}),
        cyclic("biplane of 37", 37, 2, {1, 7, 9, 10, 12, 16, 26, 33, 34}),
        cyclic("symmetric design of 11", 11, 3, {0, 2, 6, 7, 8, 10}),
        cyclic("symmetric design of 15", 15, 3, {0, 1, 2, 4, 5, 8, 10}),
        cyclic("symmetric design of 19", 19, 4, {1, 4, 5, 6, 7, 9, 11, 16, 17}),
    };
    // Switches and types are the squares of a board of 4 by 4: a type is on the six that share its
    // row or column. In one row, two types share the other two; else, the two crossings.
    Family board{"biplane of 16", 16, 2, {}, 16, 6, 0};
    for (int type = 0; type < 16; ++type) {
      std::vector<int> squares;
      for (int square = 0; square < 16; ++square) {
        if ((square / 4 == type / 4) != (square % 4 == type % 4)) squares.push_back(square);
      }
      board.types.push_back(squares);
    }
    all.push_back(board);
    return all;
  }();
  return designs;
}

double nodes_per_port(const Family& family) { return static_cast<double>(family.nodes) / family.ports; }

std::vector<Family> single_families(size_t nics, int switches) {
  std::vector<Family> all;
  for (const int order : plane_orders()) {
    if (static_cast<size_t>(order) >= nics) break;
    all.push_back(projective_plane(order));
    if (order > 1) all.push_back(affine_plane(order));
  }
  for (int types = 3; static_cast<size_t>(types) <= nics + 1 && types * (types - 1) / 2 <= switches; ++types) {
    all.push_back(complete_graph(types));
  }
  all.push_back({"one switch", 1, 1, {{0}}, 1, 1, 0});
  for (const Family& family : small_families()) all.push_back(family);
  for (const Family& family : symmetric_designs()) all.push_back(family);
  return all;
}

}  // namespace

size_t Family::rank() const {
  size_t most = 0;
  for (const auto& type : types) most = std::max(most, type.size());
  return most;
}

Family projective_plane(int order) {
  const auto& sets = singer_sets();
  const auto found = std::find_if(sets.begin(), sets.end(), [&](const auto& set) { return set.order == order; });
  Family plane = cyclic("projective plane of order " + std::to_string(order), order * order + order + 1, 1,
                        found->members);
  plane.order = order;
  return plane;
}

Family affine_plane(int order) {
  const Family plane = projective_plane(order);
  const int removed = plane.switches - 1;
  Family affine{"affine plane of order " + std::to_string(order), removed, 1, {}, order * order, order, 0};
  for (const auto& type : plane.types) {
    if (type.back() != removed) affine.types.push_back(type);
  }
  return affine;
}

const std::vector<int>& plane_orders() {
  static const std::vector<int> orders = [] {
    std::vector<int> all;
    for (const auto& set : singer_sets()) all.push_back(set.order);
    return all;
  }();
  return orders;
}

Family complete_graph(int types) {
  Family family{"complete graph of " + std::to_string(types), 0, 1,
                std::vector<std::vector<int>>(static_cast<size_t>(types)), types, 2, 0};
  for (size_t a = 0; a < family.types.size(); ++a) {
    for (size_t b = a + 1; b < family.types.size(); ++b) {
      family.types[a].push_back(family.switches);
      family.types[b].push_back(family.switches++);
    }
  }
  return family;
}

Family all_but_one(int switches) {
  Family family{"all but one of " + std::to_string(switches), switches, switches - 2, {}, switches, switches - 1, 0};
  for (int missing = 0; missing < switches; ++missing) {
    std::vector<int> type;
    for (int device = 0; device < switches; ++device) {
      if (device != missing) type.push_back(device);
    }
    family.types.push_back(type);
  }
  return family;
}

Family repeated(const Family& family, int times) {
  if (times == 1) return family;
  Family result = family;
  result.name = std::to_string(times) + " times " + family.name;
  result.switches *= times;
  result.shared *= times;
  result.order = 0;
  result.types.clear();
  for (const auto& type : family.types) {
    std::vector<int> longer;
    for (int time = 0; time < times; ++time) {
      for (const int device : type) longer.push_back(device + time * family.switches);
    }
    result.types.push_back(longer);
  }
  return result;
}

std::vector<Family> families(size_t nics, int switches, int shared) {
  std::vector<Family> fitting;
  const auto add = [&](const Family& family) {
    const int times = (shared + family.shared - 1) / family.shared;
    if (family.switches * times > switches || family.rank() * static_cast<size_t>(times) > nics) return;
    fitting.push_back(repeated(family, times));
  };
  for (const Family& family : single_families(nics, switches)) add(family);
  for (const Family& design : found_designs()) add(design);
  if (shared > 1 && shared < switches) add(all_but_one(shared + 2));
  std::stable_sort(fitting.begin(), fitting.end(),
                   [](const Family& a, const Family& b) { return nodes_per_port(a) > nodes_per_port(b); });
  return fitting;
}

}  // namespace fnn
