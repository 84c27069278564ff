// SPDX-License-Identifier: GPL-3.0-or-later
// Verdicts on specs without a long search: impossible with a certificate, possible with a design, or open.
#pragma once

#include <optional>
#include <string>

#include "design/wiring.h"
#include "oracle/bounds.h"
#include "oracle/type_search.h"

namespace fnn {

/// Why there is no design.
struct Certificate {
  Bound broken;                    ///< the bound, or "types" for an exhaustive search
  std::optional<long long> cases;  ///< closed by an exhaustive search
};

/// The first broken bound, which is the cheapest; any one suffices as a proof.
std::optional<Certificate> broken_bound(const std::vector<Bound>& bounds);

/// The certificate of an exhaustive search over types without a result.
Certificate exhaustion_certificate(const TypeProblem& problem, const TypeOutcome& impossible);

enum class Prospect { kImpossible, kOpen, kDesigned };

struct Assessment {
  Prospect prospect = Prospect::kOpen;
  std::optional<Certificate> certificate;  ///< when impossible
};

/// Applies bounds, rails, search over types and algebra in turn. `effort` is that of search_types.
Assessment assess(const Spec& spec, const Demand& demand, long long effort);

}  // namespace fnn
