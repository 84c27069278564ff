// SPDX-License-Identifier: GPL-3.0-or-later
// The design document: a cabling together with its spec and its measures.
#pragma once

#include <cstdint>
#include <optional>

#include "design/cabling.h"
#include "oracle/bounds.h"
#include "spec/spec.h"

namespace fnn {

/// Contains nothing that depends on time or machine: the same input gives the same bytes.
Json design_document(const Spec& spec, const Cabling& cabling, std::int64_t seed, const std::vector<Bound>& bounds,
                     const std::optional<Moves>& moves);

}  // namespace fnn
