// SPDX-License-Identifier: GPL-3.0-or-later
#include "design/port_limits.h"

#include <algorithm>
#include <map>
#include <string>

#include "spec/goals.h"
#include "spec/spec.h"

namespace fnn {
namespace {

class MediaNumbers {
 public:
  int of(const std::string& media) {
    return numbers_.emplace(media, static_cast<int>(numbers_.size())).first->second;
  }
  std::size_t count() const { return numbers_.size(); }

 private:
  std::map<std::string, int> numbers_;
};

}  // namespace

Limits::Limits(const Spec& spec, Grouping grouping) {
  MediaNumbers media;
  const bool by_speed = grouping == Grouping::kBySpeed || goals_of(spec).shared_switches > 0;
  first_nic.push_back(0);
  for (std::size_t i = 0; i < spec.nodes.size(); ++i) {
    const Node& node = spec.nodes[i];
    for (std::size_t k = 0; k < node.nic_media.size(); ++k) {
      nics.push_back({static_cast<int>(i), media.of(node.nic_media[k]), by_speed ? node.nic_mbps[k] : 0});
    }
    first_nic.push_back(static_cast<int>(nics.size()));
  }
  for (std::size_t j = 0; j < spec.switches.size(); ++j) {
    usable_ports.push_back(spec.switches[j].usable_ports());
    std::map<int, std::map<int, int>> ports;  // by medium and speed
    for (const PortGroup& group : spec.switches[j].ports) {
      ports[media.of(group.media)][grouping == Grouping::kBySpeed ? group.mbps : 0] += group.count;
    }
    for (const auto& [number, counts] : ports) {
      for (const auto& [mbps, count] : counts) {
        groups.push_back({static_cast<int>(j), number, std::min(count, usable_ports.back()), counts.size() > 1 ? mbps : 0});
      }
    }
  }
  media_count = media.count();
  groups_by_media.resize(media_count);
  group_of_media.assign(usable_ports.size() * media_count, kDummy);
  for (std::size_t g = 0; g < groups.size(); ++g) {
    groups_by_media[at(groups[g].media)].push_back(static_cast<int>(g));
    group_of_media[at(groups[g].device) * media_count + at(groups[g].media)] = static_cast<int>(g);
  }
}

}  // namespace fnn
