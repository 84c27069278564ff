// SPDX-License-Identifier: GPL-3.0-or-later
//
// Each entry lists the switches of each type as a hexadecimal number whose bit j stands for switch j. The first nine
// are designs that `fnn-designer design` found, without repeated types. Six of these have the fewest switches for their
// nodes per port, by Mills (Covering designs I, 1979), and also blow up. The other three have the most nodes for their
// few ports: 10 and 18 nodes are minimal covers with three and four nodes on a switch, and the 13 are a Steiner triple
// system.
//
// The last ones have the most nodes per port that are possible for 14 to 19 switches and five NICs and for 22 and 23
// switches and six (`most_nodes_per_port`), and the most that were found for 24 to 29 switches and six. A large neighborhood search over
// families found them: it removes some types of the best linear program's solution, lists all types that meet the
// others, and adds back those that the linear program uses most, each time excluding what does not meet it. Then all
// types that meet these and each other are added, which does not add nodes per port but helps with whole numbers of
// nodes.
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
      {23, 7, 14,
      "2e 71 312 49a 4d8 644 948 c03 1185 141a 1458 1498 1aa0 20c2 2209 2498 2520 2814 3042 3418"},
      {27, 8, 15,
      "e9 ea 324 913 919 91a 91c c44 1250 1580 1918 2094 2609 260a 3820 4430 4918 4a80 5007 500d 500e 501c 510c "
      "580c 6140"},
      {55, 16, 16,
      "172 1d2 352 41d 463 469 552 62a 661 a0a c41 1610 1924 1d04 2244 2508 3403 4301 4406 5068 50c8 5248 5448 "
      "6830 6c10 801d 8152 8660 86a0 8d40 8e40 b003 c700 cc40 d048"},
      {46, 13, 17,
      "48e 8d0 929 1a02 2013 2248 31a0 4314 5441 8281 9098 9818 ac04 b018 c062 d018 10630 11045 16880 18142 19018"},
      {11, 3, 18,
      "868 111c 20c6 2b00 420b 6430 8588 b021 10162 10322 10522 10c05 11122 15880 18250 202a4 21640 24141 28812 "
      "30122 32008"},
      {65, 17, 19,
      "22d 433 104d 1181 1846 5408 6160 830a ac01 c094 108a8 13210 18049 20059 2208a 24a01 30504 406c0 40918 4200d "
      "54003 69020"},
      {38, 9, 22,
      "2431 50a2 8368 8843 10178 10368 11168 16a04 18168 1e804 21105 2a088 40990 70602 78402 804c4 89210 90168 "
      "99010 c4009 10001e 10c500 143040 1a0820 201c08 224050 248024 282102 310281 318081"},
      {43, 10, 23,
      "a85 1262 10928 14610 2044c 44141 600b0 85088 8a421 d0006 100582 131001 14a208 180850 20001b 241c00 2a0300 "
      "304024 403114 409114 426802 42c802 480429 480621 482421 488421 4c0421 540209 540228 540608 542208 548208 "
      "580421 5c0208 6120c0 6180c0"},
      {13, 3, 24,
      "1d05 1d21 1f01 20a9 7202 9d01 10ac0 21d01 41d01 44051 68224 92414 92430 92610 9a410 b2410 c0182 d2410 "
      "140620 18480c 184828 184a08 18c808 1a4808 1c4808 20044e 20046a 20064a 20844a 214120 22044a 24044a 301094 "
      "3010b0 301290 309090 321090 341090 400318 481060 510007 510023 510203 518003 530003 550003 642800 800832 "
      "851008 902144 902160 902340 90a140 922140 942140 a80201 c04484 c044a0 c04680 c0c480 c24480 c44480"},
      {787, 179, 25,
      "881a 10589 12189 72108 822c2 82642 a4015 105102 128221 2030b0 203430 208144 214a00 404068 499000 502884 "
      "502c04 640003 810026 821841 84c480 84e080 b80008 c00310 104120c 10c0920 1150050 1620082 180e001"},
      {139, 31, 26,
      "448a 2a180 512c0 80705 80706 80711 80714 90704 a0704 1008a5 1008b4 19c000 205130 282842 409c01 4e0028 "
      "610284 830013 880704 903208 a48c00 c04160 100805c 1012420 1024a00 1540102 2008222 2010908 2046005 2320440 "
      "3881080"},
      {32, 7, 27,
      "1440e 240e1 48858 88303 99801 148620 1a0812 201134 206a00 42a004 481c40 882028 c10290 1002411 1008988 "
      "1180884 12f0000 14c4100 190d000 1a08042 2112140 2288480 2840805 3021208 3400822 4043082 4700009 4820d00 "
      "5018820 5080244 608c010"},
      {14, 3, 28,
      "1878 18b01 83405 b00c1 b00d0 120518 146880 251404 484124 702880 862220 a04013 c1200a 100028d 100029c "
      "1042142 142d000 20084a2 2181202 2816008 2c12008 3202140 401600a 4222220 441200a 4908044 5880c00 6016008 "
      "6440011 808a014 82c8008 8404640 9110021 a020806 c801180"},
      {63, 13, 29,
      "1f20 5053 28498 ce200 20480c 430244 50202a a22101 1480881 1851008 201c021 2060802 2114180 2880034 3006440 "
      "3300210 4140405 4804282 6080148 6609000 8290402 8444110 8908840 a003084 d024020 101a5000 102400e0 11008106 "
      "12c04400 14012810 1a000209"},
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
