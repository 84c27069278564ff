// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/json_text.h"

namespace fnn {

/// A checkpoint sink: saves the state of a search, so that a later run can resume it (program/checkpoint.h).
class CheckpointSink {
 public:
  virtual ~CheckpointSink() = default;
  /// Called when a search begins: returns the state to resume from, or null for a fresh start.
  virtual Json resume() = 0;
  /// Called when the state from resume() does not fit the search. Throws.
  [[noreturn]] virtual void reject_state() const = 0;
  /// Called after every complete round.
  virtual void save(Json state) = 0;
  /// Called when the search ends without success; a run resumed from the last state may still succeed.
  virtual void end_without_success() = 0;
};

}  // namespace fnn
