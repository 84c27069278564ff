// SPDX-License-Identifier: GPL-3.0-or-later
#include "design/wanted_pairs.h"

#include <algorithm>
#include <map>
#include <string>

namespace fnn {
namespace {

using std::size_t;
using PairPredicate = std::function<bool(size_t a, size_t b)>;

/// Whether two nodes are on one line of the grid, and neighbors there, unless `anywhere` admits the whole line.
bool on_a_line(size_t a, size_t b, const std::vector<size_t>& dims, bool anywhere) {
  size_t different = 0;
  bool near = true;
  for (const size_t dim : dims) {
    const size_t one = a % dim;
    const size_t other = b % dim;
    a /= dim;
    b /= dim;
    if (one == other) continue;
    ++different;
    const size_t apart = std::max(one, other) - std::min(one, other);
    near = near && (apart == 1 || apart == dim - 1);
  }
  return different == 1 && (anywhere || near);
}

size_t different_bits(size_t a, size_t b, size_t nodes) {
  size_t different = 0;
  for (size_t bit = 1; bit < nodes; bit *= 2) different += a / bit % 2 != b / bit % 2 ? 1 : 0;
  return different;
}

bool is_reversed(size_t a, size_t b, size_t nodes) {
  size_t backwards = 0;
  for (size_t bit = 1; bit < nodes; bit *= 2) backwards = 2 * backwards + a / bit % 2;
  return backwards == b;
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

/// The membership predicate of a pattern for a < b < n; none for pairs, which are listed.
PairPredicate predicate_of(const Json& pattern, size_t n) {
  const std::string kind = pattern["kind"];
  const auto given = [&](const char* key) { return pattern[key].get<size_t>(); };
  if (kind == "ring") return [n](size_t a, size_t b) { return b - a == 1 || n - (b - a) == 1; };
  if (kind == "shift") return [n, far = given("offset")](size_t a, size_t b) { return b - a == far || n - (b - a) == far; };
  if (kind == "dissemination") {
    return [n](size_t a, size_t b) { return is_power_of_two(b - a) || is_power_of_two(n - (b - a)); };
  }
  if (kind == "torus") {
    return [dims = pattern["dims"].get<std::vector<size_t>>(), lines = pattern["reach"] == "lines"](size_t a, size_t b) {
      return on_a_line(a, b, dims, lines);
    };
  }
  if (kind == "grid") return [rows = given("rows")](size_t a, size_t b) { return a % rows == b % rows || a / rows == b / rows; };
  if (kind == "groups") return [size = given("size")](size_t a, size_t b) { return a / size == b / size; };
  if (kind == "hypercube") return [n](size_t a, size_t b) { return different_bits(a, b, n) == 1; };
  if (kind == "tree") return [](size_t a, size_t b) { return a == b - lowest_bit(b); };
  if (kind == "bit-reversal") return [n](size_t a, size_t b) { return is_reversed(a, b, n); };
  if (kind == "transpose") {
    return [side = square_root(n)](size_t a, size_t b) { return a % side == b / side && a / side == b % side; };
  }
  return nullptr;
}

}  // namespace

WantedPairs::WantedPairs(const Json& spec)
    : nodes_(spec["nodes"].size()), all_wanted_(spec["coverage"] == "all"), evaluated_(spec["goals"].contains("evaluation")) {
  std::map<std::string, size_t> ranks;
  for (const Json& node : spec["nodes"]) ranks.emplace(node["name"], ranks.size());
  const auto list = [&](const Json& pairs, double weight, Listed& listed) {
    listed.resize(nodes_);
    for (const Json& pair : pairs) {
      const auto [a, b] = std::pair<size_t, size_t>(std::minmax(ranks.at(pair[0]), ranks.at(pair[1])));
      listed[a].emplace_back(b, weight * pair[2].get<double>());
    }
    for (auto& peers : listed) std::sort(peers.begin(), peers.end());
  };
  for (const Json& pattern : spec["patterns"]) {
    const double weight = pattern["weight"];
    if (pattern["kind"] == "pairs") list(pattern["pairs"], weight, listed_);
    else patterns_.push_back({predicate_of(pattern, nodes_), weight});
  }
  if (evaluated_) list(spec["goals"]["evaluation"]["pairs"], 1.0, evaluation_);
  any_pair_named_ = names_any_pair();
}

WantedPairs::PairDemand WantedPairs::lookup(size_t a, size_t b) const {
  const double named = all_wanted_ && (evaluated_ || !any_pair_named_) ? 0.0 : pattern_weight(a, b);
  const bool wanted = all_wanted_ || named > 0;
  if (!any_pair_named_) return {wanted, 1.0};
  return {wanted, evaluated_ ? evaluated_weight(a, b) : named};
}

double WantedPairs::evaluated_weight(size_t a, size_t b) const {
  const auto& peers = evaluation_[a];
  const auto found = std::lower_bound(peers.begin(), peers.end(), std::pair(b, 0.0));
  return found != peers.end() && found->first == b ? found->second : 0.0;
}

double WantedPairs::pattern_weight(size_t a, size_t b) const {
  double sum = 0;
  for (const Pattern& pattern : patterns_) sum += pattern.joins(a, b) ? pattern.weight : 0.0;
  if (listed_.empty()) return sum;
  const auto& peers = listed_[a];
  // Several patterns may list one pair.
  for (auto at = std::lower_bound(peers.begin(), peers.end(), std::pair(b, 0.0)); at != peers.end() && at->first == b; ++at) {
    sum += at->second;
  }
  return sum;
}

bool WantedPairs::names_any_pair() const {
  if (!evaluated_ && patterns_.empty() && listed_.empty()) return false;
  for (size_t a = 0; a < nodes_; ++a) {
    for (size_t b = a + 1; b < nodes_; ++b) {
      if ((evaluated_ ? evaluated_weight(a, b) : pattern_weight(a, b)) > 0) return true;
    }
  }
  return false;
}

}  // namespace fnn
