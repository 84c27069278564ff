// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/json_text.h"

namespace fnn {

/// Keeps the state of a search, so that it can go on another time (program/checkpoint.h).
class Keeper {
 public:
  virtual ~Keeper() = default;
  /// Asked when a search begins: the state that it is to go on from, or null to begin anew.
  virtual Json resume() = 0;
  /// What resume() gave is no state of such a search. Throws.
  [[noreturn]] virtual void refuse() const = 0;
  /// Told after every round that ended in full.
  virtual void keep(Json state) = 0;
  /// The search ends without success; going on from what was kept last may still bring it.
  virtual void give_up() = 0;
};

}  // namespace fnn
