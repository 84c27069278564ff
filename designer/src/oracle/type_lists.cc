// SPDX-License-Identifier: GPL-3.0-or-later
#include "oracle/type_lists.h"

#include <bit>
#include <cstdint>
#include <sstream>
#include <utility>

namespace fnn {

Family read_design(const TypeList& list, std::string name) {
  Family design{std::move(name), list.switches, 1, {}, list.nodes, list.ports, 0, {}};
  std::istringstream types(list.types);
  for (std::string text; types >> text;) {
    const std::size_t colon = text.find(':');
    std::vector<int> switches;
    for (std::uint64_t type = std::stoull(text, nullptr, 16); type != 0; type &= type - 1) {
      switches.push_back(std::countr_zero(type));
    }
    design.types.push_back(switches);
    design.copies.push_back(colon == std::string::npos ? 1 : std::stoi(text.substr(colon + 1)));
  }
  return design;
}

Family read_family(const TypeList& list, std::string name) {
  Family family = read_design(list, std::move(name));
  family.copies.clear();
  return family;
}

}  // namespace fnn
