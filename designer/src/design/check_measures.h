// SPDX-License-Identifier: GPL-3.0-or-later
// The measures of docs/reference/goals.md a second time, for the check alone: from the names in the
// document and the spec's JSON, with no code of the search or of those who write designs (quality.cc).
#pragma once

#include <optional>
#include <string>
#include <utility>

#include "base/problem.h"
#include "design/recount.h"

namespace fnn {

/// The ports of a switch of one media, or of all.
int ports_of(const Json& device, const std::optional<std::string>& media = std::nullopt);

/// The speed of a link from a NIC to a switch, both as the spec has them: the lower of the NIC's and
/// that of the slowest port of its media; 0 when there is none.
long long link_mbps(const Json& nic, const Json& device);

/// The slowest and the fastest link that any NIC of a spec could have; 0 and 0 when there are none.
std::pair<long long, long long> possible_mbps(const Json& spec);

/// Compares the quality that a design states with its links.
void check_measures(const Json& document, const Json& spec, const ReadLinks& links, const Recount& count,
                    Problems& problems);

}  // namespace fnn
