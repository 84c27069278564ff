// SPDX-License-Identifier: GPL-3.0-or-later
// One pair of nodes without other traffic: what it loses or gains by the parts in which its flows divide.
#pragma once

#include "evaluate/fabric.h"
#include "routing/choice.h"
#include "routing/weights.h"

namespace fnn {

/// Throughput of a pair with many flows, which divide in fixed parts: the path that is full first limits all. Per
/// division ("advanced": equal parts, "weighted") {"mean", "min"} over unordered pairs, in links.
Json single_pair(const Fabric& fabric, const Weights& weights);

/// Expected throughput of one flow, which gets the path that its addresses and ports choose. Per routing ("basic",
/// "advanced", "weighted") {"mean", "min"} over ordered pairs, in links.
Json single_flow(const Fabric& fabric, const Choice& choice, const Weights& weights);

}  // namespace fnn
