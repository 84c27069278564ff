// SPDX-License-Identifier: GPL-3.0-or-later
// Edges that flows share: the links upward to switches, the links downward, and the insides of oversubscribed switches.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "routing/legs.h"

namespace fnn {

inline constexpr std::uint32_t kNoEdge = 0xFFFFFFFFU;

/// The edges that a path loads; kNoEdge in unused places.
using EdgePath = std::array<std::uint32_t, 3>;

class Edges {
 public:
  /// inside_mbps: per switch (inside_mbps_of). `legs` must outlive the edges.
  Edges(const Legs& legs, const std::vector<long long>& inside_mbps);

  /// The edges of a path from one node to another. Only oversubscribed switches have an inside edge.
  EdgePath path(std::size_t from, std::size_t to, SharedLeg leg) const;
  /// Both directions of a pair at once: upward and downward loads are equal, so upward links represent both.
  EdgePath symmetric_path(std::size_t from, std::size_t to, SharedLeg leg) const;
  /// Per edge, in units of `unit_mbps`. `symmetric`: for paths of both directions at once.
  std::vector<double> capacities(bool symmetric, int unit_mbps) const;

 private:
  const Legs& legs_;
  std::vector<std::size_t> first_;      ///< per node, its first link
  std::size_t links_ = 0;
  std::vector<long long> inside_mbps_;  ///< per switch, at most the sum of its links
  std::vector<bool> oversubscribed_;    ///< per switch
};

}  // namespace fnn
