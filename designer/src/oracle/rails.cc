// SPDX-License-Identifier: GPL-3.0-or-later
#include "oracle/rails.h"

namespace fnn {
namespace {

/// The first unused NIC of a node that fits a free port of the switch, or kDummy.
int fitting_nic(const Wiring& wiring, int node, int device) {
  const Limits& limits = wiring.limits();
  for (int nic = limits.first_nic[Limits::at(node)]; nic < limits.first_nic[Limits::at(node) + 1]; ++nic) {
    const int group = limits.group_of(device, wiring.media(nic));
    if (wiring.group(nic) == kDummy && group != kDummy && wiring.can_plug(nic, group)) return nic;
  }
  return kDummy;
}

/// All nodes onto one switch, or none.
bool lay_rail(Wiring& wiring, int device) {
  Wiring draft = wiring;
  for (int node = 0; node < wiring.limits().node_count(); ++node) {
    if (draft.is_on(node, device)) continue;
    const int nic = fitting_nic(draft, node, device);
    if (nic == kDummy) return false;
    draft.plug(nic, draft.limits().group_of(device, draft.media(nic)));
  }
  wiring = draft;
  return true;
}

}  // namespace

std::optional<Wiring> lay_rails(const Wiring& start, Random& random) {
  const Limits& limits = start.limits();
  Wiring wiring = start;
  bool laid = false;
  for (int device = 0; device < limits.switch_count(); ++device) {
    if (limits.usable_ports[Limits::at(device)] >= limits.node_count() && lay_rail(wiring, device)) laid = true;
  }
  if (!laid) return std::nullopt;
  wiring.fill(random);
  return wiring;
}

}  // namespace fnn
