// SPDX-License-Identifier: GPL-3.0-or-later
#include "oracle/cliques.h"

#include <algorithm>

namespace fnn {
namespace {

constexpr std::size_t kMostStarts = 256;

int size_of(const std::vector<Word>& set) {
  int size = 0;
  for (const Word word : set) size += count_bits(word);
  return size;
}

std::vector<Word> common(const std::vector<Word>& set, const Word* row) {
  std::vector<Word> both(set);
  for (std::size_t w = 0; w < set.size(); ++w) both[w] &= row[w];
  return both;
}

/// Greedy growth from one node: each step adds the common peer that leaves the most common peers.
std::vector<std::size_t> clique_from(const BitRows& wanted, std::size_t start) {
  std::vector<std::size_t> clique{start};
  std::vector<Word> open(wanted.row(start), wanted.row(start) + wanted.words());
  while (true) {
    std::size_t best = 0;
    int most = -1;
    for_each_member(open.data(), open.size(), [&](std::size_t peer) {
      const int left = size_of(common(open, wanted.row(peer)));
      if (left > most) {
        most = left;
        best = peer;
      }
    });
    if (most < 0) return clique;
    clique.push_back(best);
    open = common(open, wanted.row(best));
  }
}

}  // namespace

std::vector<std::size_t> wanted_clique(const Demand& demand) {
  const std::size_t nodes = demand.nodes();
  const std::size_t stride = std::max<std::size_t>(1, nodes / kMostStarts);
  std::vector<std::size_t> largest;
  for (std::size_t start = 0; start < nodes; start += stride) {
    std::vector<std::size_t> clique = clique_from(demand.wanted(), start);
    if (clique.size() > largest.size()) largest = std::move(clique);
  }
  std::sort(largest.begin(), largest.end());
  return largest;
}

}  // namespace fnn
