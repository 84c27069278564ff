// SPDX-License-Identifier: GPL-3.0-or-later
#include "program/advising.h"

#include <iomanip>
#include <iostream>
#include <sstream>

#include "base/problem.h"
#include "base/rounding.h"
#include "oracle/advice.h"

namespace fnn {
namespace {

Wiring wiring_of(const Cabling& cabling, const Limits& limits) {
  Wiring wiring(limits);
  for (std::size_t node = 0; node < cabling.size(); ++node) {
    for (const Cable& cable : cabling[node]) {
      const int nic = limits.first_nic[node] + cable.nic;
      wiring.plug(nic, limits.group_of(cable.device, wiring.media(nic)));
    }
  }
  return wiring;
}

Json to_json(const Sharing& sharing) {
  return {{"shared_switches", rounded(sharing.mean, 1e3)},
          {"pairs_without_a_spare_switch", rounded(sharing.without_spare, 1e3)},
          {"pairs_lost_with_the_worst_switch", sharing.lost_with_worst_switch}};
}

std::string format_sharing(const Sharing& now, const Sharing& lean) {
  std::ostringstream text;
  text << std::fixed << std::setprecision(2) << "the remaining hardware gives " << now.mean
       << " shared switches per pair instead of " << lean.mean << ", " << std::setprecision(0)
       << 100 * now.without_spare << " % of pairs without a spare one instead of " << 100 * lean.without_spare
       << " %, and " << counted(now.lost_with_worst_switch, "pair") << " lost with the worst switch instead of "
       << lean.lost_with_worst_switch;
  return text.str();
}

}  // namespace

Json advise(const Spec& spec, const Cabling& cabling) {
  const Demand demand(spec);
  const auto lean = lean_design(spec, demand);
  if (!lean) return nullptr;
  const Limits limits(spec);
  const Sharing now = sharing_of(wiring_of(cabling, limits), demand);
  const std::string message = "coverage alone needs only " + counted(lean->nics, "NIC") + " per node and " +
                              counted(lean->switches, "switch") + " with " + counted(lean->ports, "port") +
                              " for nodes; " + format_sharing(now, lean->sharing);
  std::cerr << message << "\n";
  return {{"nics", lean->nics},         {"ports", lean->ports},
          {"switches", lean->switches}, {"message", message},
          {"now", to_json(now)},        {"lean", to_json(lean->sharing)}};
}

}  // namespace fnn
