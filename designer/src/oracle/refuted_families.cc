// SPDX-License-Identifier: GPL-3.0-or-later
#include "oracle/refuted_families.h"

#include <algorithm>
#include <array>
#include <bit>

#include "base/bitset.h"

namespace fnn {
namespace {

using Colors = std::vector<std::uint64_t>;

constexpr int kRounds = 3;  // of refinement; most families differ after two

/// The finalizer of MurmurHash3 (A. Appleby, public domain).
std::uint64_t mix(std::uint64_t value) {
  value ^= value >> 33U;
  value *= 0xff51afd7ed558ccdULL;
  value ^= value >> 33U;
  value *= 0xc4ceb9fe1a85ec53ULL;
  return value ^ value >> 33U;
}

/// Two families during the search for an isomorphism.
struct Mapping {
  const Types& from;
  const Colors& from_colors;
  const Types& to;
  const Colors& to_colors;
};

/// Sets of switches of which the isomorphism must map one to the other.
struct SetPair {
  Type from;
  Type to;
};

/// The sets, split by two types that are mapped to each other; empty where sizes differ.
std::vector<SetPair> split(const std::vector<SetPair>& sets, Type from, Type to) {
  std::vector<SetPair> parts;
  for (const SetPair& set : sets) {
    const SetPair inside{set.from & from, set.to & to};
    if (count_bits(inside.from) != count_bits(inside.to)) return {};
    if (inside.from != 0) parts.push_back(inside);
    if (inside.from != set.from) parts.push_back({set.from & ~from, set.to & ~to});
  }
  return parts;
}

bool extend(const Mapping& map, std::size_t next, const std::vector<SetPair>& sets, std::uint64_t taken) {
  if (next == map.from.size()) return true;
  for (std::size_t image = 0; image < map.to.size(); ++image) {
    if ((taken >> image & 1U) != 0 || map.from_colors[next] != map.to_colors[image]) continue;
    const auto parts = split(sets, map.from[next], map.to[image]);
    if (!parts.empty() && extend(map, next + 1, parts, taken | std::uint64_t{1} << image)) return true;
  }
  return false;
}

}  // namespace

std::uint64_t RefutedFamilies::color(const Types& family, Colors& colors) const {
  std::array<std::uint64_t, kMostTypeSwitches> of_switch{};
  for (std::size_t cell = 0; cell < cells_.count(); ++cell) {
    for (Type left = cells_.members[cell]; left != 0; left &= left - 1) {
      of_switch[static_cast<std::size_t>(std::countr_zero(left))] = cell + 1;
    }
  }
  colors.assign(family.size(), 1);
  for (int round = 0; round < kRounds; ++round) {
    auto switches = of_switch;
    Colors types = colors;
    for (std::size_t t = 0; t < family.size(); ++t) {
      for (Type left = family[t]; left != 0; left &= left - 1) {
        const auto device = static_cast<std::size_t>(std::countr_zero(left));
        switches[device] += mix(colors[t]);
        types[t] += mix(~of_switch[device]);
      }
    }
    for (auto& own : switches) own = mix(own);
    for (auto& own : types) own = mix(own);
    of_switch = switches;
    colors = std::move(types);
  }
  std::uint64_t sum = family.size();
  for (const auto own : of_switch) sum += mix(own + 1);
  return sum;
}

bool RefutedFamilies::contains(const Types& family) const {
  Colors colors;
  const auto found = by_hash_.find(color(family, colors));
  if (found == by_hash_.end()) return false;
  std::vector<SetPair> sets;
  for (const Type cell : cells_.members) sets.push_back({cell, cell});
  return std::any_of(found->second.begin(), found->second.end(), [&](const Types& other) {
    Colors of_other;
    color(other, of_other);
    return other.size() == family.size() && extend({family, colors, other, of_other}, 0, sets, 0);
  });
}

void RefutedFamilies::insert(const Types& family) {
  if (room_ == 0) return;
  --room_;
  Colors colors;
  by_hash_[color(family, colors)].push_back(family);
}

}  // namespace fnn
