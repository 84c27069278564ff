// SPDX-License-Identifier: GPL-3.0-or-later
// Mutation operators: each proposes moves of one kind, always within the limits.
//
// Proposing is all an operator does. Judging a move (Neighborhoods::judge, Homes::judge) and making
// it (Neighborhoods::make) are separate, so that the search may look at many and make few.
#pragma once

#include <optional>
#include <vector>

#include "base/random.h"
#include "search/neighborhoods.h"

namespace fnn {

/// The NICs that a search may touch; the others stay where they are.
class Movable {
 public:
  explicit Movable(const Limits& limits);  ///< all of them
  Movable(const Limits& limits, const std::vector<bool>& fixed);

  bool has(int nic) const { return allowed_[Limits::at(nic)]; }
  bool none() const { return nics_.empty(); }
  int pick(Random& random) const { return nics_[random.below(nics_.size())]; }

 private:
  std::vector<bool> allowed_;
  std::vector<int> nics_;
};

class Operator {
 public:
  virtual ~Operator() = default;
  /// A move, or nothing when chance led into a dead end.
  virtual std::optional<Move> propose(const Neighborhoods& now, const Movable& movable, Random& random) const = 0;
};

/// Two NICs of two nodes change places. One of them may be unused: the dummy port takes part.
class Exchange : public Operator {
 public:
  std::optional<Move> propose(const Neighborhoods& now, const Movable& movable, Random& random) const override;
};

/// A NIC goes to a free port: an exchange with a dummy node.
class Relocate : public Operator {
 public:
  std::optional<Move> propose(const Neighborhoods& now, const Movable& movable, Random& random) const override;
};

/// A NIC takes the place of another, which goes on to a free port.
class Shift : public Operator {
 public:
  std::optional<Move> propose(const Neighborhoods& now, const Movable& movable, Random& random) const override;
};

/// Aims at a problem spot: brings one node of an uncovered pair onto a switch of the other.
class Bridge : public Operator {
 public:
  std::optional<Move> propose(const Neighborhoods& now, const Movable& movable, Random& random) const override;
};

}  // namespace fnn
