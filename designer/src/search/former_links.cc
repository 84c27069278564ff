// SPDX-License-Identifier: GPL-3.0-or-later
#include "search/former_links.h"

namespace fnn {

FormerLinks::FormerLinks(const Limits& limits, const Cabling& former)
    : was_on_(Limits::at(limits.switch_count()), Limits::at(limits.node_count())) {
  for (std::size_t node = 0; node < former.size(); ++node) {
    for (const Cable& cable : former[node]) was_on_.insert(Limits::at(cable.device), node);
  }
}

int FormerLinks::kept(const Wiring& wiring) const {
  int count = 0;
  for (int device = 0; device < wiring.limits().switch_count(); ++device) {
    const Word* now = wiring.members().row(Limits::at(device));
    const Word* then = was_on_.row(Limits::at(device));
    for (std::size_t w = 0; w < was_on_.words(); ++w) count += count_bits(now[w] & then[w]);
  }
  return count;
}

}  // namespace fnn
