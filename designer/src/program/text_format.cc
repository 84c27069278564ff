// SPDX-License-Identifier: GPL-3.0-or-later
#include "program/text_format.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <set>
#include <sstream>

#include "base/problem.h"
#include "spec/shape.h"
#include "spec/spec.h"

namespace fnn {
namespace {

bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

/// The digits from `at` on, without leading zeros; moves `at` behind them.
std::string take_number(const std::string& text, std::size_t& at) {
  std::string digits;
  for (; at < text.size() && is_digit(text[at]); ++at) {
    if (!digits.empty() || text[at] != '0') digits += text[at];
  }
  return digits;
}

/// Natural order: n2 before n10. Names that differ only in leading zeros compare as text.
bool natural_before(const std::string& a, const std::string& b) {
  std::size_t i = 0;
  std::size_t j = 0;
  while (i < a.size() && j < b.size()) {
    if (is_digit(a[i]) && is_digit(b[j])) {
      const std::string left = take_number(a, i);
      const std::string right = take_number(b, j);
      if (left.size() != right.size()) return left.size() < right.size();
      if (left != right) return left < right;
    } else {
      if (a[i] != b[j]) return a[i] < b[j];
      ++i;
      ++j;
    }
  }
  if (i < a.size() || j < b.size()) return j < b.size();
  return a < b;
}

struct NaturalOrder {
  bool operator()(const std::string& a, const std::string& b) const { return natural_before(a, b); }
};

bool is_name(const std::string& text) {
  const auto is_letter = [](char c) { return c >= 'a' && c <= 'z'; };
  return !text.empty() && text.size() <= kLongestName && is_letter(text.front()) &&
         std::all_of(text.begin(), text.end(), [&](char c) { return is_letter(c) || is_digit(c) || c == '-'; });
}

struct SwitchLine {
  std::string name;
  std::vector<std::string> nodes;
};

class TextReader {
 public:
  explicit TextReader(std::string file) : file_(std::move(file)) {}

  void read(const std::string& text) {
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
      ++number_;
      line.erase(std::min(line.find('#'), line.size()));
      if (line.find_first_not_of(" \t\r") != std::string::npos) read_line(line);
    }
    check_all();
    if (!problems_.empty()) throw BadInput(problems_);
  }

  const std::vector<SwitchLine>& switches() const { return switches_; }
  const std::set<std::string, NaturalOrder>& nodes() const { return nodes_; }

 private:
  void report(const std::string& message) {
    problems_.push_back({file_ + " line " + std::to_string(number_), message});
  }

  void read_line(const std::string& line) {
    const std::size_t colon = line.find(':');
    if (colon == std::string::npos) {
      report("expected \"switch: node node ...\"");
      return;
    }
    std::istringstream before(line.substr(0, colon));
    std::string name;
    std::string more;
    before >> name;
    if (before >> more) report("expected one name of a switch before the colon");
    SwitchLine device{name, {}};
    if (is_sound(name) && !lines_of_switches_.emplace(name, number_).second) {
      report(shown(name) + " is already the switch of line " + std::to_string(lines_of_switches_[name]));
    }
    std::istringstream members(line.substr(colon + 1));
    std::set<std::string> seen;
    for (std::string node; members >> node;) {
      if (!is_host_name(node)) {
        report(shown(node) + " is not " + host_name_in_words());
        continue;
      }
      if (!seen.insert(node).second) report(shown(node) + " is on this switch already");
      else device.nodes.push_back(node);
      nodes_.insert(node);
    }
    switches_.push_back(device);
  }

  bool is_sound(const std::string& name) {
    if (is_name(name)) return true;
    report(shown(name) + " is not a name: lower case letters, digits and hyphens, first a letter, at most " +
           std::to_string(kLongestName) + " characters, such as rack-1");
    return false;
  }

  void check_all() {
    for (const auto& [name, line] : lines_of_switches_) {
      if (nodes_.contains(name)) {
        problems_.push_back({file_ + " line " + std::to_string(line), shown(name) + " is also the name of a node"});
      }
    }
    if (!problems_.empty()) return;
    if (nodes_.size() < 2) problems_.push_back({file_, "expected at least two nodes"});
  }

  std::string file_;
  int number_ = 0;
  std::vector<SwitchLine> switches_;
  std::set<std::string, NaturalOrder> nodes_;
  std::map<std::string, int> lines_of_switches_;
  std::vector<Problem> problems_;
};

}  // namespace

TextDesign parse_text_design(const std::string& text, const std::string& name, const std::string& cluster) {
  TextReader reader(name);
  reader.read(text);
  std::map<std::string, std::size_t> numbers;
  for (const std::string& node : reader.nodes()) numbers.emplace(node, numbers.size());

  TextDesign design{{{"format", "fnn-spec"}, {"version", 1}, {"cluster", cluster}, {"topology", "fnn"}},
                    Cabling(numbers.size())};
  Json& switches = design.spec["switches"] = Json::array();
  for (const SwitchLine& device : reader.switches()) {
    for (const std::string& node : device.nodes) {
      auto& cables = design.cabling[numbers.at(node)];
      cables.push_back({static_cast<int>(cables.size()), static_cast<int>(switches.size())});
    }
    switches.push_back({{"name", device.name}, {"ports", std::max<std::size_t>(1, device.nodes.size())}});
  }
  Json& nodes = design.spec["nodes"] = Json::array();
  for (const std::string& node : reader.nodes()) {
    nodes.push_back({{"name", node}, {"nics", design.cabling[numbers.at(node)].size()}});
  }
  return design;
}

std::string text_of_design(const Json& document) {
  std::string text;
  for (const Json& device : document["switches"]) {
    std::vector<std::string> nodes = device["nodes"];
    std::sort(nodes.begin(), nodes.end(), NaturalOrder{});
    text += device["name"].get<std::string>() + ":";
    for (const std::string& node : nodes) text += " " + node;
    text += "\n";
  }
  return text;
}

}  // namespace fnn
