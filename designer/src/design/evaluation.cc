// SPDX-License-Identifier: GPL-3.0-or-later
#include "design/evaluation.h"

#include <algorithm>

namespace fnn {
namespace {

/// Layer l is the set of nodes that share more than l switches with one node, for l from 0.
using Layers = std::vector<std::vector<Word>>;

void find_neighbors(const Wiring& wiring, int node, Layers& layers) {
  for (auto& layer : layers) std::fill(layer.begin(), layer.end(), Word{0});
  for (int device = 0; device < wiring.limits().switch_count(); ++device) {
    if (!wiring.is_on(node, device)) continue;
    const Word* on_switch = wiring.members().row(Limits::at(device));
    for (std::size_t w = 0; w < layers[0].size(); ++w) {
      for (std::size_t l = layers.size() - 1; l > 0; --l) layers[l][w] |= layers[l - 1][w] & on_switch[w];
      layers[0][w] |= on_switch[w];
    }
  }
}

}  // namespace

Evaluation evaluate(const Wiring& wiring, const Demand& demand) {
  const std::size_t words = wiring.members().words();
  Evaluation result;
  Layers layers(Limits::at(demand.redundancy()), std::vector<Word>(words));
  std::vector<Word> uncovered(words);
  for (int node = 0; node < wiring.limits().node_count(); ++node) {
    find_neighbors(wiring, node, layers);
    const Word* wanted = demand.wanted().row(Limits::at(node));
    for (std::size_t w = 0; w < words; ++w) {
      uncovered[w] = wanted[w] & ~layers.back()[w];
      for (const auto& layer : layers) result.deficit += count_bits(wanted[w] & ~layer[w]);
    }
    for_each_member(uncovered.data(), words, [&](std::size_t peer) {
      if (static_cast<int>(peer) > node) result.uncovered.emplace_back(node, static_cast<int>(peer));
    });
  }
  result.deficit /= 2;  // each pair was counted from both ends
  return result;
}

}  // namespace fnn
