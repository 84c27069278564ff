// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

namespace fnn {

/// Names in short form: two or more in a row that differ by 1 in the number at their end become a range: `k00-k05`, or
/// `compute-0-0…compute-0-2` of names with hyphens.
std::vector<std::string> name_ranges(const std::vector<std::string>& names);

}  // namespace fnn
