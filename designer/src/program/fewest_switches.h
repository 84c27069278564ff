// SPDX-License-Identifier: GPL-3.0-or-later
// The quick form with an open number of switches: searches for designs with fewer than algebra needs.
#pragma once

#include <optional>

#include "program/designing.h"
#include "program/plain_spec.h"

namespace fnn {

/// What is known about the least number of switches.
struct SwitchRange {
  PlainNumbers plain;             ///< with the fewest switches that are known to suffice, or the most worth trying
  int at_least = 1;               ///< fewer are proved impossible
  std::optional<int> best_known;  ///< of a construction or a long search
  bool designed = false;          ///< whether plain.switches are known to suffice
};

/// The range as `settled.switches` of the answer: "value", "how", "at_least" and perhaps "best_known".
Json to_json(const SwitchRange& range);

/// A design and the spec that it is of.
struct DesignOfSpec {
  Spec spec;
  Designed designed;
};

/// Searches designs with fewer switches until the time of the request is up, the search fails, or fewer are proved
/// impossible. `first` is the outcome for range.plain; nothing when that is the best. Narrows the range.
std::optional<DesignOfSpec> reduce_switches(SwitchRange& range, const DesignOfSpec& first, bool uplink,
                                            const DesignRequest& request, double seconds_used, const Report& report);

}  // namespace fnn
