// SPDX-License-Identifier: GPL-3.0-or-later
// Prices: what a spec says things cost, in its own currency.
#pragma once

#include <optional>
#include <vector>

#include "base/json_text.h"

namespace fnn {

struct Spec;
struct Switch;

/// Prices of a spec, each when it is given.
class Prices {
 public:
  explicit Prices(const Spec& spec);

  /// Whether anything that a wiring is made of has a price.
  bool any() const;
  bool has(const char* what) const { return given_.contains(what); }
  /// One of `prices`; 0 when it is not given.
  double of(const char* what) const { return given_.value(what, 0.0); }
  /// Its own price, else `switch`, else `port` for each of its ports, else nothing.
  std::optional<double> of_switch(const Switch& device) const;
  /// A switch of so many ports without a price of its own.
  std::optional<double> of_switch(int ports) const;

  /// Every link with its NIC and cable, and the switches that have one. `links` is per switch.
  double of_wiring(const std::vector<int>& links, double meters) const;

 private:
  const Spec& spec_;
  const Json& given_;
};

}  // namespace fnn
