// SPDX-License-Identifier: GPL-3.0-or-later
#include "oracle/type_orbits.h"

#include <algorithm>

#include "base/bitset.h"

namespace fnn {
namespace {

/// The first `count` switches of a set.
Type first_members(Type set, int count) {
  Type first = 0;
  for (; count > 0; --count, set &= set - 1) first |= set & (~set + 1);
  return first;
}

/// A cell that a type splits: where its two parts are in the new partition.
struct Split {
  std::size_t cell;
  std::size_t inside;
  std::size_t outside;
  int inside_size;
  int outside_size;
};

/// Splits orbits by a type: all ways to divide an orbit's switches of each cell between its two parts.
class OrbitSplitter {
 public:
  OrbitSplitter(const Cells& cells, Type type, int shared) : type_links_(count_bits(type)), shared_(shared) {
    for (std::size_t cell = 0; cell < cells.count(); ++cell) {
      const Type inside = cells.members[cell] & type;
      const Type outside = cells.members[cell] & ~type;
      Split split{cell, 0, 0, count_bits(inside), count_bits(outside)};
      if (inside != 0) split.inside = add(inside);
      if (outside != 0) split.outside = add(outside);
      splits_.push_back(split);
    }
  }

  void split(const Orbit& orbit, std::vector<Orbit>& into) const {
    Orbit part{{}, orbit.links, orbit.ports};
    divide(orbit, 0, 0, part, into);
  }

  Cells cells() const { return refined_; }

 private:
  std::size_t add(Type members) {
    refined_.members.push_back(members);
    return refined_.count() - 1;
  }

  void divide(const Orbit& orbit, std::size_t next, int meeting, Orbit& part, std::vector<Orbit>& into) const {
    if (next == splits_.size()) {
      const bool contained = meeting == orbit.links || meeting == type_links_;
      if (meeting >= shared_ && !contained) into.push_back(part);
      return;
    }
    const Split& split = splits_[next];
    const int count = orbit.counts[split.cell];
    const int least = std::max(0, count - split.outside_size);
    const int most = std::min(count, split.inside_size);
    for (int inside = least; inside <= most; ++inside) {
      if (split.inside_size > 0) part.counts[split.inside] = static_cast<std::uint8_t>(inside);
      if (split.outside_size > 0) part.counts[split.outside] = static_cast<std::uint8_t>(count - inside);
      divide(orbit, next + 1, meeting + inside, part, into);
    }
  }

  int type_links_;
  int shared_;
  Cells refined_;
  std::vector<Split> splits_;
};

/// All subsets of `set` with `count` members, each with `chosen`.
void append_subsets(Type set, int count, Type chosen, Types& into) {
  if (count == 0) {
    into.push_back(chosen);
    return;
  }
  for (; count_bits(set) >= count; set &= set - 1) {
    append_subsets(set & (set - 1), count - 1, chosen | first_members(set, 1), into);
  }
}

}  // namespace

int Cells::size(std::size_t cell) const { return count_bits(members[cell]); }

CellCounts Cells::counts_of(Type type) const {
  CellCounts counts{};
  for (std::size_t cell = 0; cell < count(); ++cell) {
    counts[cell] = static_cast<std::uint8_t>(count_bits(type & members[cell]));
  }
  return counts;
}

Type Cells::first_of(const CellCounts& counts) const {
  Type type = 0;
  for (std::size_t cell = 0; cell < count(); ++cell) type |= first_members(members[cell], counts[cell]);
  return type;
}

std::optional<Refined> refine(const Cells& cells, const std::vector<Orbit>& open, Type type, int shared,
                              std::size_t most) {
  const OrbitSplitter splitter(cells, type, shared);
  Refined refined{splitter.cells(), {}};
  for (const Orbit& orbit : open) {
    splitter.split(orbit, refined.open);
    if (refined.open.size() > most) return std::nullopt;
  }
  return refined;
}

double count_types(const Orbit& orbit, const Cells& cells) {
  double types = 1;
  for (std::size_t cell = 0; cell < cells.count(); ++cell) {
    for (int i = 0; i < orbit.counts[cell]; ++i) types = types * (cells.size(cell) - i) / (i + 1);
  }
  return types;
}

int least_shared(const Orbit& one, const Orbit& other, const Cells& cells) {
  int shared = 0;
  for (std::size_t cell = 0; cell < cells.count(); ++cell) {
    shared += std::max(0, one.counts[cell] + other.counts[cell] - cells.size(cell));
  }
  return shared;
}

void append_types(const Orbit& orbit, const Cells& cells, Types& types) {
  Types partial{0};
  for (std::size_t cell = 0; cell < cells.count(); ++cell) {
    Types longer;
    for (const Type chosen : partial) append_subsets(cells.members[cell], orbit.counts[cell], chosen, longer);
    partial = std::move(longer);
  }
  types.insert(types.end(), partial.begin(), partial.end());
}

}  // namespace fnn
