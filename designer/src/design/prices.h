// SPDX-License-Identifier: GPL-3.0-or-later
// Prices from the spec, in its currency.
#pragma once

#include <optional>
#include <vector>

#include "base/json_text.h"

namespace fnn {

struct Spec;
struct Switch;

/// The prices of a spec; each may be absent.
class Prices {
 public:
  explicit Prices(const Spec& spec);

  /// Whether any component of a wiring has a price.
  bool any() const;
  bool has(const char* what) const { return given_.contains(what); }
  /// One of `prices`; 0 when absent.
  double of(const char* what) const { return given_.value(what, 0.0); }
  /// The switch's own price, else `switch`, else `port` times its ports, else nothing.
  std::optional<double> of_switch(const Switch& device) const;
  /// The price of a switch with that many ports and no price of its own.
  std::optional<double> of_switch(int ports) const;

  /// The total price: every link with its NIC and cable, and the switches that have a link. `links` is per switch.
  double of_wiring(const std::vector<int>& links, double meters) const;

 private:
  const Spec& spec_;
  const Json& given_;
};

}  // namespace fnn
