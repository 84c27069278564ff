// SPDX-License-Identifier: GPL-3.0-or-later
// Weighted pairs from a CSV file: a list of pairs, or the byte matrix of an MPI profiler.
//
// What a file is shows at its first field, since names of nodes begin with a letter:
//
//   a name    a list of pairs:              n01,n02,1500     (the weight is 1 when left out)
//   a number  a matrix in rank order:       0,1500,20        (one line and one column per node)
//   nothing   a matrix with names:          ,n01,n02         (any nodes in any order)
//                                           n01,0,1500
//
// Entry (i, j) of a matrix is what i sends to j; the pair gets both directions, and what a node sends
// to itself does not count. Lines that are empty or begin with # are skipped.
#pragma once

#include <string>
#include <vector>

#include "base/json_text.h"

namespace fnn {

struct PairFile {
  Json pairs = Json::array();         ///< [name, name, weight], as they come
  std::vector<std::string> problems;  ///< each with the file's name and perhaps its line
};

/// `nodes` are the names of the nodes in rank order, `name` is what messages call the file.
PairFile read_pair_file(const std::string& path, const std::string& name, const std::vector<std::string>& nodes);

}  // namespace fnn
