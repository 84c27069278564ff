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
    if (other != value) problems.add("/run/" + key, shown(other) + " is another run's, expected " + shown(value));
  }
}

void stop_at(const Problems& problems, const std::string& name) {
  if (problems.empty()) return;
  std::vector<Problem> found = problems.sorted();
  for (Problem& problem : found) problem.at = name + "#" + problem.at;
  throw BadInput(found);
}

/// Reports an unwritable path at start, not at the first checkpoint.
void require_place(const std::string& path) {
  if (path.empty()) return;
  const std::string parent = std::filesystem::path(path).parent_path();
  if (::access(parent.empty() ? "." : parent.c_str(), W_OK) == 0 && !std::filesystem::is_directory(path)) return;
  const char* const expected = "cannot be written: expected a file in a directory that can be written to";
  throw BadInput({Problem{file_name(path), expected}});
}

Json read_checkpoint(const std::string& path, const Json& run) {
  Json document = read_json(path);
  const std::string name = file_name(path);
  Problems structure;
  check_structure(document, structure);
  stop_at(structure, name);
  Problems meaning;
  check_run(document["run"], run, meaning);
  if (document["state_digest"] != digest(document["state"])) {
    meaning.add("/state", "damaged: it does not match its digest");
  }
  stop_at(meaning, name);
  return document;
}

}  // namespace

void add_checkpoint_options(CLI::App& command, CheckpointOptions& options) {
  CLI::Option* file = command.add_option("--checkpoint", options.file, "A file to keep the search's state in");
  command.add_option("--checkpoint-every", options.interval, "Seconds between two writes of it")
      ->check(between(0.0, kLongestSeconds))
      ->needs(file)
      ->capture_default_str();
  command.add_option("--resume", options.resume, "Go on from this checkpoint, as if there had been no interruption");
}

Checkpoint::Checkpoint(const CheckpointOptions& options, Json run) : options_(options), run_(std::move(run)) {
  require_place(options.file);
  if (!options.resume.empty()) resumed_ = read_checkpoint(options.resume, run_);
  wait();
}

Json Checkpoint::resume() {
  state_ = Json();
  ++search_;
  if (resumed_.is_null() || resumed_["search"] != search_) return {};
  return state_ = resumed_["state"];
}

void Checkpoint::refuse() const {
  throw BadInput({Problem{file_name(options_.resume) + "#/state", "expected the state of a search like this one"}});
}

void Checkpoint::keep(Json state) {
  if (options_.file.empty()) return;
  state_ = std::move(state);
  if (Clock::now() >= next_) write();
}

void Checkpoint::give_up() {
  if (!options_.file.empty() && !state_.is_null()) write();
}

/// A failed write, such as on a full disk, must not end a search that has run for days.
void Checkpoint::write() try {
  wait();
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

void Checkpoint::wait() {
  next_ = Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(options_.interval));
}

}  // namespace fnn
