// SPDX-License-Identifier: GPL-3.0-or-later
// Shared helpers of the tests: short specs, runs of the program, temporary directories.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <string>
#include <vector>

#include "base/json_text.h"
#include "base/random.h"
#include "design/wiring.h"
#include "spec/spec.h"

namespace fnn::testing {

/// The number of cases that a test runs: `few`, or `all` in make test-full, which sets FNN_TEST_FULL.
int cases(int few, int all);

/// Draws numbers from `least` to `most`: numbers_of(random)(least, most).
inline auto numbers_of(Random& random) {
  return [&random](int least, int most) {
    return least + static_cast<int>(random.below(static_cast<std::size_t>(most - least + 1)));
  };
}

/// A spec document with identical nodes (n000...) and identical switches (s00...), without an uplink.
Json plain_spec(int nodes, int nics, int switches, int ports);

/// A spec without a design that no bound rules out: a search ends only at its limits or at a signal.
Json open_spec();

/// A spec document with nodes and switches of all kinds, media and widths, feasible or not.
Json random_spec(Random& random);

/// A random spec with all inputs of the goals: racks, prices, speeds, weighted pairs, and the goals.
Json many_sided_spec(Random& random);

/// A document from designer/tests/data.
Json data(const std::string& name);

/// The first violated limit of a wiring, recounted from scratch; empty when there is none.
std::string broken_limit(const Wiring& wiring);

/// A directory that the destructor removes.
class TemporaryDirectory {
 public:
  TemporaryDirectory();
  TemporaryDirectory(const TemporaryDirectory&) = delete;
  TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;
  ~TemporaryDirectory();
  std::string operator/(const std::string& name) const { return (path_ / name).string(); }

 private:
  std::filesystem::path path_;
};

struct ProgramResult {
  int code;
  std::string out;
  std::string err;

  Json answer() const { return Json::parse(out); }
};

/// Runs bin/fnn-designer with arguments. A design has more time than by default: the machine may be busy.
ProgramResult run_designer(const std::vector<std::string>& arguments);

/// A program that runs in the background; its output goes to files until it has ended.
class BackgroundProgram {
 public:
  explicit BackgroundProgram(const std::vector<std::string>& command);
  BackgroundProgram(const BackgroundProgram&) = delete;
  BackgroundProgram& operator=(const BackgroundProgram&) = delete;
  ~BackgroundProgram();

  void send(int signal) const;
  /// Whether the program has a handler for the signal by now.
  bool catches(int signal) const;
  /// Waits for the end of the program; `code` is -N when signal N killed it.
  ProgramResult wait();

 private:
  TemporaryDirectory scratch_;
  pid_t process_;
};

/// The command line of bin/fnn-designer with arguments, for BackgroundProgram.
std::vector<std::string> designer_command(const std::vector<std::string>& arguments);

/// Waits until the file exists and is not empty; false after ten minutes, which only end a hang.
bool wait_for_file(const std::filesystem::path& path);

std::string read_file(const std::filesystem::path& path);
void write_file(const std::filesystem::path& path, const std::string& text);

}  // namespace fnn::testing
