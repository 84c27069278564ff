// SPDX-License-Identifier: GPL-3.0-or-later
// Reading a design document: its structure, and the spec inside it.
#pragma once

#include "spec/spec.h"

namespace fnn {

/// A design whose structure is sound. Whether it is right is for check() to say.
struct Design {
  Json document;
  Spec spec;
};

/// Throws BadInput when the document is no design, or holds no sound spec.
Design read_design(const Json& document);

}  // namespace fnn
