// SPDX-License-Identifier: GPL-3.0-or-later
// The performance of other networks on the same nodes, compared with the design: where it wins and loses.
#pragma once

#include "alternatives/catalog.h"
#include "design/design_reading.h"
#include "evaluate/sampling.h"

namespace fnn {

/// A network with its measures, which are those of network_measures().
struct MeasuredNetwork {
  Json measures;
  Parts parts;
  int unit_mbps;  ///< of the bandwidths
};

/// From the evaluation of a flat neighborhood network with the same seed.
MeasuredNetwork measured_flat_network(const Design& design, const Json& evaluation, std::uint64_t seed);

/// From the fnn-network document of a design of another topology.
MeasuredNetwork measured_topology(const Design& design, const Json& evaluation);

/// The flat neighborhood network for the same nodes, or the reason why there is none.
struct FlatAlternative {
  std::optional<MeasuredNetwork> network;
  std::string reason;
};

struct AlternativesWanted {
  std::vector<std::string> names;  ///< from alternative_names()
  std::optional<PriceList> prices;
  std::optional<FlatAlternative> flat = std::nullopt;
};

/// {"alternatives", "comparison", "cost", "currency", "prices"}, to be added to the document of the design with the same
/// seed. The design is the first row of the alternatives. Numbers do not depend on the number of threads.
Json alternatives_document(const Design& design, const MeasuredNetwork& own, const AlternativesWanted& wanted,
                           const Sampling& sampling);

}  // namespace fnn
