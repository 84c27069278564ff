// SPDX-License-Identifier: GPL-3.0-or-later
#include "alternatives/alternative.h"

#include <algorithm>

namespace fnn {
namespace {

struct Builder {
  std::string name;
  Alternative (*build)(const Setting&);
};

const std::vector<Builder>& builders() {
  static const std::vector<Builder> all = {
      {"one-switch", one_switch},   {"faster-switch", faster_switch}, {"rails", rails},
      {"two-switches", two_switches}, {"uplink-tree", uplink_tree},   {"tree", plain_tree},
      {"bonded-tree", bonded_tree}, {"clos", clos},                   {"fat-tree", fat_tree},
      {"planes", parallel_fat_trees},           {"ring", ring},                   {"cut-ring", cut_ring},
      {"bonded-ring", bonded_ring}, {"star", star},                   {"mesh", mesh},
      {"grid", grid}};
  return all;
}

}  // namespace

const std::vector<std::string>& alternative_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> found;
    for (const Builder& builder : builders()) found.push_back(builder.name);
    return found;
  }();
  return names;
}

Alternative build_alternative(const std::string& name, const Setting& setting) {
  const auto named = [&](const Builder& builder) { return builder.name == name; };
  return std::find_if(builders().begin(), builders().end(), named)->build(setting);
}

}  // namespace fnn
