// SPDX-License-Identifier: GPL-3.0-or-later
// A second implementation of the measures of docs/reference/goals.md, for the check only. It uses the names in the
// document and the JSON of the spec, and no code of the search or of the writers of designs (quality.cc).
#pragma once

#include <optional>
#include <string>
#include <utility>

#include "base/problem.h"
#include "design/recount.h"

namespace fnn {

/// The number of ports of a switch, of one family of media and one speed, or of all.
int ports_of(const Json& device, const std::optional<std::string>& media = std::nullopt, long long mbps = 0);

/// The speed of a link from a NIC to a switch, both as JSON of the spec: the lower of the NIC's speed and the slowest
/// port of its medium; 0 when there is none.
long long link_mbps(const Json& nic, const Json& device, long long port_mbps = 0);

/// The slowest and the fastest possible link of any NIC of a spec; 0 and 0 when there are none.
std::pair<long long, long long> possible_mbps(const Json& spec);

/// Compares the stated quality of a design with its links.
void check_measures(const Json& document, const Json& spec, const ReadLinks& links, const Recount& count,
                    Problems& problems);

}  // namespace fnn
