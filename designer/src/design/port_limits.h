// SPDX-License-Identifier: GPL-3.0-or-later
// The hard constraints of a wiring as plain numbers: NICs, ports, media.
#pragma once

#include <cstddef>
#include <vector>

namespace fnn {

/// The dummy port that every unused NIC is plugged into.
inline constexpr int kDummy = -1;

/// One NIC of one node. NICs of a node are adjacent in the list of all.
struct NicSlot {
  int node;
  int media;
  int kind;  ///< distinguishes NICs of one node and media by speed, if bandwidth is a goal
};

/// All ports of one medium on one switch, or those of one speed. `ports` is at most the number that the switch offers to
/// nodes.
struct Group {
  int device;  ///< the switch's index in the spec
  int media;
  int ports;
  int port_mbps = 0;  ///< of ports of one speed, where the switch has others of this medium; else 0
};

struct Spec;

/// Whether ports of one medium on one switch are one group, or one group per speed.
enum class Grouping { kByMedia, kBySpeed };

struct Limits {
  explicit Limits(const Spec& spec, Grouping grouping = Grouping::kByMedia);

  int node_count() const { return static_cast<int>(first_nic.size()) - 1; }
  int switch_count() const { return static_cast<int>(usable_ports.size()); }
  int nic_count(int node) const { return first_nic[at(node) + 1] - first_nic[at(node)]; }
  /// The group of a medium on a switch, the fastest of several, or kDummy.
  int group_of(int device, int media) const { return group_of_media[at(device) * media_count + at(media)]; }

  static std::size_t at(int index) { return static_cast<std::size_t>(index); }

  std::vector<NicSlot> nics;
  std::vector<int> first_nic;  ///< per node, and one past the last
  std::vector<Group> groups;
  std::vector<int> usable_ports;                  ///< per switch, over all its groups
  std::vector<std::vector<int>> groups_by_media;  ///< per medium
  std::vector<int> group_of_media;
  std::size_t media_count = 0;
};

}  // namespace fnn
