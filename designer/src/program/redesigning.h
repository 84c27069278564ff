// SPDX-License-Identifier: GPL-3.0-or-later
// Redesigning: from a spec and a standing design to a cabling that leaves most of its cables alone.
#pragma once

#include "program/search_run.h"

namespace fnn {

Designed redesign_near(SearchRun& run, const Design& old);

}  // namespace fnn
