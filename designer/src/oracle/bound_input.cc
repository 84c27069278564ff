// SPDX-License-Identifier: GPL-3.0-or-later
#include "oracle/bound_input.h"

#include <algorithm>
#include <numeric>
#include <set>

namespace fnn {
namespace {

Count peers_of(const Demand& demand, std::size_t node) {
  Count peers = 0;
  for (std::size_t w = 0; w < demand.wanted().words(); ++w) peers += count_bits(demand.wanted().row(node)[w]);
  return peers;
}

}  // namespace

BoundInput::BoundInput(const std::vector<Node>& nodes, const std::vector<Switch>& switches, const Demand& demand)
    : nodes_(static_cast<Count>(nodes.size())),
      redundancy_(demand.redundancy()),
      universal_(demand.is_universal()),
      meetings_(demand.pairs() * demand.redundancy()) {
  for (const Switch& device : switches) {
    const Count width = std::min<Count>(device.usable_ports(), nodes_);
    widths_.push_back(width);
    std::set<std::string> seen;
    for (const PortGroup& group : device.ports) {
      if (seen.insert(group.media).second) widths_of_media_[group.media].push_back(width);
    }
  }
  std::sort(widths_.rbegin(), widths_.rend());
  for (auto& [media, widths] : widths_of_media_) std::sort(widths.rbegin(), widths.rend());

  std::map<std::pair<std::vector<std::string>, Count>, std::size_t> places;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const Count peers = universal_ ? nodes_ - 1 : peers_of(demand, i);
    const auto [place, fresh] = places.try_emplace({nodes[i].nic_media, peers}, kinds_.size());
    if (fresh) kinds_.push_back({&nodes[i], 0, peers, best_widths(nodes[i])});
    ++kinds_[place->second].count;
  }
}

Count BoundInput::ports() const { return std::accumulate(widths_.begin(), widths_.end(), Count{0}); }

std::vector<Count> BoundInput::best_widths(const Node& node) const {
  std::map<std::string, std::size_t> nics;
  for (const std::string& media : node.nic_media) ++nics[media];
  std::vector<Count> best;
  for (const auto& [media, count] : nics) {
    const auto found = widths_of_media_.find(media);
    if (found == widths_of_media_.end()) continue;
    const auto& widths = found->second;
    best.insert(best.end(), widths.begin(), widths.begin() + static_cast<long>(std::min(count, widths.size())));
  }
  std::sort(best.rbegin(), best.rend());
  return best;
}

}  // namespace fnn
