// SPDX-License-Identifier: GPL-3.0-or-later
// Verdicts on specs without a long search: impossible with a certificate, possible because there is a
// design, or open.
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
  std::optional<long long> cases;  ///< that an exhaustive search closed, one by one
};

/// Any one broken bound would do as a proof; this is the cheapest.
std::optional<Certificate> broken_bound(const std::vector<Bound>& bounds);

/// The certificate of a search over types that found nothing.
Certificate exhausted(const TypeProblem& problem, const TypeOutcome& impossible);

enum class Prospect { kImpossible, kOpen, kDesigned };

struct Judgement {
  Prospect prospect = Prospect::kOpen;
  std::optional<Certificate> certificate;  ///< when impossible
};

/// Bounds, rails, search over types, algebra. `effort` is that of search_types.
Judgement judge(const Spec& spec, const Demand& demand, long long effort);

}  // namespace fnn
