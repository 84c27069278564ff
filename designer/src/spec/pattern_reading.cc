// SPDX-License-Identifier: GPL-3.0-or-later
#include "spec/pattern_reading.h"

#include <algorithm>
#include <bit>
#include <filesystem>
#include <map>
#include <system_error>
#include <vector>

#include "spec/pair_file.h"

namespace fnn {
namespace {

using std::size_t;
using Words = std::vector<std::string>;

struct Kind {
  Words required;
  Words optional;
};

const Kind& kind_named(const std::string& name) {
  static const std::map<std::string, Kind> kinds = {
      {"ring", {{}, {}}},          {"torus", {{"dims"}, {"reach"}}},   {"hypercube", {{}, {}}},
      {"bit-reversal", {{}, {}}},  {"transpose", {{}, {}}},            {"groups", {{"size"}, {}}},
      {"grid", {{"cols", "rows"}, {}}}, {"tree", {{}, {}}},            {"dissemination", {{}, {}}},
      {"shift", {{"offset"}, {}}}, {"pairs", {{}, {"file", "pairs"}}},
  };
  return kinds.at(name);
}

/// Whether a file lies below the directory after resolution of links. Absolute names and names with ".." are
/// rejected.
bool stays_below(const std::filesystem::path& directory, const std::filesystem::path& name) {
  if (name.is_absolute() || std::ranges::find(name, std::filesystem::path("..")) != name.end()) return false;
  std::error_code failed;
  const std::filesystem::path base = std::filesystem::canonical(directory.empty() ? "." : directory, failed);
  if (failed) return true;  // no such directory: the file cannot be read
  const std::filesystem::path file = std::filesystem::weakly_canonical(base / name, failed);
  if (failed) return true;  // a cycle of symbolic links: it cannot be read
  return *file.lexically_relative(base).begin() != "..";
}

/// Checks for the required and the permitted keys of the kind of a pattern.
void check_keys(const Json& pattern, const std::string& at, Problems& problems) {
  const Kind kind = kind_named(pattern["kind"].get<std::string>());
  for (const std::string& key : kind.required) {
    if (!pattern.contains(key)) problems.add(child(at, key), "missing");
  }
  Words known = {"kind", "weight"};
  known.insert(known.end(), kind.required.begin(), kind.required.end());
  known.insert(known.end(), kind.optional.begin(), kind.optional.end());
  std::sort(known.begin(), known.end());
  std::string list;
  for (const std::string& key : known) list += (list.empty() ? "" : ", ") + key;
  for (const auto& item : pattern.items()) {
    if (std::binary_search(known.begin(), known.end(), item.key())) continue;
    problems.add(child(at, item.key()), "unknown key of " + shown(pattern["kind"]) + ", expected one of " + list);
  }
}

void check_weight(const Json& weight, const std::string& at, Problems& problems) {
  if (const auto tiny = too_little_weight(weight.get<double>(), shown(weight))) problems.add(at, *tiny);
}

/// Whether the product of the factors is `product`; cannot overflow, for any number of factors.
bool multiply_to(const std::vector<long long>& factors, long long product) {
  long long left = product;
  for (const long long factor : factors) {
    if (left % factor != 0) return false;
    left /= factor;
  }
  return left == 1;
}

class PatternCheck {
 public:
  PatternCheck(const Json& pattern, const std::string& at, size_t nodes, Problems& problems)
      : pattern_(pattern), at_(at), nodes_(static_cast<long long>(nodes)), problems_(problems) {}

  void run() {
    check_keys(pattern_, at_, problems_);
    if (pattern_.contains("weight")) check_weight(pattern_["weight"], child(at_, "weight"), problems_);
    const std::string kind = pattern_["kind"];
    if (kind == "torus" && pattern_.contains("dims")) check_dims();
    if (kind == "grid" && pattern_.contains("rows") && pattern_.contains("cols")) check_grid();
    if (kind == "shift" && pattern_.contains("offset")) check_offset();
    if (kind == "hypercube" || kind == "bit-reversal") check_power_of_two();
    if (kind == "transpose") check_square();
  }

 private:
  void check_dims() {
    std::string product_text;
    for (const Json& dim : pattern_["dims"]) product_text += (product_text.empty() ? "" : " x ") + shown(dim);
    if (!multiply_to(pattern_["dims"].get<std::vector<long long>>(), nodes_)) {
      problems_.add(child(at_, "dims"), product_text + " is not " + counted(nodes_, "node"));
    }
  }

  void check_grid() {
    const auto rows = pattern_["rows"].get<long long>();
    const auto cols = pattern_["cols"].get<long long>();
    if (rows * cols != nodes_) {
      problems_.add(at_, counted(rows, "row") + " x " + counted(cols, "col") + " is not " + counted(nodes_, "node"));
    }
  }

