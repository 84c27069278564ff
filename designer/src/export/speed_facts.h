// SPDX-License-Identifier: GPL-3.0-or-later
// The speeds of a design as facts for people, where links differ in speed.
//
//   {"worst_gbps", "worst_gbps_at_most", "mean_gbps", "cables", "below_nic": number of cables slower than their NIC,
//    "below": [{"nic", "mbps", "count", "why"}] by NIC, "idle": [{"nic", "mbps", "port_mbps", "count", "why"}] of NICs in a
//    port faster than they are, "upgrades": those of the design}
#pragma once

#include <string>

#include "spec/spec.h"

namespace fnn {

/// Null for a design that does not state its speeds.
Json speed_facts(const Json& design, const Spec& spec);

/// At most five lines of text, or none for null.
std::string speed_lines(const Json& facts);

/// `2.5 Gb/s`, `100 Mb/s`
std::string speed_text(double mbps);

}  // namespace fnn
