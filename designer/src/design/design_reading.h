// SPDX-License-Identifier: GPL-3.0-or-later
// Reading a design document: its structure, and the spec inside it.
#pragma once

#include "spec/spec.h"

namespace fnn {

/// A design with a valid structure. check() verifies its content.
struct Design {
  Json document;
  Spec spec;
};

/// Throws BadInput when the document is not a design, or contains no valid spec.
Design read_design(const Json& document);

/// Throws BadInput for a design of another topology. `what` says what only flat neighborhood networks have.
void require_flat_neighborhood(const Design& design, const std::string& what);

}  // namespace fnn
