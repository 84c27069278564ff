// SPDX-License-Identifier: GPL-3.0-or-later
#include "design/wanted_pairs.h"

#include <algorithm>
#include <map>
#include <string>
#include <vector>

namespace fnn {
namespace {

using std::size_t;

std::vector<size_t> coordinates(size_t rank, const std::vector<size_t>& dims) {
  std::vector<size_t> place;
  for (const size_t dim : dims) {
    place.push_back(rank % dim);
    rank /= dim;
  }
  return place;
}

/// Whether two nodes are on one line, and neighbors there unless any place on the line will do.
bool on_a_line(size_t a, size_t b, const std::vector<size_t>& dims, bool anywhere) {
  const std::vector<size_t> one = coordinates(a, dims);
  const std::vector<size_t> other = coordinates(b, dims);
  size_t different = 0;
  bool near = true;
  for (size_t d = 0; d < dims.size(); ++d) {
    if (one[d] == other[d]) continue;
    ++different;
    const size_t apart = std::max(one[d], other[d]) - std::min(one[d], other[d]);
    near = near && (apart == 1 || apart == dims[d] - 1);
  }
  return different == 1 && (anywhere || near);
}

std::string bits(size_t rank, size_t nodes) {
  std::string text;
  for (size_t bit = 1; bit < nodes; bit *= 2) text += rank & bit ? '1' : '0';
  return text;
}

size_t different_bits(size_t a, size_t b, size_t nodes) {
  const std::string one = bits(a, nodes);
  const std::string other = bits(b, nodes);
  size_t different = 0;
  for (size_t i = 0; i < one.size(); ++i) different += one[i] != other[i] ? 1 : 0;
  return different;
}

bool is_power_of_two(size_t number) {
  while (number > 1 && number % 2 == 0) number /= 2;
  return number == 1;
}

size_t lowest_bit(size_t number) {
  size_t bit = 1;
  while (number / bit % 2 == 0) bit *= 2;
  return bit;
}

size_t square_root(size_t number) {
  size_t root = 0;
  while (root * root < number) ++root;
  return root;
}

/// a < b < n.
bool talk(const Json& pattern, size_t a, size_t b, size_t n) {
  const std::string kind = pattern["kind"];
  const auto given = [&](const char* key) { return pattern[key].get<size_t>(); };
  const size_t up = b - a;
  const size_t around = n - up;
  if (kind == "ring") return up == 1 || around == 1;
  if (kind == "shift") return up == given("offset") || around == given("offset");
  if (kind == "dissemination") return is_power_of_two(up) || is_power_of_two(around);
  if (kind == "torus") return on_a_line(a, b, pattern["dims"], pattern["reach"] == "lines");
  if (kind == "grid") return a % given("rows") == b % given("rows") || a / given("rows") == b / given("rows");
  if (kind == "groups") return a / given("size") == b / given("size");
  if (kind == "hypercube") return different_bits(a, b, n) == 1;
  if (kind == "tree") return a == b - lowest_bit(b);
  if (kind == "bit-reversal") {
    const std::string one = bits(a, n);
    return std::string(one.rbegin(), one.rend()) == bits(b, n);
  }
  const size_t side = square_root(n);
  return kind == "transpose" && a % side == b / side && a / side == b % side;
}

}  // namespace

WantedPairs::WantedPairs(const Json& spec) : spec_(spec) {
  std::map<std::string, size_t> ranks;
  for (const Json& node : spec["nodes"]) ranks.emplace(node["name"], ranks.size());
  for (const Json& pattern : spec["patterns"]) {
    if (pattern["kind"] != "pairs") continue;
    for (const Json& pair : pattern["pairs"]) {
      const std::pair<size_t, size_t> both = std::minmax(ranks.at(pair[0]), ranks.at(pair[1]));
      listed_.insert(both);
    }
  }
}

bool WantedPairs::has(size_t a, size_t b) const {
  if (spec_["coverage"] == "all" || listed_.contains({a, b})) return true;
  const Json& patterns = spec_["patterns"];
  return std::any_of(patterns.begin(), patterns.end(),
                     [&](const Json& pattern) { return talk(pattern, a, b, spec_["nodes"].size()); });
}

}  // namespace fnn
