// SPDX-License-Identifier: GPL-3.0-or-later
#include "design/link_speeds.h"

#include <algorithm>
#include <set>

#include "spec/spec.h"

namespace fnn {

using std::size_t;

LinkSpeeds::LinkSpeeds(const Spec& spec) {
  for (const Switch& device : spec.switches) {
    auto& slowest = ports_.emplace_back();
    for (const PortGroup& group : device.ports) {
      int& known = slowest.emplace(group.media, group.mbps).first->second;
      known = std::min(known, group.mbps);
    }
  }
  std::set<std::pair<std::string, int>> nics;
  for (const Node& node : spec.nodes) {
    for (size_t nic = 0; nic < node.nic_media.size(); ++nic) nics.emplace(node.nic_media[nic], node.nic_mbps[nic]);
  }
  for (const auto& [media, mbps] : nics) {
    for (size_t device = 0; device < ports_.size(); ++device) {
      const int link = lower(mbps, media, device);
      if (link == 0) continue;
      slowest_ = slowest_ == 0 ? link : std::min(slowest_, link);
      fastest_ = std::max(fastest_, link);
    }
  }
}

int LinkSpeeds::mbps(const Node& node, int nic, int device) const {
  const auto index = static_cast<size_t>(nic);
  return lower(node.nic_mbps[index], node.nic_media[index], static_cast<size_t>(device));
}

int LinkSpeeds::lower(int nic_mbps, const std::string& media, size_t device) const {
  const auto port = ports_[device].find(media);
  return port == ports_[device].end() ? 0 : std::min(nic_mbps, port->second);
}

}  // namespace fnn
