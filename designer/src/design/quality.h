// SPDX-License-Identifier: GPL-3.0-or-later
// Quality: the measures of a cabling for readers. docs/reference/goals.md defines each of them; the check has a
// second implementation (check_measures.h).
#pragma once

#include <cstddef>
#include <optional>

#include "design/cabling.h"
#include "spec/demand.h"
#include "spec/spec.h"

namespace fnn {

/// Omits measures that do not apply to the spec.
Json quality_of(const Spec& spec, const Cabling& cabling, const Demand& demand, const std::optional<Moves>& moves);

}  // namespace fnn
