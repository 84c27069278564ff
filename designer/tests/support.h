// SPDX-License-Identifier: GPL-3.0-or-later
// What several tests need: specs made in a line, a program run, a directory of its own.
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

/// A spec document with alike nodes (n000...) and alike switches (s00...), without an uplink.
Json plain_spec(int nodes, int nics, int switches, int ports);

/// A spec that no bound rules out and for which nobody knows a design, nor that there is none: a
/// search for one ends only when it is told to.
Json open_spec();

/// A spec document with nodes and switches of all kinds, media and widths, feasible or not.
Json random_spec(Random& random);

/// The same with all that goals can look at: racks, prices, speeds, weighted pairs, and the goals.
Json many_sided_spec(Random& random);

/// A document from designer/tests/data.
Json data(const std::string& name);

/// What breaks the limits in a wiring; empty when nothing does. Counts everything afresh.
std::string broken_limit(const Wiring& wiring);

/// A directory that goes away with its owner.
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

struct Ran {
  int code;
  std::string out;
  std::string err;

  Json answer() const { return Json::parse(out); }
};

/// Runs bin/fnn-designer with arguments.
Ran run_designer(const std::vector<std::string>& arguments);

/// A program that runs beside the test, its output kept in files until it has ended.
class Started {
 public:
  explicit Started(const std::vector<std::string>& command);
  Started(const Started&) = delete;
  Started& operator=(const Started&) = delete;
  ~Started();

  void send(int signal) const;
  /// Waits until it has ended; `code` is -N when signal N killed it.
  Ran wait();

 private:
  TemporaryDirectory scratch_;
  pid_t process_;
};

/// bin/fnn-designer with arguments, beside the test.
std::vector<std::string> designer_command(const std::vector<std::string>& arguments);

/// Waits until there is a file with something in it; false when there is none after a minute.
bool appears(const std::filesystem::path& path);

std::string read_file(const std::filesystem::path& path);
void write_file(const std::filesystem::path& path, const std::string& text);

}  // namespace fnn::testing
