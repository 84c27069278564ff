// SPDX-License-Identifier: GPL-3.0-or-later
// The performance of other networks on the same nodes, compared with the design: where it wins and loses.
#pragma once

#include "alternatives/price_list.h"
#include "design/design_reading.h"
#include "evaluate/sampling.h"

namespace fnn {

struct AlternativesWanted {
  std::vector<std::string> names;  ///< from alternative_names()
  std::optional<PriceList> prices;
};

/// {"alternatives", "comparison", "prices"}, to be added to the evaluation document of the design with the same seed.
/// The design is the first row of the alternatives. Numbers do not depend on the number of threads.
Json alternatives_document(const Design& design, const Json& evaluation, const AlternativesWanted& wanted,
                           const Sampling& sampling);

}  // namespace fnn
