// SPDX-License-Identifier: GPL-3.0-or-later
#include "design/evaluation.h"

#include <algorithm>

namespace fnn {

Evaluation evaluate(const Wiring& wiring) {
  const Limits& limits = wiring.limits();
  const BitRows& members = wiring.members();
  Evaluation result;
  std::vector<Word> reached(members.words());
  for (int node = 0; node < limits.node_count(); ++node) {
    std::fill(reached.begin(), reached.end(), Word{0});
    for (int device = 0; device < limits.switch_count(); ++device) {
      if (!wiring.is_on(node, device)) continue;
      const Word* on_switch = members.row(Limits::at(device));
      for (std::size_t w = 0; w < reached.size(); ++w) reached[w] |= on_switch[w];
    }
    for (int peer = node + 1; peer < limits.node_count(); ++peer) {
      const bool shares = (reached[Limits::at(peer) / 64] >> (Limits::at(peer) % 64) & 1U) != 0;
      if (!shares) result.uncovered.emplace_back(node, peer);
    }
  }
  return result;
}

}  // namespace fnn
