// SPDX-License-Identifier: GPL-3.0-or-later
// Cells of equivalent switches and orbits of equivalent types, for the search over types (oracle/type_search.cc).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace fnn {

/// A set of switches, as bits.
using Type = std::uint32_t;
using Types = std::vector<Type>;

inline constexpr int kMostTypeSwitches = 32;

inline bool holds(Type type, std::size_t device) { return (type >> device & 1U) != 0; }

/// The number of switches in each cell.
using CellCounts = std::array<std::uint8_t, kMostTypeSwitches>;

/// A partition of the switches. Those of a cell have the same width and media and belong to the same used types, so any
/// permutation of them changes nothing.
struct Cells {
  std::vector<Type> members;

  std::size_t count() const { return members.size(); }
  int size(std::size_t cell) const;
  CellCounts counts_of(Type type) const;
  /// The type with so many switches of each cell, the first ones.
  Type first_of(const CellCounts& counts) const;
};

/// All types with these numbers of switches in the cells.
struct Orbit {
  CellCounts counts{};
  int links = 0;        ///< of one type
  long long ports = 0;  ///< of its switches
};

/// The cells and the open orbits once a type is used.
struct Refined {
  Cells cells;
  std::vector<Orbit> open;
};

/// Splits each cell by `type`, which has the first switches of some cells, and each orbit likewise. Keeps the types that
/// share at least `shared` switches with it, do not contain it and are not contained in it. Nothing if that makes more
/// than `most` orbits.
std::optional<Refined> refine(const Cells& cells, const std::vector<Orbit>& open, Type type, int shared,
                              std::size_t most);

/// The number of its types, as a floating-point number: there may be many.
double count_types(const Orbit& orbit, const Cells& cells);

/// Switches that any type of one orbit shares with any of the other: by pigeonhole, in each cell as many as both have
/// beyond its size.
int least_shared(const Orbit& one, const Orbit& other, const Cells& cells);

/// Appends all types of an orbit.
void append_types(const Orbit& orbit, const Cells& cells, Types& types);

}  // namespace fnn
