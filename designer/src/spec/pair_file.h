// SPDX-License-Identifier: GPL-3.0-or-later
// Weighted pairs from a CSV file: a list of pairs, or the byte matrix of an MPI profiler.
//
// The first field determines the format, since names of nodes begin with a letter:
//
//   a name    a list of pairs:              n01,n02,1500     (the weight is 1 when left out)
//   a number  a matrix in rank order:       0,1500,20        (one line and one column per node)
//   nothing   a matrix with names:          ,n01,n02         (any nodes in any order)
//                                           n01,0,1500
//
// Entry (i, j) of a matrix is the amount that i sends to j. A pair gets the sum of both directions; the diagonal is
// ignored. Lines that are empty or begin with # are skipped.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/json_text.h"

namespace fnn {

/// The least positive weight. Denormal numbers have few digits (5e-324 * 1.003 is 5e-324), and so would means.
inline constexpr double kLeastWeight = 1e-15;

/// The problem of a weight between 0 and kLeastWeight; `text` is how a message shows it.
std::optional<std::string> too_little_weight(double weight, const std::string& text);

struct PairFile {
  Json pairs = Json::array();         ///< [name, name, weight], in file order
  std::vector<std::string> problems;  ///< each with the file name and, where known, the line
};

/// `nodes` are the names of the nodes in rank order, `name` is the name of the file in messages.
PairFile read_pair_file(const std::string& path, const std::string& name, const std::vector<std::string>& nodes);

}  // namespace fnn
