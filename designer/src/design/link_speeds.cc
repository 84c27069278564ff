// SPDX-License-Identifier: GPL-3.0-or-later
#include "design/link_speeds.h"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <utility>

#include "spec/spec.h"

namespace fnn {

using std::size_t;

LinkSpeeds::LinkSpeeds(const Spec& spec) {
  for (const Switch& device : spec.switches) {
    auto& speeds = ports_.emplace_back();
    for (const PortGroup& group : device.ports) speeds[group.media].insert(group.mbps);
  }
  std::set<std::pair<std::string, int>> nics;
  for (const Node& node : spec.nodes) {
    for (size_t nic = 0; nic < node.nic_media.size(); ++nic) nics.emplace(node.nic_media[nic], node.nic_mbps[nic]);
  }
  for (const auto& [media, nic_mbps] : nics) {
    for (const auto& speeds : ports_) {
      const auto ports = speeds.find(media);
      if (ports == speeds.end()) continue;
      for (const int port_mbps : ports->second) {
        const int link = std::min(nic_mbps, port_mbps);
        possible_.insert(link);
        unit_ = std::gcd(unit_, link);
      }
    }
  }
}

int LinkSpeeds::slower_than(int mbps) const {
  const auto first = possible_.lower_bound(mbps);
  return first == possible_.begin() ? 0 : *std::prev(first);
}

int LinkSpeeds::mbps(const Node& node, int nic, int device, int port_mbps) const {
  const auto index = static_cast<size_t>(nic);
  const auto& speeds = ports_[static_cast<size_t>(device)];
  const auto ports = speeds.find(node.nic_media[index]);
  if (ports == speeds.end()) return 0;
  return std::min(node.nic_mbps[index], port_mbps > 0 ? port_mbps : *ports->second.begin());
}

}  // namespace fnn
