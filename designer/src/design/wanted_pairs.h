// SPDX-License-Identifier: GPL-3.0-or-later
// A second implementation of the patterns, for the check only: each as a predicate on two ranks, directly from
// docs/reference/patterns.md. The search uses spec/patterns.cc, which lists pairs instead.
#pragma once

#include <cstddef>
#include <functional>
#include <utility>
#include <vector>

#include "base/json_text.h"

namespace fnn {

/// Which pairs of ranks must share switches, and the traffic weight of pairs, for a spec in normal form.
class WantedPairs {
 public:
  explicit WantedPairs(const Json& spec);

  struct PairDemand {
    bool wanted;    ///< whether the pair must share switches
    double weight;  ///< traffic weight: from the evaluation if there is one, else from the patterns, else 1
  };
  /// Requires a < b.
  PairDemand lookup(std::size_t a, std::size_t b) const;
  /// Whether evaluation or patterns name any pair.
  bool any_pair_named() const { return any_pair_named_; }

 private:
  /// Per node the peers of higher rank, in rank order, each with its weight.
  using Listed = std::vector<std::vector<std::pair<std::size_t, double>>>;
  struct Pattern {
    std::function<bool(std::size_t a, std::size_t b)> joins;
    double weight;
  };

  double pattern_weight(std::size_t a, std::size_t b) const;
  double evaluated_weight(std::size_t a, std::size_t b) const;
  bool names_any_pair() const;

  std::size_t nodes_;
  bool all_wanted_;
  bool evaluated_;
  std::vector<Pattern> patterns_;  ///< except those of kind pairs
  Listed listed_;
  Listed evaluation_;
  bool any_pair_named_;
};

}  // namespace fnn
