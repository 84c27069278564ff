// SPDX-License-Identifier: GPL-3.0-or-later
// Reading a design document: its structure, and the spec inside it.
#pragma once

#include <string>

#include "design/cabling.h"
#include "spec/spec.h"

namespace fnn {

/// A design whose structure is sound. Whether it is right is for check() to say.
struct Design {
  Json document;
  Spec spec;
};

/// Throws BadInput when the document is no design, or holds no sound spec.
Design read_design(const Json& document);

/// What of a standing design still fits a new spec: cables between nodes and switches that are
/// still there, over NICs and ports that are still there, the rest left out.
struct Standing {
  Wiring wiring;
  Cabling cabling;  ///< of the same cables, in the nodes and switches of the new spec
};

Standing keep_standing(const Design& old, const Spec& spec, const Limits& limits);

}  // namespace fnn
