// SPDX-License-Identifier: GPL-3.0-or-later
#include "evaluate/flows.h"

#include <functional>
#include <numeric>

namespace fnn {
namespace {

using std::size_t;

Flow flow(size_t from, size_t to) { return {static_cast<std::uint16_t>(from), static_cast<std::uint16_t>(to)}; }

/// One level per power of two below `nodes`, filled by `fill`.
std::vector<Level> doubling(size_t nodes, const std::function<void(size_t, Level&)>& fill) {
  std::vector<Level> levels;
  for (size_t hop = 1; hop < nodes; hop *= 2) fill(hop, levels.emplace_back());
  return levels;
}

/// In level k, each rank i < 2^k has the message and sends it to i + 2^k.
std::vector<Level> binomial_tree(size_t nodes) {
  return doubling(nodes, [&](size_t hop, Level& level) {
    for (size_t i = 0; i < hop && i + hop < nodes; ++i) level.push_back(flow(i, i + hop));
  });
}

std::vector<Level> dissemination(size_t nodes) {
  return doubling(nodes, [&](size_t hop, Level& level) {
    for (size_t i = 0; i < nodes; ++i) level.push_back(flow(i, (i + hop) % nodes));
  });
}

/// Ranks without a partner are idle.
std::vector<Level> recursive_doubling(size_t nodes) {
  return doubling(nodes, [&](size_t hop, Level& level) {
    for (size_t i = 0; i < nodes; ++i) {
      if ((i ^ hop) < nodes) level.push_back(flow(i, i ^ hop));
    }
  });
}

/// The least whole number whose `power`-th power is at least `nodes`.
size_t root_of(size_t nodes, int power) {
  size_t side = 1;
  const auto volume = [&] {
    size_t product = 1;
    for (int i = 0; i < power; ++i) product *= side;
    return product;
  };
  while (volume() < nodes) ++side;
  return side;
}

/// Neighbors on a mesh of `dimensions` without wraparound, filled in rank order; the last row may be short.
std::vector<Level> nearest_neighbors(size_t nodes, int dimensions) {
  const size_t side = root_of(nodes, dimensions);
  Level level;
  size_t stride = 1;
  for (int dimension = 0; dimension < dimensions; ++dimension, stride *= side) {
    for (size_t i = 0; i + stride < nodes; ++i) {
      if (i / stride % side + 1 == side) continue;
      level.push_back(flow(i, i + stride));
      level.push_back(flow(i + stride, i));
    }
  }
  return {level};
}

/// Each rank sends to both neighbors on the ring of its group; in a group of two, it sends to the same rank twice.
void exchange_in(size_t first, size_t size, Level& level) {
  for (size_t i = 0; i < size; ++i) {
    level.push_back(flow(first + i, first + (i + 1) % size));
    level.push_back(flow(first + i, first + (i + size - 1) % size));
  }
}

FlowPattern exchange(size_t nodes, size_t size, bool multi) {
  Level level;
  for (size_t first = 0; first + size <= (multi ? nodes : size); first += size) exchange_in(first, size, level);
  return {multi ? "exchange-multi" : "exchange-one", static_cast<int>(size), {level}};
}

}  // namespace

size_t FlowPattern::flows() const {
  size_t sum = 0;
  for (const Level& level : levels) sum += level.size();
  return sum;
}

std::vector<FlowPattern> standard_patterns(size_t nodes) {
  std::vector<FlowPattern> patterns = {{"binomial-tree", 0, binomial_tree(nodes)},
                                       {"dissemination", 0, dissemination(nodes)},
                                       {"recursive-doubling", 0, recursive_doubling(nodes)},
                                       {"neighbors-2d", 0, nearest_neighbors(nodes, 2)},
                                       {"neighbors-3d", 0, nearest_neighbors(nodes, 3)}};
  for (const bool multi : {false, true}) {
    for (size_t size = 2; size < nodes; size *= 2) patterns.push_back(exchange(nodes, size, multi));
    patterns.push_back(exchange(nodes, nodes, multi));
  }
  return patterns;
}

Level phase(size_t nodes, size_t offset) {
  Level level;
  for (size_t i = 0; i < nodes; ++i) {
    level.push_back(flow(i, (i + offset) % nodes));
  }
  return level;
}

std::vector<std::uint16_t> rank_order(size_t nodes) {
  std::vector<std::uint16_t> order(nodes);
  std::iota(order.begin(), order.end(), std::uint16_t{0});
  return order;
}

Level both_directions(const std::vector<WeightedPair>& pairs) {
  Level level;
  for (const WeightedPair& pair : pairs) {
    const auto a = static_cast<size_t>(pair.a);
    const auto b = static_cast<size_t>(pair.b);
    level.push_back(flow(a, b));
    level.push_back(flow(b, a));
  }
  return level;
}

}  // namespace fnn
