// SPDX-License-Identifier: GPL-3.0-or-later
#include "search/homes.h"

namespace fnn {

int Homes::kept(const Wiring& wiring) const {
  int count = 0;
  for (int device = 0; device < wiring.limits().switch_count(); ++device) {
    const Word* now = wiring.members().row(Limits::at(device));
    const Word* then = was_on_.row(Limits::at(device));
    for (std::size_t w = 0; w < was_on_.words(); ++w) count += count_bits(now[w] & then[w]);
  }
  return count;
}

}  // namespace fnn
