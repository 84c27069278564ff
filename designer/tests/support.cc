// SPDX-License-Identifier: GPL-3.0-or-later
#include "support.h"

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <stdexcept>
#include <thread>

namespace fnn::testing {
namespace {

std::string padded(const std::string& prefix, int number, std::size_t digits) {
  const std::string text = std::to_string(number);
  return prefix + std::string(digits - std::min(digits, text.size()), '0') + text;
}

std::string quoted(const std::string& text) { return "'" + text + "'"; }

}  // namespace

Json plain_spec(int nodes, int nics, int switches, int ports) {
  Json spec = {{"format", "fnn-spec"}, {"version", 1}, {"cluster", "test"}, {"topology", "fnn"}};
  for (int i = 0; i < nodes; ++i) spec["nodes"].push_back({{"name", padded("n", i, 3)}, {"nics", nics}});
  for (int j = 0; j < switches; ++j) spec["switches"].push_back({{"name", padded("s", j, 2)}, {"ports", ports}});
  return spec;
}

// Only an affine plane of order 6 would do: 36 points, 42 lines of 6, each point on 7 of them. There is none (Tarry 1901).
Json open_spec() { return plain_spec(36, 7, 42, 6); }

Json random_spec(Random& random) {
  const auto between = numbers_of(random);
  Json spec = plain_spec(between(2, 14), 1, between(1, 6), 4);
  const bool mixed_media = random.one_in(3);
  for (Json& node : spec["nodes"]) {
    node["nics"] = between(1, 4);
    if (mixed_media && random.one_in(2)) {
      node["nics"] = Json::array();
      for (int k = between(1, 4); k > 0; --k) {
        node["nics"].push_back({{"speed_mbps", 1000}, {"media", random.one_in(2) ? "rj45" : "sfp"}});
      }
    }
  }
  for (Json& device : spec["switches"]) {
    const int ports = between(2, 12);
    device["ports"] = ports;
    if (mixed_media) {
      device["ports"] = Json::array({{{"count", ports}, {"speed_mbps", 1000}, {"media", "rj45"}},
                                     {{"count", between(1, 6)}, {"speed_mbps", 1000}, {"media", "sfp"}}});
    }
    if (random.one_in(3)) device["reserved"] = between(0, 2);
  }
  return spec;
}

Json many_sided_spec(Random& random) {
  Json spec = random_spec(random);
  const auto rack = [&] { return random.one_in(2) ? "here" : "there"; };
  const auto speed = [&](Json group) {
    group["speed_mbps"] = random.one_in(2) ? 1000 : 2500;
    return group;
  };
  const Json place = {{"name", "here"}, {"x_m", 0.6}, {"y_m", -2}};
  if (random.one_in(2)) spec["racks"] = {place, {{"name", "there"}, {"x_m", 3}, {"y_m", 1.5}}};
  for (Json& node : spec["nodes"]) {
    node["rack"] = rack();
    if (!node["nics"].is_array()) node["nics"] = Json(node["nics"].get<std::size_t>(), {{"media", "rj45"}});
    for (Json& nic : node["nics"]) nic = speed(nic);
  }
  for (Json& device : spec["switches"]) {
    device["rack"] = rack();
    if (!device["ports"].is_array()) device["ports"] = {{{"count", device["ports"]}, {"media", "rj45"}}};
    for (Json& group : device["ports"]) group = speed(group);
    if (random.one_in(2)) device["price"] = 1 + random.below(100);
  }
  for (const char* what : {"cable", "cable_m", "nic", "port", "switch"}) {
    if (random.one_in(3)) spec["prices"][what] = static_cast<double>(random.below(100)) / 8;
  }
  const Json some = Json::parse(R"([["n000", "n001", 3], ["n001", "n000", 2.5]])");
  if (random.one_in(2)) spec["patterns"] = Json::parse(R"([{"kind": "ring", "weight": 2}, {"kind": "tree"}])");
  if (random.one_in(3)) spec["patterns"].push_back({{"kind", "pairs"}, {"pairs", some}, {"weight", 0.5}});
  if (spec.contains("patterns") && random.one_in(2)) spec["coverage"] = "patterns";
  if (random.one_in(3)) spec["redundancy"] = 2;
  for (const char* goal : {"shared_switches", "balance", "exposure", "cable_length", "moved_cables", "price"}) {
    if (random.one_in(2)) spec["goals"][goal] = static_cast<double>(1 + random.below(8)) / 4;
  }
  if (random.one_in(3)) spec["goals"]["evaluation"] = {{"pairs", some}};
  return spec;
}

int cases(int few, int all) { return std::getenv("FNN_TEST_FULL") == nullptr ? few : all; }

Json data(const std::string& name) { return read_json(std::string(FNN_TEST_DATA) + "/" + name); }

std::string broken_limit(const Wiring& wiring) {
  const Limits& limits = wiring.limits();
  std::map<int, int> in_group;
  std::map<int, int> on_switch;
  std::set<std::pair<int, int>> links;
  for (int nic = 0; nic < static_cast<int>(limits.nics.size()); ++nic) {
    const int group = wiring.group(nic);
    if (group == kDummy) continue;
    const Group& ports = limits.groups[Limits::at(group)];
    if (ports.media != wiring.media(nic)) return "a NIC in a port of another media";
    if (!links.emplace(wiring.node(nic), ports.device).second) return "a node twice on a switch";
    if (++in_group[group] > ports.ports) return "more links than ports of a media";
    if (++on_switch[ports.device] > limits.usable_ports[Limits::at(ports.device)]) return "more links than ports";
  }
  for (int device = 0; device < limits.switch_count(); ++device) {
    if (wiring.load(device) != on_switch[device]) return "a load that is not the number of links";
    for (int node = 0; node < limits.node_count(); ++node) {
      if (wiring.is_on(node, device) != links.contains({node, device})) return "a member without link, or the reverse";
    }
  }
  return "";
}

ProgramResult run_designer(const std::vector<std::string>& arguments) {
  const TemporaryDirectory scratch;
  std::string command = FNN_DESIGNER;
  for (const std::string& argument : arguments) command += " " + quoted(argument);
  const bool has_limit = std::find(arguments.begin(), arguments.end(), "--time-limit") != arguments.end();
  if (!arguments.empty() && arguments[0] == "design" && !has_limit) command += " --time-limit 100";
  const int status = std::system((command + " > " + scratch / "out" + " 2> " + scratch / "err").c_str());
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, read_file(scratch / "out"), read_file(scratch / "err")};
}

