// SPDX-License-Identifier: GPL-3.0-or-later
#include "search/difference.h"

#include <algorithm>

#include "base/assignment.h"

namespace fnn {
namespace {

// Renaming takes time cubic in the switches; beyond this number they are compared by name.
constexpr int kMostRenamed = 128;

int common_nodes(const BitRows& one, std::size_t row, const BitRows& other, std::size_t other_row) {
  int count = 0;
  for (std::size_t w = 0; w < one.words(); ++w) count += count_bits(one.row(row)[w] & other.row(other_row)[w]);
  return count;
}

int common_cables(const Wiring& one, const Wiring& other) {
  const auto switches = static_cast<std::size_t>(one.limits().switch_count());
  int common = 0;
  if (one.limits().switch_count() > kMostRenamed) {
    for (std::size_t j = 0; j < switches; ++j) common += common_nodes(one.members(), j, other.members(), j);
    return common;
  }
  std::vector<std::vector<int>> alike(switches, std::vector<int>(switches));
  for (std::size_t j = 0; j < switches; ++j) {
    for (std::size_t k = 0; k < switches; ++k) alike[j][k] = common_nodes(one.members(), j, other.members(), k);
  }
  const std::vector<int> name = best_assignment(alike);
  for (std::size_t j = 0; j < switches; ++j) common += alike[j][Limits::at(name[j])];
  return common;
}

}  // namespace

bool differ_widely(const Wiring& one, const Wiring& other) {
  const int cables = std::max(one.link_count(), other.link_count());
  return 10 * (cables - common_cables(one, other)) > cables;
}

}  // namespace fnn
