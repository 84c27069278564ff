// SPDX-License-Identifier: GPL-3.0-or-later
// The evaluation document: the predicted performance of a wiring. docs/reference/evaluation.md defines every measure.
#pragma once

#include "design/design_reading.h"
#include "evaluate/sampling.h"

namespace fnn {

/// Measures a design that passes check(), uncovered pairs excepted. Its routes are those of the routes document of
/// the same seed. The same design, seed and number of patterns give the same document with any number of threads.
Json evaluation_document(const Design& design, const Sampling& sampling);

}  // namespace fnn
