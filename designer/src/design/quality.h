// SPDX-License-Identifier: GPL-3.0-or-later
// Quality: what a cabling achieves, in numbers for people. docs/reference/goals.md defines each of them;
// the check measures them a second time with code of its own (check_measures.h).
#pragma once

#include <cstddef>
#include <optional>

#include "design/cabling.h"
#include "spec/demand.h"
#include "spec/spec.h"

namespace fnn {

/// Leaves out what has no meaning for the spec.
Json quality_of(const Spec& spec, const Cabling& cabling, const Demand& demand, const std::optional<Moves>& moves);

}  // namespace fnn
