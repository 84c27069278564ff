// SPDX-License-Identifier: GPL-3.0-or-later
// What other networks on the same nodes would deliver, beside the design, and where it wins and loses.
#pragma once

#include "alternatives/price_list.h"
#include "design/design_reading.h"
#include "evaluate/sampling.h"

namespace fnn {

struct AlternativesWanted {
  std::vector<std::string> names;  ///< of alternative_names()
  std::optional<PriceList> prices;
};

/// {"alternatives", "comparison", "prices"}, to be added to the evaluation document of a design that was made with the same
/// seed. The design is the first row of the alternatives. Numbers do not depend on the threads.
Json alternatives_document(const Design& design, const Json& evaluation, const AlternativesWanted& wanted,
                           const Sampling& sampling);

}  // namespace fnn
