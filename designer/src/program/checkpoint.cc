// SPDX-License-Identifier: GPL-3.0-or-later
#include "program/checkpoint.h"

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <iostream>

#include "base/digest.h"
#include "base/problem.h"
#include "base/writing.h"
#include "program/between.h"
#include "spec/shape.h"

namespace fnn {
namespace {

constexpr std::int64_t kMostSearches = 1000000;

void check_structure(const Json& document, Problems& problems) {
  const Check checkpoint = object_of({{"format", kRequired, constant("fnn-checkpoint")},
                                      {"version", kRequired, constant(1)},
                                      {"run", kRequired, any_object()},
                                      {"search", kRequired, positive_integer(kMostSearches)},
                                      {"state", kRequired, any_object()},
                                      {"state_digest", kRequired, sha256()}});
  checkpoint(document, "", problems);
}

void check_run(const Json& theirs, const Json& ours, Problems& problems) {
  for (const auto& [key, value] : ours.items()) {
    const Json other = theirs.value(key, Json());
    if (other != value) problems.add("/run/" + key, shown(other) + " belongs to another run, expected " + shown(value));
  }
}

void throw_if_any(const Problems& problems, const std::string& name) {
  if (problems.empty()) return;
  std::vector<Problem> found = problems.sorted();
  for (Problem& problem : found) problem.at = name + "#" + problem.at;
  throw BadInput(found);
}

/// Reports an unwritable path at start, not at the first checkpoint.
void require_writable(const std::string& path) {
  if (path.empty()) return;
  const std::string parent = std::filesystem::path(path).parent_path();
  if (::access(parent.empty() ? "." : parent.c_str(), W_OK) == 0 && !std::filesystem::is_directory(path)) return;
  const char* const expected = "cannot be written: expected a file in a writable directory";
  throw BadInput({Problem{file_name(path), expected}});
}

Json read_checkpoint(const std::string& path, const Json& run) {
  Json document = read_json(path);
  const std::string name = file_name(path);
  Problems structure;
  check_structure(document, structure);
  throw_if_any(structure, name);
  Problems meaning;
  check_run(document["run"], run, meaning);
  if (document["state_digest"] != digest(document["state"])) {
    meaning.add("/state", "damaged: it does not match its digest");
  }
  throw_if_any(meaning, name);
  return document;
}

}  // namespace

void add_checkpoint_options(CLI::App& command, CheckpointOptions& options) {
  CLI::Option* file = command.add_option("--checkpoint", options.file, "File for the state of the search");
  command.add_option("--checkpoint-every", options.interval, "Seconds between two checkpoints")
      ->check(between(0.0, kLongestSeconds))
      ->needs(file)
      ->capture_default_str();
  command.add_option("--resume", options.resume,
                     "Continue from this checkpoint, exactly as the uninterrupted run would");
}

Checkpoint::Checkpoint(const CheckpointOptions& options, Json run) : options_(options), run_(std::move(run)) {
  require_writable(options.file);
  if (!options.resume.empty()) resumed_ = read_checkpoint(options.resume, run_);
  schedule_next();
}

Json Checkpoint::resume() {
  state_ = Json();
  ++search_;
  if (resumed_.is_null() || resumed_["search"] != search_) return {};
  return state_ = resumed_["state"];
}

void Checkpoint::reject_state() const {
  throw BadInput({Problem{file_name(options_.resume) + "#/state", "does not fit this search"}});
}

void Checkpoint::save(Json state) {
  if (options_.file.empty()) return;
  state_ = std::move(state);
  if (Clock::now() >= next_) write();
}

void Checkpoint::end_without_success() {
  if (!options_.file.empty() && !state_.is_null()) write();
}

/// A failed write, such as on a full disk, must not end a search that has run for days.
void Checkpoint::write() try {
  schedule_next();
  write_atomically(options_.file, compact({{"format", "fnn-checkpoint"},
                                           {"version", 1},
                                           {"run", run_},
                                           {"search", search_},
                                           {"state", state_},
                                           {"state_digest", digest(state_)}}) +
                                      "\n");
} catch (const BadInput& failure) {
  std::cerr << failure.what() << "\n";
}

void Checkpoint::schedule_next() {
  next_ = Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(options_.interval));
}

}  // namespace fnn