  void check_offset() {
    const auto offset = pattern_["offset"].get<long long>();
    if (offset >= nodes_) {
      problems_.add(child(at_, "offset"), std::to_string(offset) + " is not less than " + counted(nodes_, "node"));
    }
  }

  void check_power_of_two() {
    if (!std::has_single_bit(static_cast<unsigned long long>(nodes_))) {
      problems_.add(child(at_, "kind"), shown(pattern_["kind"]) + " takes a power of two of nodes, not " + std::to_string(nodes_));
    }
  }

  void check_square() {
    long long side = 1;
    while (side * side < nodes_) ++side;
    if (side * side != nodes_) {
      problems_.add(child(at_, "kind"), "\"transpose\" takes a square number of nodes, not " + std::to_string(nodes_));
    }
  }

  const Json& pattern_;
  const std::string& at_;
  const long long nodes_;
  Problems& problems_;
};

/// Converts the pairs of a pattern or of an evaluation to normal form.
class PairNormalizer {
 public:
  PairNormalizer(const Json& nodes, const std::optional<std::string>& directory, Problems& problems)
      : directory_(directory), problems_(problems) {
    for (const Json& node : nodes) {
      ranks_.emplace(node["name"], names_.size());
      names_.push_back(node["name"]);
    }
  }

  /// `holder` has either `pairs` or the name of a `file`.
  void normalize(Json& holder, const std::string& at) {
    const bool listed = holder.contains("pairs");
    const bool filed = holder.contains("file");
    if (listed == filed) problems_.add(at, std::string("expected ") + (listed ? "only one of " : "") + "pairs or file");
    if (listed) check_pairs(holder["pairs"], child(at, "pairs"));
    else if (filed) read_file(holder, child(at, "file"));
    if (problems_.empty()) holder["pairs"] = merged(holder["pairs"]);
  }

 private:
  void check_pairs(const Json& pairs, const std::string& at) {
    for (size_t i = 0; i < pairs.size(); ++i) {
      const std::string place = child(at, i);
      for (size_t k = 0; k < 2; ++k) {
        if (!ranks_.contains(pairs[i][k])) problems_.add(child(place, k), shown(pairs[i][k]) + " is not the name of a node");
      }
      if (pairs[i].size() == 3) check_weight(pairs[i][2], child(place, 2), problems_);
      if (pairs[i][0] == pairs[i][1]) problems_.add(place, pairs[i][0].get<std::string>() + " with itself");
    }
  }

  void read_file(Json& holder, const std::string& at) {
    const std::string name = holder["file"];
    if (!directory_) {
      problems_.add(at, "only a spec of its own may name a file");
      return;
    }
    if (!stays_below(*directory_, name)) {
      problems_.add(at, shown(holder["file"]) + " leads out of the directory of the spec");
      holder.erase("file");
      holder["pairs"] = Json::array();
      return;
    }
    PairFile file = read_pair_file(std::filesystem::path(*directory_) / name, name, names_);
    for (const std::string& problem : file.problems) problems_.add(at, problem);
    holder.erase("file");
    holder["pairs"] = std::move(file.pairs);
  }

  Json merged(const Json& pairs) const {
    std::map<std::pair<size_t, size_t>, double> weights;
    for (const Json& pair : pairs) {
      const std::pair<size_t, size_t> both = std::minmax(ranks_.at(pair[0]), ranks_.at(pair[1]));
      weights[both] += pair.size() == 3 ? pair[2].get<double>() : 1.0;
    }
    Json merged_pairs = Json::array();
    for (const auto& [both, weight] : weights) {
      if (weight > 0) merged_pairs.push_back({names_[both.first], names_[both.second], weight});
    }
    return with_integers(merged_pairs);
  }

  const std::optional<std::string>& directory_;
  Problems& problems_;
  Words names_;
  std::map<std::string, size_t> ranks_;
};

}  // namespace

void normalize_patterns(Json& spec, const std::string& at, const std::optional<std::string>& directory,
                        Problems& problems) {
  PairNormalizer normalizer(spec["nodes"], directory, problems);
  Json& patterns = spec["patterns"];
  for (size_t i = 0; i < patterns.size(); ++i) {
    const std::string place = child(at + "/patterns", i);
    PatternCheck(patterns[i], place, spec["nodes"].size(), problems).run();
    if (patterns[i]["kind"] == "pairs") normalizer.normalize(patterns[i], place);
  }
  Json& goals = spec["goals"];
  if (!goals.contains("evaluation")) return;
  normalizer.normalize(goals["evaluation"], at + "/goals/evaluation");
  if (problems.empty() && goals["evaluation"]["pairs"].empty()) goals.erase("evaluation");
}

}  // namespace fnn
