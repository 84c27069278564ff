// SPDX-License-Identifier: GPL-3.0-or-later
// The catalog: of what hardware alternatives can be built, and what it costs.
//
// It has the switches and NICs of the spec at its prices, and those of a price list. Where the spec has a price, that
// counts.
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
  int mbps;  ///< of these ports at least
  std::optional<double> price;
  long long inside_mbps = Network::kUnlimited;
  bool listed = true;  ///< or else nobody is known to sell it
};

/// What an alternative is made of.
struct Parts {
  int mbps = 0;                                       ///< of its NICs
  std::vector<std::pair<SwitchModel, int>> switches;  ///< with how many
  std::map<int, int> nics;                            ///< NICs of a node: in how many nodes
  int cables = 0;

  int all_nics() const;
  int all_switches() const;
};

/// What parts cost; what has no price counts as nothing and is named.
struct Bill {
  double nics = 0;
  double switches = 0;
  double cables = 0;
  double connections = 0;  ///< instead of the others, where only those have a price
  bool nics_unpriced = false;
  bool switches_unpriced = false;
  bool cables_unpriced = false;

  double total() const { return nics + switches + cables + connections; }
};

class Catalog {
 public:
  Catalog(const Spec& spec, std::optional<PriceList> list);

  /// Those with ports of a speed, each with all its ports that are at least so fast; fewest ports first.
  std::vector<SwitchModel> switches(int mbps) const;
  /// The widest of those; a switch that does not exist where there is none.
  int widest(int mbps) const;
  /// The fastest link that every node can have with its nth NIC, the fastest first; 0 where some have fewer.
  int nth_nic_mbps(std::size_t nth) const { return nth < nic_mbps_.size() ? nic_mbps_[nth] : 0; }
  /// How many NICs every node has of at least this speed.
  int nics_at(int mbps) const;
  /// How many ports of NICs some node can have at most, with the multi-port NICs of the price list.
  int most_ports_of_a_node(int mbps) const;
  int least_ports_of_a_node(int mbps) const;
  /// The next faster speed of switches and NICs that can be bought; ten times as fast where none is known.
  int faster_than(int mbps) const;
  bool sells_nics(int mbps) const;
  bool has_prices() const { return prices_.any() || list_.has_value(); }
  const std::optional<PriceList>& list() const { return list_; }

  Bill bill(const Parts& parts) const;

 private:
  std::optional<double> price_of_nics(int mbps, int nics) const;
  std::optional<double> price_of_cable(int mbps) const;
  int widest_nic(int mbps) const;

  const Spec& spec_;
  Prices prices_;
  std::optional<PriceList> list_;
  std::vector<int> nic_mbps_;  ///< per place, of the node that has least there
  int most_nics_ = 0;
};

}  // namespace fnn
