// SPDX-License-Identifier: GPL-3.0-or-later
#include "design/prices.h"

#include <algorithm>
#include <numeric>

#include "spec/spec.h"

namespace fnn {

Prices::Prices(const Spec& spec) : spec_(spec), given_(spec.normal["prices"]) {}

bool Prices::any() const {
  const auto is_priced = [](const Switch& device) { return device.price.has_value(); };
  return std::any_of(spec_.switches.begin(), spec_.switches.end(), is_priced) || has("switch") || has("port") ||
         has("nic") || has("cable") || has("cable_m");
}

std::optional<double> Prices::of_switch(const Switch& device) const {
  return device.price ? device.price : of_switch(device.all_ports());
}

std::optional<double> Prices::of_switch(int ports) const {
  if (has("switch")) return of("switch");
  if (has("port")) return ports * of("port");
  return std::nullopt;
}

double Prices::of_wiring(const std::vector<int>& links, double meters) const {
  const int cables = std::accumulate(links.begin(), links.end(), 0);
  double sum = cables * (of("cable") + of("nic")) + meters * of("cable_m");
  for (std::size_t device = 0; device < links.size(); ++device) {
    if (links[device] > 0) sum += of_switch(spec_.switches[device]).value_or(0.0);
  }
  return sum;
}

}  // namespace fnn
