// SPDX-License-Identifier: GPL-3.0-or-later
// The patterns a second time, for the check alone: each as a question about two ranks, straight from
// docs/reference/patterns.md. spec/patterns.cc, which the search believes, lists pairs instead.
#pragma once

#include <cstddef>
#include <set>
#include <utility>

#include "base/json_text.h"

namespace fnn {

/// Which pairs of ranks must share switches, by a spec in normal form.
class WantedPairs {
 public:
  explicit WantedPairs(const Json& spec);

  /// a < b.
  bool has(std::size_t a, std::size_t b) const;

 private:
  const Json& spec_;
  std::set<std::pair<std::size_t, std::size_t>> listed_;
};

}  // namespace fnn
