// SPDX-License-Identifier: GPL-3.0-or-later
#include "spec/demand.h"

#include "spec/patterns.h"
#include "spec/spec.h"

namespace fnn {

using std::size_t;

Demand::Demand(size_t nodes, int redundancy, bool universal)
    : nodes_(nodes), wanted_(nodes, nodes), redundancy_(redundancy), universal_(universal) {
  if (!universal) return;
  for (size_t node = 0; node < nodes; ++node) {
    wanted_.fill(node, nodes);
    wanted_.erase(node, node);
  }
  pairs_ = static_cast<long long>(nodes * (nodes - 1) / 2);
}

Demand Demand::universal(size_t nodes, int redundancy) { return {nodes, redundancy, true}; }

Demand Demand::of_pairs(size_t nodes, const std::vector<WeightedPair>& pairs, int redundancy) {
  Demand demand(nodes, redundancy, false);
  demand.want(pairs);
  return demand;
}

Demand::Demand(const Spec& spec)
    : Demand(spec.nodes.size(), spec.normal["redundancy"].get<int>(), spec.normal["coverage"] == "all") {
  if (!universal_) want(traffic_of(spec));
}

Demand Demand::with_redundancy(int redundancy) const {
  Demand demand = *this;
  demand.redundancy_ = redundancy;
  return demand;
}

void Demand::want(const std::vector<WeightedPair>& pairs) {
  for (const WeightedPair& pair : pairs) {
    const auto a = static_cast<size_t>(pair.a);
    const auto b = static_cast<size_t>(pair.b);
    wanted_.insert(a, b);
    wanted_.insert(b, a);
    ++pairs_;
  }
}

}  // namespace fnn
