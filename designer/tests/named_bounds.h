// SPDX-License-Identifier: GPL-3.0-or-later
// Bounds of a spec by name, for tests of the bounds from linear algebra.
#pragma once

#include <map>
#include <string>

#include "base/json_text.h"
#include "oracle/bounds.h"

namespace fnn::testing {

std::map<std::string, Bound> bounds_of(const Spec& spec);
std::map<std::string, Bound> bounds_of(const Json& document);

/// Expects that the bound is violated, and no bound of another kind than those from linear algebra.
void expect_only(const Json& document, const std::string& name);

/// The least number of switches that no bound excludes.
int fewest_switches_by_bounds(int nodes, int nics, int ports);

}  // namespace fnn::testing
