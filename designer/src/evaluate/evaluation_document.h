// SPDX-License-Identifier: GPL-3.0-or-later
// The evaluation document: what a wiring will deliver, in numbers. docs/reference/evaluation.md defines each of them.
#pragma once

#include "design/design_reading.h"
#include "evaluate/sampling.h"

namespace fnn {

/// Measures a design that check() finds nothing wrong with, but perhaps uncovered pairs. Routes are those of the routes
/// document of the same seed. Same design, seed and number of patterns: same document, however many threads.
Json evaluation_document(const Design& design, const Sampling& sampling);

}  // namespace fnn
