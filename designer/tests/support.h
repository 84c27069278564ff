// SPDX-License-Identifier: GPL-3.0-or-later
// What several tests need: specs made in a line, a program run, a directory of its own.
#pragma once

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

/// A spec document with nodes and switches of all kinds, media and widths, feasible or not.
Json random_spec(Random& random);

/// A document from designer/tests/data.
Json data(const std::string& name);

/// What breaks the limits in a wiring; empty when nothing does. Counts everything afresh.
std::string broken_limit(const Wiring& wiring);

struct Ran {
  int code;
  std::string out;
  std::string err;

  Json answer() const { return Json::parse(out); }
};

/// Runs bin/fnn-designer with arguments.
Ran run_designer(const std::vector<std::string>& arguments);

std::string read_file(const std::filesystem::path& path);
void write_file(const std::filesystem::path& path, const std::string& text);

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

}  // namespace fnn::testing