BackgroundProgram::BackgroundProgram(const std::vector<std::string>& command) {
  std::vector<char*> arguments;
  for (const std::string& argument : command) arguments.push_back(const_cast<char*>(argument.c_str()));
  arguments.push_back(nullptr);
  const std::string out = scratch_ / "out";
  const std::string err = scratch_ / "err";
  process_ = ::fork();
  if (process_ < 0) throw std::runtime_error("cannot fork");
  if (process_ > 0) return;
  // A shell starts background jobs with SIGINT ignored, and child processes inherit that.
  ::signal(SIGINT, SIG_DFL);
  if (::freopen(out.c_str(), "w", stdout) != nullptr && ::freopen(err.c_str(), "w", stderr) != nullptr) {
    ::execvp(arguments[0], arguments.data());
  }
  ::_exit(127);
}

BackgroundProgram::~BackgroundProgram() {
  if (process_ <= 0) return;
  ::kill(process_, SIGKILL);
  ::waitpid(process_, nullptr, 0);
}

void BackgroundProgram::send(int signal) const { ::kill(process_, signal); }

bool BackgroundProgram::catches(int signal) const {
  std::ifstream status("/proc/" + std::to_string(process_) + "/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with("SigCgt:")) return (std::stoull(line.substr(7), nullptr, 16) >> (signal - 1) & 1U) != 0;
  }
  return false;
}

ProgramResult BackgroundProgram::wait() {
  int status = 0;
  ::waitpid(process_, &status, 0);
  process_ = 0;
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status), read_file(scratch_ / "out"),
          read_file(scratch_ / "err")};
}

std::vector<std::string> designer_command(const std::vector<std::string>& arguments) {
  std::vector<std::string> command{FNN_DESIGNER};
  command.insert(command.end(), arguments.begin(), arguments.end());
  return command;
}

bool wait_for_file(const std::filesystem::path& path) {
  std::error_code missing;
  for (int looks = 0; looks < 60000; ++looks) {
    const auto size = std::filesystem::file_size(path, missing);
    if (!missing && size > 0) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return false;
}

std::string read_file(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error("cannot read " + path.string());
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

void write_file(const std::filesystem::path& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary);
  file << text;
  if (!file.flush()) throw std::runtime_error("cannot write " + path.string());
}

TemporaryDirectory::TemporaryDirectory() {
  std::string name = (std::filesystem::temp_directory_path() / "fnn-designer-XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("cannot make " + name);
  path_ = name;
}

TemporaryDirectory::~TemporaryDirectory() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace fnn::testing
