// SPDX-License-Identifier: GPL-3.0-or-later
// The cables of a design with a port for each end, for programs that want to know every socket.
#pragma once

#include <string>
#include <vector>

#include "design/design_reading.h"

namespace fnn {

/// One cable. A switch does not care which of its ports a cable is in, so they are counted from 1 in rank order, and the
/// cable to the uplink switch comes last.
struct PluggedCable {
  std::string from;
  std::string from_port;  ///< of a node the name of its NIC, or eth0, eth1 and so on; of a switch swp1, swp2 and so on
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
