// SPDX-License-Identifier: GPL-3.0-or-later
#include "spec/pair_file.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <optional>
#include <set>

#include "base/csv.h"
#include "base/json_syntax.h"
#include "base/json_text.h"
#include "base/problem.h"
#include "base/reading.h"
#include "spec/spec_shape.h"

namespace fnn {
namespace {

using std::size_t;

/// Digits with an optional fraction and an optional exponent; no sign, since all values are non-negative.
std::optional<double> number_in(const std::string& field) {
  size_t at = 0;
  const auto digits = [&] {
    const size_t start = at;
    while (at < field.size() && field[at] >= '0' && field[at] <= '9') ++at;
    return at > start;
  };
  if (!digits()) return std::nullopt;
  if (at < field.size() && field[at] == '.' && (++at, !digits())) return std::nullopt;
  if (at < field.size() && (field[at] == 'e' || field[at] == 'E')) {
    ++at;
    if (at < field.size() && (field[at] == '+' || field[at] == '-')) ++at;
    if (!digits()) return std::nullopt;
  }
  const double value = std::strtod(field.c_str(), nullptr);
  if (at < field.size() || !std::isfinite(value)) return std::nullopt;
  return value;
}

/// As in a spec, so that no sum of weights is infinite.
const Json& largest_weight() {
  static const Json most =
      spec_schema().at(Json::json_pointer("/properties/patterns/items/properties/pairs/items/prefixItems/2/maximum"));
  return most;
}

class Reader {
 public:
  Reader(const std::string& name, const std::vector<std::string>& nodes)
      : name_(name), nodes_(nodes), known_(nodes.begin(), nodes.end()) {}

  PairFile read(const std::vector<CsvLine>& lines) {
    if (lines.empty()) result_.problems.push_back(name_ + " names no pairs");
    else if (lines[0].fields[0].empty()) read_named_matrix(lines);
    else if (const std::string& first = lines[0].fields[0]; first[0] >= '0' && first[0] <= '9' && !known_.contains(first))
      read_matrix(lines);
    else for (const CsvLine& line : lines) read_pair(line);
    return std::move(result_);
  }

 private:
  /// Reports each problem once: a line may name an unknown node twice.
  void report(const CsvLine& line, const std::string& message) {
    const std::string problem = name_ + " line " + std::to_string(line.number) + ": " + message;
    if (reported_.insert(problem).second) result_.problems.push_back(problem);
  }

  bool known(const CsvLine& line, const std::string& node) {
    if (known_.contains(node)) return true;
    report(line, shown(node) + " is not the name of a node");
    return false;
  }

  double weight(const CsvLine& line, const std::string& field) {
    const std::optional<double> number = number_in(field);
    if (!number) report(line, shown(field) + " is not a non-negative number");
    else if (*number > largest_weight().get<double>()) report(line, shown(field) + " is more than " + compact(largest_weight()));
    else if (const auto tiny = too_little_weight(*number, shown(field))) report(line, *tiny);
    return number.value_or(0);
  }

  void read_pair(const CsvLine& line) {
    const std::vector<std::string>& fields = line.fields;
    if (fields.size() < 2 || fields.size() > 3) {
      report(line, "expected two node names and perhaps a weight, not " +
                         counted(static_cast<long long>(fields.size()), "field"));
      return;
    }
    const bool first = known(line, fields[0]);
    const bool second = known(line, fields[1]);
    if (first && second && fields[0] == fields[1]) report(line, fields[0] + " with itself");
    result_.pairs.push_back({fields[0], fields[1], fields.size() == 3 ? weight(line, fields[2]) : 1.0});
  }

  /// The first line names the columns; each further line starts with the name of its row.
  void read_named_matrix(const std::vector<CsvLine>& lines) {
    const std::vector<std::string> columns(lines[0].fields.begin() + 1, lines[0].fields.end());
    std::set<std::string> seen;
    for (const std::string& column : columns) require_fresh(lines[0], column, "column", seen);
    seen.clear();
    for (size_t i = 1; i < lines.size(); ++i) require_fresh(lines[i], lines[i].fields[0], "row", seen);
    for (size_t i = 1; i < lines.size(); ++i) read_row(lines[i], lines[i].fields[0], columns, 1);
  }

  void require_fresh(const CsvLine& line, const std::string& node, const std::string& what, std::set<std::string>& seen) {
    if (known(line, node) && !seen.insert(node).second) report(line, node + " has a " + what + " already");
  }

  void read_matrix(const std::vector<CsvLine>& lines) {
    if (lines.size() != nodes_.size()) {
      result_.problems.push_back(name_ + " has " + counted(static_cast<long long>(lines.size()), "row") + " for " +
                                 counted(static_cast<long long>(nodes_.size()), "node"));
    }
    for (size_t i = 0; i < std::min(lines.size(), nodes_.size()); ++i) read_row(lines[i], nodes_[i], nodes_, 0);
  }

  void read_row(const CsvLine& line, const std::string& row, const std::vector<std::string>& columns, size_t skipped) {
    const size_t numbers = line.fields.size() - skipped;
    if (numbers != columns.size()) {
      report(line, "expected " + counted(static_cast<long long>(columns.size()), "number") + ", not " +
                         std::to_string(numbers));
      return;
    }
    for (size_t j = 0; j < numbers; ++j) {
      const double bytes = weight(line, line.fields[skipped + j]);
      if (bytes > 0 && columns[j] != row) result_.pairs.push_back({row, columns[j], bytes});
    }
  }

  const std::string& name_;
  const std::vector<std::string>& nodes_;
  const std::set<std::string> known_;
  std::set<std::string> reported_;
  PairFile result_;
};

}  // namespace

std::optional<std::string> too_little_weight(double weight, const std::string& text) {
  if (weight <= 0 || weight >= kLeastWeight) return std::nullopt;
  return text + " is less than " + compact(kLeastWeight);
}

PairFile read_pair_file(const std::string& path, const std::string& name, const std::vector<std::string>& nodes) {
  Bytes bytes = read_bytes(path);
  if (bytes.too_large) return {Json::array(), {name + " is " + bytes.failure}};
  if (!bytes.failure.empty()) return {Json::array(), {name + " cannot be read"}};
  std::string text = std::move(bytes.text);
  if (!is_utf8(text)) return {Json::array(), {name + " is not UTF-8"}};
  const std::string mark = "\xEF\xBB\xBF";
  if (text.starts_with(mark)) text.erase(0, mark.size());
  return Reader(name, nodes).read(csv_lines(text));
}

}  // namespace fnn
