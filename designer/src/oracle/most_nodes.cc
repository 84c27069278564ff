// SPDX-License-Identifier: GPL-3.0-or-later
//
// The most nodes on a number of switches
// --------------------------------------
// In the dual view a node is the set of its switches, at most r of them, and any two sets intersect. For large clusters
// the number of nodes per port counts: 14 switches hold at most 23/7 nodes with five NICs per port of a switch.
// Whole nodes may be fewer: on switches with 32 ports, 105.1 divided nodes fit, but only 104 whole ones. The difference
// to the whole number below 105.1 is the shortfall, here 1.
//
// For up to 13 switches the fractions hold for any number of NICs: W. H. Mills, Covering designs I (Ars Combinatoria 8,
// 1979) for b <= 12; D. Todorov for 13. Our exhaustive search confirms them (type_search.cc and its tests).
//
// For more switches, the fractions and the shortfalls are results of our exhaustive search; `make test-full` repeats
// it. If n nodes have fewer than n*q/p ports, n/w is at least (1000*p + 1) / (1000*q) for w <= 1000. That is impossible
// even if nodes may be divided.
//
// For 20 switches, 4w nodes fit if 4 divides w: an affine plane. They need five links each, as 4 * (w - 1) < 4w - 1,
// and there are ports for no more. So what holds for five NICs also holds for six.
#include "oracle/most_nodes.h"

#include <array>
#include <string_view>

namespace fnn {
namespace {

constexpr std::size_t kFewestOfMills = 3;
constexpr std::size_t kAffinePlane = 20;
constexpr long long kFiveNics = 5;
constexpr long long kSixNics = 6;

/// For 3...13 switches.
constexpr std::array<NodesPerPort, 11> kMills{
    {{3, 2}, {5, 3}, {9, 5}, {2, 1}, {7, 3}, {12, 5}, {5, 2}, {8, 3}, {14, 5}, {3, 1}, {13, 4}}};
/// For 14...20 switches and at most 5 NICs.
constexpr std::array<NodesPerPort, 7> kRatioOfFive{{{23, 7}, {27, 8}, {55, 16}, {46, 13}, {11, 3}, {65, 17}, {4, 1}}};
/// For 14...23 switches and at most 6 NICs.
constexpr std::array<NodesPerPort, 10> kRatioOfSix{
    {{23, 7}, {27, 8}, {31, 9}, {46, 13}, {11, 3}, {4, 1}, {4, 1}, {21, 5}, {38, 9}, {43, 10}}};

/// For 14 switches and more: a digit per width from kNarrowestWhole on. Where it is 0, the shortfall may be unknown.
constexpr long long kNarrowestWhole = 6;
constexpr std::array<std::string_view, 7> kShortfallOfFive{{
    "11000100110011001100011000100110011",
    "11100110002100011000110011100110001",
    "01100010100001000000001010010100011",
    "00000000010100000000000000000000000",
    "10000000000000000000000010000000000",
    "",
    "1001"}};
constexpr std::array<std::string_view, 3> kShortfallOfSix{{
    "01000100110011001100011000100110011",
    "01100110000100001000010011100110001",
    "01010010000000000000000000000000000"}};

template <typename Value, std::size_t kSize>
std::optional<Value> lookup(const std::array<Value, kSize>& table, std::size_t index) {
  return index < kSize ? std::optional(table[index]) : std::nullopt;
}

long long shortfall(long long rank, std::size_t switches, long long width) {
  if (switches < kFewestOfRatio || width < kNarrowestWhole) return 0;
  const std::size_t row = switches - kFewestOfRatio;
  const bool at_most_five = rank <= kFiveNics || switches == kAffinePlane;
  const auto digits = at_most_five ? lookup(kShortfallOfFive, row) : lookup(kShortfallOfSix, row);
  const auto column = static_cast<std::size_t>(width - kNarrowestWhole);
  return digits && column < digits->size() ? (*digits)[column] - '0' : 0;
}

}  // namespace

std::optional<NodesPerPort> most_nodes_per_port(long long rank, std::size_t switches) {
  if (switches < kFewestOfMills) return std::nullopt;
  if (switches < kFewestOfRatio) return lookup(kMills, switches - kFewestOfMills);
  if (rank <= kFiveNics) return lookup(kRatioOfFive, switches - kFewestOfRatio);
  return rank == kSixNics ? lookup(kRatioOfSix, switches - kFewestOfRatio) : std::nullopt;
}

std::optional<long long> most_nodes(long long rank, std::size_t switches, long long width) {
  const auto most = most_nodes_per_port(rank, switches);
  if (!most || (switches >= kFewestOfRatio && width > kWidestOfRatio)) return std::nullopt;
  return width * most->nodes / most->ports - shortfall(rank, switches, width);
}

}  // namespace fnn
