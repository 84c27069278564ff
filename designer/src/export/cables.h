// SPDX-License-Identifier: GPL-3.0-or-later
// The cables of a design with a port at each end, for programs that need every socket.
#pragma once

#include <string>
#include <vector>

#include "design/design_reading.h"

namespace fnn {

/// One cable. Any port of a switch is equivalent, so they are numbered from 1 in rank order, and the cable to the
/// uplink switch comes last.
struct PluggedCable {
  std::string from;
  std::string from_port;  ///< of a node the name of its NIC, or eth0, eth1 ...; of a switch swp1, swp2 ...
  std::string device;
  std::string device_port;
  std::string color;
  int nic;   ///< -1 for a cable between switches
  int mbps;  ///< 0 for a cable between switches
};

std::vector<PluggedCable> plugged_cables(const Design& design);

/// Names of all switches, the uplink switch last.
std::vector<std::string> all_switches(const Design& design);

}  // namespace fnn
