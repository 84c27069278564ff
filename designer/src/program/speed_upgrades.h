// SPDX-License-Identifier: GPL-3.0-or-later
// Purchases that make links faster, where links differ in speed.
#pragma once

#include "design/cabling.h"
#include "search/islands.h"

namespace fnn {

/// The best of a few purchases, each found by a short search from the design: faster ports in place of the slow ones of a
/// switch, or one more switch like another. [{"change", "worst_gbps", "mean_gbps", "below_nic"}], best first; none when
/// every cable runs at the speed of its NIC, or when the spec has goals of its own.
Json speed_upgrades(const Spec& spec, const Cabling& cabling, std::uint64_t seed, const Budget& budget);

}  // namespace fnn
