// SPDX-License-Identifier: GPL-3.0-or-later
#include "oracle/type_problem.h"

#include <algorithm>
#include <map>

namespace fnn {

bool TypeProblem::allows(const TypeKind& kind, Type type) const {
  std::vector<int> nics = kind.nics;
  for (std::size_t j = 0; j < switches(); ++j) {
    if (holds(type, j) && --nics[static_cast<std::size_t>(media[j])] < 0) return false;
  }
  return true;
}

long long TypeProblem::ports_of(Type type) const {
  long long ports = 0;
  for (std::size_t j = 0; j < switches(); ++j) ports += holds(type, j) ? width[j] : 0;
  return ports;
}

std::optional<TypeProblem> type_problem(const Limits& limits, const Demand& demand) {
  if (!demand.is_universal() || limits.switch_count() > kMostTypeSwitches) return std::nullopt;
  if (limits.groups.size() != limits.usable_ports.size()) return std::nullopt;
  TypeProblem problem;
  problem.nodes = limits.node_count();
  problem.shared = demand.redundancy();
  for (const Group& group : limits.groups) {
    problem.width.push_back(std::min(group.ports, problem.nodes));
    problem.media.push_back(group.media);
  }
  std::map<std::vector<int>, std::vector<int>> kinds;
  for (int node = 0; node < problem.nodes; ++node) {
    std::vector<int> nics(limits.media_count, 0);
    for (int nic = limits.first_nic[Limits::at(node)]; nic < limits.first_nic[Limits::at(node) + 1]; ++nic) {
      ++nics[Limits::at(limits.nics[Limits::at(nic)].media)];
    }
    kinds[nics].push_back(node);
  }
  for (auto& [nics, nodes] : kinds) problem.kinds.push_back({std::move(nodes), nics});
  return problem;
}

}  // namespace fnn
