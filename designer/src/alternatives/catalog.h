// SPDX-License-Identifier: GPL-3.0-or-later
// The catalog: the hardware available for alternatives, and its prices.
//
// It has the switches and NICs of the spec at its prices, and those of a price list. A price of the spec takes
// precedence.
#pragma once

#include <map>

#include "alternatives/price_list.h"
#include "design/prices.h"
#include "network/network.h"
#include "spec/spec.h"

namespace fnn {

struct SwitchModel {
  std::string name;
  int ports;
  int mbps;  ///< minimum speed of these ports
  std::optional<double> price;
  long long inside_mbps = Network::kUnlimited;
  bool listed = true;  ///< false: no known vendor sells it
};

/// The components of an alternative.
struct Parts {
  int mbps = 0;                                       ///< of its NICs
  std::vector<std::pair<SwitchModel, int>> switches;  ///< with their quantities
  std::map<int, int> nics;                            ///< NICs per node: number of nodes
  int cables = 0;

  int all_nics() const;
  int all_switches() const;
};

/// Prices of parts; items without a price count 0 and are named.
struct Bill {
  double nics = 0;
  double switches = 0;
  double cables = 0;
  double connections = 0;  ///< replaces the other prices, where only prices per connection are known
  bool nics_unpriced = false;
  bool switches_unpriced = false;
  bool cables_unpriced = false;

  double total() const { return nics + switches + cables + connections; }
};

class Catalog {
 public:
  Catalog(const Spec& spec, std::optional<PriceList> list);

  /// Models with ports of a speed, each with all its ports of at least that speed; fewest ports first.
  std::vector<SwitchModel> switches(int mbps) const;
  /// Ports of the widest of these models; 0 where there is none.
  int widest(int mbps) const;
  /// The fastest link that every node can have with its nth NIC, fastest first; 0 where some nodes have fewer.
  int nth_nic_mbps(std::size_t nth) const { return nth < nic_mbps_.size() ? nic_mbps_[nth] : 0; }
  /// The number of NICs of at least this speed that every node has.
  int nics_at(int mbps) const;
  /// The maximum number of NIC ports that some node can have, with the multi-port NICs of the price list.
  int most_ports_of_a_node(int mbps) const;
  int least_ports_of_a_node(int mbps) const;
  /// The next higher speed of switches and NICs on sale; ten times the speed where none is known.
  int faster_than(int mbps) const;
  bool sells_nics(int mbps) const;
  bool has_prices() const { return prices_.any() || list_.has_value(); }
  const std::optional<PriceList>& list() const { return list_; }

  /// That of all prices; nothing where none is given. Throws BadInput where spec and price list have different ones.
  std::optional<std::string> currency() const;

  Bill bill(const Parts& parts) const;
  /// The lowest price of the NICs of one node.
  std::optional<double> price_of_nics(int mbps, int nics) const;
  std::optional<double> price_of_cable(int mbps) const;

 private:
  int widest_nic(int mbps) const;

  const Spec& spec_;
  Prices prices_;
  std::optional<PriceList> list_;
  std::vector<int> nic_mbps_;  ///< per position, the minimum over all nodes
  int most_nics_ = 0;
};

}  // namespace fnn
