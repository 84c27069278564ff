// SPDX-License-Identifier: GPL-3.0-or-later
// Cable lengths: the distances along and across the rows of racks, added up.
#pragma once

#include <map>
#include <string>

#include "spec/spec.h"

namespace fnn {

class CableLengths {
 public:
  explicit CableLengths(const Spec& spec);

  /// Meters between the racks of a node and a switch; 0 where a position is unknown.
  double meters(std::size_t node, std::size_t device) const;

 private:
  const Rack* place_of(const std::optional<std::string>& rack) const;

  const Spec& spec_;
  std::map<std::string, const Rack*> racks_;
};

}  // namespace fnn
