// SPDX-License-Identifier: GPL-3.0-or-later
//
// Each line is a design that `fnn-designer design` found for a number of nodes on switches of a given width, without
// repeated types. It lists the switches of each type as a hexadecimal number whose bit j stands for switch j. The
// first six have the fewest switches for their nodes per port, by Mills (Covering designs I, 1979), and also blow up.
// The other three have the most nodes for their few ports: 10 and 18 nodes are minimal covers with three and four
// nodes on a switch, and the 13 are a Steiner triple system.
#include "oracle/small_families.h"

#include <bit>
#include <cstdint>
#include <sstream>

namespace fnn {
namespace {

struct Found {
  int nodes;
  int ports;
  int switches;
  const char* types;
};

const std::vector<Found>& found_by_search() {
  static const std::vector<Found> all = {
      {10, 6, 4,
      "7 9 a c"},
      {9, 5, 5,
      "7 a 12 19 1c"},
      {24, 10, 8,
      "7 19 2a 34 4c 8c d2 e1"},
      {10, 4, 9,
      "f 1b 61 a6 b4 c8 128 152 154 181"},
      {16, 6, 10,
      "f 39 c1 148 192 1a4 254 262 288 301"},
      {28, 10, 11,
      "f 71 98 148 1a2 252 381 4c4 514 628"},
      {10, 3, 17,
      "1f 1e1 1e01 7042 844c a302 c830 11224 12490 14908"},
      {13, 3, 26,
      "3f 7c1 f801 78042 382402 524210 610904 c81060 1094088 1842204 2241090 2820c08 3108120"},
      {18, 4, 27,
      "3f 7c1 f801 1f0001 312220 684042 81804c d01110 1040960 1221404 1822082 2248090 2420a08 2884420 "
      "4104884 4442408 5088210 6011102"},
  };
  return all;
}

Family family_of(const Found& found) {
  Family family{"cover of " + std::to_string(found.nodes) + " by " + std::to_string(found.switches), found.switches, 1,
                {}, found.nodes, found.ports, 0};
  std::istringstream types(found.types);
  for (std::uint64_t type = 0; types >> std::hex >> type;) {
    std::vector<int> switches;
    for (; type != 0; type &= type - 1) switches.push_back(std::countr_zero(type));
    family.types.push_back(switches);
  }
  return family;
}

}  // namespace

const std::vector<Family>& small_families() {
  static const std::vector<Family> all = [] {
    std::vector<Family> families;
    for (const Found& found : found_by_search()) families.push_back(family_of(found));
    return families;
  }();
  return all;
}

}  // namespace fnn
