// SPDX-License-Identifier: GPL-3.0-or-later
// What the program does with a document that its readers accept: all stages of the engine, within milliseconds.
#pragma once

#include <cstdint>
#include <optional>

#include "design/design_reading.h"

namespace fnn::fuzzing {

/// Whether all stages take milliseconds.
bool is_small(const Spec& spec);

/// The design document of a small spec; nothing if none can exist. Aborts if the engine contradicts itself.
std::optional<Json> designed(const Spec& spec, std::int64_t seed);

/// Checks a design. Without violations it is also routed, evaluated, compared, shown, exported and redesigned. Whether
/// it has none.
bool use_design(const Design& design);

}  // namespace fnn::fuzzing
