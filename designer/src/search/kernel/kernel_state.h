// SPDX-License-Identifier: GPL-3.0-or-later
// KernelState: the mutable state of a wiring as plain arrays, the only data that kernels use.
//
// Every kernel is compiled for several instruction sets. Of two inline functions with the same name the
// linker keeps one, perhaps with instructions that this processor lacks (one-definition rule). Headers
// that kernels share with other code therefore contain no functions and no standard library templates:
// only numbers and pointers. IncrementalWiring owns the arrays and fills them.
//
// Nodes, NICs, switches and groups are numbered as in Limits. An unused NIC is in group kDummy (-1)
// and on switch `switches`, one past the last, whose row of members is always empty.
#pragma once

#include <stdint.h>

/// For the small functions of move evaluation, where a call would cost as much as the work.
#define FNN_HOT inline __attribute__((always_inline))
#define FNN_LAMBDA __attribute__((always_inline))

namespace fnn {

/// A move of one or two cables.
///   other = kNoIndex                      `nic` goes to a free port of `to`, or is unplugged
///   other_to = the group of `nic`        the two exchange their ports
///   else                                 `nic` takes the port of `other`, which goes to `other_to`
struct Move {
  int nic;
  int to;  ///< a group, or kDummy
  int other;
  int other_to;  ///< a group, or kDummy
};
inline constexpr int kNoIndex = -1;

/// The most NICs that a node may have (spec/spec_shape.cc).
inline constexpr int kMostRedundancy = 256;

/// The state of a xoshiro256** generator; its numbers are those of class Random.
struct RngState {
  uint64_t state[4];
};

/// Costs are integers, so that all processors compute the same values. This many units make one share,
/// the worth of one shared switch of a wanted pair (search/objective.h).
inline constexpr int64_t kShare = int64_t{1} << 20U;

/// The secondary goals as tables. A null pointer stands for a goal without weight.
struct GoalTables {
  const int32_t* first_peer;   ///< per node and one past the last, where its peers begin
  const int32_t* peer;         ///< the nodes it communicates with
  const int32_t* weight;       ///< of their traffic: 1024 for a share
  const int32_t* value;        ///< per bandwidth between two nodes, 1024 for one slowest link
  const int32_t* speed;        ///< per NIC and group, of the link, in index steps of `value`; null: all 1
  const uint8_t* shortage;     ///< per bandwidth, what it lacks of the required one, as missing switches; null: nothing
  const uint8_t* required;     ///< per entry of `peer`, whether the pair must have the required bandwidth
  const uint8_t* below;        ///< per NIC and for the dummy and each group, whether the link is slower than the NIC
  int64_t below_cost;          ///< of such a NIC
  int64_t below_discount;      ///< by which annealing reduces it
  const int64_t* link_cost;    ///< per node and switch, and 0 for the dummy
  const int64_t* load_cost;    ///< per switch and number of links on it
  const int32_t* first_load;   ///< per switch, where its row of load_cost begins
  const int64_t* inverse;      ///< 1/c for c shared switches, scaled
  int64_t* nic_load;           ///< per node and switch: its traffic
  int64_t exposure;            ///< cost of a wanted pair with no shared switch to spare
  int32_t balance_shift;       ///< scales the squares of nic_load to costs
  int32_t groups;              ///< the length of a row of `speed`
};

struct KernelState {
  // Constant.
  int32_t nodes;
  int32_t switches;
  int32_t words;         ///< of a row of nodes, padded to the block size of the kernels
  int32_t switch_words;  ///< words of a row of switches
  int32_t redundancy;    ///< switches that a wanted pair must share
  int32_t media_count;
  const int32_t* node_of;          ///< per NIC
  const int32_t* media_of;         ///< per NIC
  const int32_t* first_nic;        ///< per node and one past the last
  const int32_t* device_of;        ///< per group, and for kDummy
  const int32_t* media_group;      ///< groups by media
  const int32_t* first_group;      ///< per medium and one past the last, where its groups begin
  const int32_t* group_at;         ///< per switch and media: the group, or kDummy
  const int32_t* ports;            ///< per group
  const int32_t* usable_ports;     ///< per switch
  const int32_t* first_group_nic;  ///< per group, where its row of `group_nic` begins
  const int32_t* movable;          ///< the NICs that may be moved
  const uint8_t* may_move;         ///< per NIC
  int32_t movable_count;
  const uint64_t* wanted;   ///< per node a row of nodes; null when every pair is wanted once
  const GoalTables* goals;  ///< null when only coverage counts

  // The wiring.
  int32_t* group;           ///< per NIC, or kDummy
  int32_t* device;          ///< per NIC
  int32_t* place;           ///< per NIC, its index in the row `group_nic` of its group
  int32_t* group_nic;       ///< per group, the NICs in it
  int32_t* used_ports;      ///< per group, the number of NICs in it
  int32_t* load;            ///< per switch, the number of its links
  uint64_t* members;        ///< per switch, and for the dummy, a row of nodes
  uint64_t* node_switches;  ///< per node a row of switches

  // The wanted pairs, by the number of switches they share (make_move.h). A set has one row per node.
  uint64_t* lacking;       ///< peers that share too few switches with it
  uint64_t* tight;         ///< peers that share too few or exactly enough
  uint64_t* near_tight;    ///< peers that share at most one more than enough; null unless exposure counts
  int32_t* lacking_count;  ///< per node, the number of lacking peers
  int32_t* problem_nodes;  ///< the nodes with lacking_count > 0
  int32_t* problem_place;  ///< of a node, its index in problem_nodes
  int32_t problem_count;
  int32_t lacking_pairs;  ///< pairs that share too few
  int64_t deficit;        ///< missing shared switches and missing bandwidth, over all pairs
  int64_t cost;           ///< of the secondary goals
};

/// The change that a move would cause.
struct Delta {
  int64_t deficit;
  int64_t cost;
  int64_t below = 0;  ///< NICs with a link slower than they are
};

/// One temperature of an annealing schedule.
struct TemperatureStage {
  int64_t steps;
  int64_t temperature;         ///< in costs
  int64_t deficit_price;       ///< of one missing shared switch
  const uint32_t* thresholds;  ///< table of -ln(u), 4096 entries; 65536 stands for 1
  int32_t* best_group;         ///< receives the groups of the cheapest wiring without deficit; may be null
  int64_t best_cost;           ///< and its cost; in and out
  bool stop_when_covered;
};

}  // namespace fnn
