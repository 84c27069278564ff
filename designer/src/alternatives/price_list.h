// SPDX-License-Identifier: GPL-3.0-or-later
// Price lists: dated documents with hardware prices and their sources. docs/reference/prices.md describes them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/json_text.h"

namespace fnn {

struct PriceList {
  struct Device {
    std::string name;
    int ports;
    int mbps;
    double price;
    std::optional<double> internal_gbps;
  };
  struct Nic {
    std::string name;
    int ports;
    int mbps;
    double price;
  };
  /// A cable, or the complete connection of one node: its NIC, its cable and its share of the switches.
  struct Piece {
    int mbps;
    double price;
  };

  std::string name;
  std::string date;
  std::string currency;
  std::vector<Device> switches;
  std::vector<Nic> nics;
  std::vector<Piece> cables;
  std::vector<Piece> connections;
};

/// Throws BadInput with all problems.
PriceList read_price_list(const Json& document);

}  // namespace fnn
