// SPDX-License-Identifier: GPL-3.0-or-later
#include "spec/patterns.h"

#include "spec/spec.h"

namespace fnn {

std::vector<WeightedPair> traffic_of(const Spec& spec) {
  (void)spec;  // the engine takes no patterns yet (require_supported)
  return {};
}

}  // namespace fnn
