// SPDX-License-Identifier: GPL-3.0-or-later
// Checkpoints: the state of a search in a file, from which a later run continues exactly as this one would.
//
// The file names the run it belongs to (spec, seed, engine, ...) and carries a digest of the state, so
// that no run resumes from the state of another run or from a damaged one. A run may search several
// times, as a redesign does; the searches before the saved one are repeated.
#pragma once

#include <CLI/CLI.hpp>
#include <chrono>
#include <string>

#include "search/checkpoint_sink.h"

namespace fnn {

struct CheckpointOptions {
  std::string file;
  std::string resume;
  double interval = 60.0;  ///< seconds between two writes

  bool any() const { return !file.empty() || !resume.empty(); }
};

void add_checkpoint_options(CLI::App& command, CheckpointOptions& options);

class Checkpoint : public CheckpointSink {
 public:
  /// `run` identifies this run, key by key. Reads the checkpoint to resume; throws BadInput when it is
  /// damaged or belongs to another run.
  Checkpoint(const CheckpointOptions& options, Json run);

  Json resume() override;
  [[noreturn]] void reject_state() const override;
  void save(Json state) override;
  void end_without_success() override;

 private:
  void write();
  void schedule_next();

  using Clock = std::chrono::steady_clock;
  CheckpointOptions options_;
  Json run_;
  Json resumed_;          ///< the document to resume from, or null
  int search_ = 0;        ///< counts the searches of this run
  Json state_;            ///< the last one received
  Clock::time_point next_;
};

}  // namespace fnn
