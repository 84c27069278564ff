// SPDX-License-Identifier: GPL-3.0-or-later
// The board: a wiring under change as plain arrays, which is all that the kernels know.
//
// The same kernel is compiled for several instruction sets, and of two equal inline functions the
// linker keeps one, whatever instructions it was compiled to. What a kernel includes must therefore
// hold no function, and no template of the standard library: nothing but numbers and pointers.
// Neighborhoods owns the arrays and says what is in them.
//
// Nodes, NICs, switches and groups are numbered as in Limits. An unused NIC is in group kDummy (-1)
// and on switch `switches`, one past the last, whose row of members is always empty.
#pragma once

#include <stdint.h>

/// For what a judgement is made of: a call would cost as much as the work.
#define FNN_HOT inline __attribute__((always_inline))
#define FNN_LAMBDA __attribute__((always_inline))

namespace fnn {

/// One or two cables change their places.
///   other = kNobody                      `nic` goes to a free port of `to`, or is unplugged
///   other_to = the group of `nic`        the two exchange their ports
///   else                                 `nic` takes the port of `other`, which goes to `other_to`
struct Move {
  int nic;
  int to;  ///< a group, or kDummy
  int other;
  int other_to;  ///< a group, or kDummy
};
inline constexpr int kNobody = -1;

/// A node has at most so many NICs (spec/spec_shape.cc).
inline constexpr int kMostRedundancy = 256;

/// The state of a xoshiro256** generator; its numbers are those of class Random.
struct Dice {
  uint64_t state[4];
};

/// Costs are whole numbers, so that every processor finds the same: this many make one share, which
/// is a wanted pair's shared switch (search/objective.h).
inline constexpr int64_t kShare = int64_t{1} << 20U;

/// The secondary goals, ready to be added up. A null pointer stands for a goal that does not count.
struct Aims {
  const int32_t* first_peer;   ///< per node and one past the last, where its peers begin
  const int32_t* peer;         ///< the nodes it talks to
  const int32_t* weight;       ///< how much: 1024 for a share
  const int32_t* value;        ///< of so much bandwidth between two nodes, 1024 for one slowest link
  const int32_t* speed;        ///< per NIC and switch, of the link in steps of `value`; null: all 1
  const int64_t* link_cost;    ///< per node and switch, and 0 for the dummy
  const int64_t* load_cost;    ///< per switch and number of links on it
  const int32_t* first_load;   ///< per switch, where its row of load_cost begins
  const int64_t* inverse;      ///< 1/c for c shared switches, scaled
  int64_t* nic_load;           ///< per node and switch: what the traffic puts there
  int64_t exposure;            ///< cost of a wanted pair with no shared switch to spare
  int32_t balance_shift;       ///< scales the squares of nic_load to costs
};

struct Board {
  // What never changes.
  int32_t nodes;
  int32_t switches;
  int32_t words;       ///< of a row of nodes, padded as the kernels like it
  int32_t spots;       ///< words of a row of switches
  int32_t redundancy;  ///< switches that a wanted pair must share
  int32_t media_count;
  const int32_t* node_of;         ///< per NIC
  const int32_t* media_of;        ///< per NIC
  const int32_t* first_nic;       ///< per node and one past the last
  const int32_t* device_of;       ///< per group, and for kDummy
  const int32_t* media_group;     ///< groups by media
  const int32_t* first_group;     ///< per media and one past the last, where its groups begin
  const int32_t* group_at;        ///< per switch and media: the group, or kDummy
  const int32_t* ports;           ///< per group
  const int32_t* usable_ports;    ///< per switch
  const int32_t* first_seat;      ///< per group, where its row of `seat` begins
  const int32_t* movable;         ///< the NICs that may be moved
  const uint8_t* may_move;        ///< per NIC
  int32_t movable_count;
  const uint64_t* wanted;         ///< per node a row of nodes; null when every pair is wanted once
  const Aims* aims;               ///< null when only coverage counts

  // The wiring.
  int32_t* group;         ///< per NIC, or kDummy
  int32_t* device;        ///< per NIC
  int32_t* place;         ///< per NIC, within the seats of its group
  int32_t* seat;          ///< per group, the NICs in it
  int32_t* taken;         ///< per group, how many
  int32_t* load;          ///< per switch, its links
  uint64_t* members;      ///< per switch, and for the dummy, a row of nodes
  uint64_t* on;           ///< per node a row of switches

  // The wanted pairs, by the switches they share (moving.h); each set a row of nodes per node.
  uint64_t* lacking;      ///< peers with which it shares too few
  uint64_t* scarce;       ///< peers with which it shares too few or just enough
  uint64_t* sparing;      ///< peers with which it shares at most one to spare; null unless exposure counts
  int32_t* lack_count;    ///< per node, how many
  int32_t* troubled;      ///< the nodes with lack_count > 0
  int32_t* trouble_place; ///< of a node within troubled
  int32_t troubled_count;
  int32_t lack_pairs;     ///< pairs that share too few
  int64_t deficit;        ///< switches they lack, over all pairs
  int64_t cost;           ///< of the secondary goals
};

/// What a move would change.
struct Verdict {
  int64_t deficit;
  int64_t cost;
};

/// One temperature of an annealing.
struct Stage {
  int64_t steps;
  int64_t temperature;      ///< in costs
  int64_t deficit_price;    ///< of one missing shared switch
  const uint32_t* patience; ///< table of -ln(u), 4096 entries, 65536 for 1
  int32_t* best_group;      ///< receives the groups of the cheapest wiring without deficit; may be null
  int64_t best_cost;        ///< and its cost; in and out
  bool stop_when_covered;
};

}  // namespace fnn
