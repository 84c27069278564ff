// SPDX-License-Identifier: GPL-3.0-or-later
#include "design/pins.h"

#include <algorithm>
#include <map>
#include <string>

#include "spec/spec.h"

namespace fnn {
namespace {

template <typename Items>
int index_of(const Items& items, const std::string& name) {
  const auto found = std::find_if(items.begin(), items.end(), [&](const auto& each) { return each.name == name; });
  return static_cast<int>(found - items.begin());
}

bool conflicts(const std::vector<Cable>& pins, const Cable& cable) {
  return std::any_of(pins.begin(), pins.end(),
                     [&](const Cable& pin) { return pin.nic == cable.nic || pin.device == cable.device; });
}

}  // namespace

Cabling pins_of(const Spec& spec) {
  Cabling pins(spec.nodes.size());
  const auto pinned = spec.normal.find("pinned");
  if (pinned == spec.normal.end()) return pins;
  for (const Json& pin : *pinned) {
    const int node = index_of(spec.nodes, pin["node"].get<std::string>());
    pins[Limits::at(node)].push_back({pin["nic"].get<int>(), index_of(spec.switches, pin["switch"].get<std::string>())});
  }
  for (auto& cables : pins) std::sort(cables.begin(), cables.end());
  return pins;
}

Cabling with_pins(Cabling pins, const Cabling& others) {
  for (std::size_t node = 0; node < others.size(); ++node) {
    const std::vector<Cable> pinned = pins[node];
    for (const Cable& cable : others[node]) {
      if (!conflicts(pinned, cable)) pins[node].push_back(cable);
    }
    std::sort(pins[node].begin(), pins[node].end());
  }
  return pins;
}

void plug_cables(Wiring& wiring, const Cabling& cabling) {
  const Limits& limits = wiring.limits();
  for (std::size_t node = 0; node < cabling.size(); ++node) {
    for (const Cable& cable : cabling[node]) {
      const int nic = limits.first_nic[node] + cable.nic;
      const int group = limits.group_of(cable.device, wiring.media(nic));
      if (group != kDummy && wiring.group(nic) == kDummy && wiring.can_plug(nic, group)) wiring.plug(nic, group);
    }
  }
}

}  // namespace fnn
