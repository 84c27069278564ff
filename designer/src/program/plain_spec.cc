// SPDX-License-Identifier: GPL-3.0-or-later
#include "program/plain_spec.h"

#include <algorithm>

namespace fnn {
namespace {

std::string numbered(char prefix, int number, std::size_t digits) {
  const std::string text = std::to_string(number);
  return prefix + std::string(digits - std::min(digits, text.size()), '0') + text;
}

/// The digits that make all names equally long, so that numeric order is name order.
std::size_t digits_for(int count, std::size_t at_least) {
  return std::max(at_least, std::to_string(count - 1).size());
}

}  // namespace

Json plain_spec_document(const PlainNumbers& numbers, const std::string& cluster, bool uplink) {
  Json nodes = Json::array();
  for (int i = 0; i < numbers.nodes; ++i) {
    nodes.push_back({{"name", numbered('n', i, digits_for(numbers.nodes, 3))}, {"nics", numbers.nics}});
  }
  Json switches = Json::array();
  for (int j = 0; j < numbers.switches; ++j) {
    switches.push_back(
        {{"name", numbered('s', j, digits_for(numbers.switches, 2))}, {"ports", numbers.ports + (uplink ? 1 : 0)}});
  }
  Json document = {{"format", "fnn-spec"}, {"version", 1},      {"cluster", cluster},
                   {"topology", "fnn"},    {"nodes", nodes}, {"switches", switches}};
  if (uplink) document["uplink"] = {{"name", "uplink"}, {"ports", numbers.switches}};
  return document;
}

}  // namespace fnn
