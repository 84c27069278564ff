// SPDX-License-Identifier: GPL-3.0-or-later
// A second implementation of the proofs of docs/reference/bounds.md, which uses the JSON of the spec and no code of the
// bounds.
#pragma once

#include <optional>

#include "base/json_text.h"

namespace fnn {

/// Whether a certificate proves that the spec, in normal form, has no design. Nothing for bounds other than "fisher",
/// "rank", "twins", "sizes" and "determinant", which a reader can check by hand.
std::optional<bool> check_certificate(const Json& spec, const Json& certificate);

}  // namespace fnn
