// SPDX-License-Identifier: GPL-3.0-or-later
//
// Families of types that no design contains
// -----------------------------------------
// The search over types uses one type after another, so it meets the same family in different orders and on other
// switches. Two families are isomorphic if a permutation of equivalent switches turns one into the other. What is
// proved of one holds for both.
//
//     abc ade bdf     with d and e exchanged:  abc ade bef
//
// A hash that permutations do not change (color refinement: Weisfeiler and Leman 1968) finds candidates. Backtracking
// then looks for the permutation. Types are assigned one by one; after each, every set of switches that belong to the
// same assigned types must be as large in both families.
//
// A search without a time limit would fill the memory. After the first million families, 188 MB with twenty types each,
// no more are added: the search examines isomorphic ones again, and its results stay the same.
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "oracle/type_orbits.h"

namespace fnn {

class RefutedFamilies {
 public:
  /// Only permutations of switches within these cells are isomorphisms.
  explicit RefutedFamilies(Cells cells, std::size_t most = 1'000'000) : cells_(std::move(cells)), room_(most) {}

  bool contains(const Types& family) const;

  /// Without effect on a full set.
  void insert(const Types& family);

 private:
  /// Sets a color for each type and returns the hash.
  std::uint64_t color(const Types& family, std::vector<std::uint64_t>& colors) const;

  Cells cells_;
  std::size_t room_;
  std::unordered_map<std::uint64_t, std::vector<Types>> by_hash_;
};

}  // namespace fnn
