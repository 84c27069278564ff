// SPDX-License-Identifier: GPL-3.0-or-later
// The search for the default goals where links differ in speed; described at the head of speed_search.cc.
#pragma once

#include "search/islands.h"

namespace fnn {

struct Spec;

struct SpeedOutcome {
  Wiring wiring;
  bool worst_proved;  ///< whether no wiring has a faster worst pair
};

/// `start` covers every wanted pair; its limits are by speed. Only movable NICs move. The search ends after `idle_rounds`
/// without improvement.
SpeedOutcome search_speeds(const Spec& spec, const Wiring& start, const Movable& movable, int idle_rounds,
                           std::uint64_t seed, const Budget& budget, const Report& report);

/// The idle rounds of a thorough search.
int thorough_rounds(const Limits& limits);

/// Whether no wiring gives every wanted pair the bandwidth, in LinkSpeeds::unit().
bool is_bandwidth_impossible(const Spec& spec, int bandwidth);

}  // namespace fnn
