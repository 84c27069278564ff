// SPDX-License-Identifier: GPL-3.0-or-later
#include "routing/routes_document.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "base/digest.h"
#include "routing/choice.h"
#include "routing/weights.h"
#include "version.h"

namespace fnn {
namespace {

using std::size_t;

std::string code_of(size_t number, size_t digits) {
  std::string code(digits, '0');
  for (size_t i = digits; i > 0; --i, number /= 36) code[i - 1] = "0123456789abcdefghijklmnopqrstuvwxyz"[number % 36];
  return code;
}

size_t digits_for(size_t codes) {
  size_t digits = 1;
  for (size_t last = codes == 0 ? 0 : codes - 1; last >= 36; last /= 36) ++digits;
  return digits;
}

std::string row_of(size_t node, const Legs& legs, const Choice& choice, size_t digits) {
  std::string row;
  for (size_t peer = 0; peer < legs.size(); ++peer) {
    if (peer == node) row += std::string(digits, '.');
    else if (choice.leg(node, peer) == Choice::kNone) row += std::string(digits, '-');
    else row += code_of(static_cast<size_t>(legs[node][choice.leg(node, peer)].device), digits);
  }
  return row;
}

/// The distinct weights with their codes; equal parts have none.
Json weight_codes(const Weights& weights) {
  Json codes = Json::array();
  const size_t count = weights.table().size() - 1;
  for (size_t i = 0; i < count; ++i) {
    codes.push_back({{"code", code_of(i, digits_for(count))}, {"weights", weights.table()[i + 1]}});
  }
  return codes;
}

/// A code per peer as in row_of(), an equals sign for equal parts. Empty where all parts of the node are equal.
std::string weight_row_of(size_t node, const Legs& legs, const Weights& weights) {
  const size_t digits = digits_for(weights.table().size() - 1);
  bool any = false;
  std::string row;
  for (size_t peer = 0; peer < legs.size(); ++peer) {
    const size_t entry = weights.entry(node, peer);
    if (peer == node) row += std::string(digits, '.');
    else if (entry != 0) row += code_of(entry - 1, digits);
    else row += std::string(digits, shared_legs(legs[node], legs[peer]).empty() ? '-' : '=');
    any = any || entry != 0;
  }
  return any ? row : "";
}

double per_gbps(int peers, int mbps) { return std::round(peers * 1e9 / mbps) / 1e6; }

/// The maximum of peers per Gb/s over all NICs.
double most_per_gbps(const std::vector<std::vector<int>>& peers, const Legs& legs) {
  double most = 0;
  for (size_t node = 0; node < legs.size(); ++node) {
    for (size_t leg = 0; leg < legs[node].size(); ++leg) most = std::max(most, per_gbps(peers[node][leg], legs[node][leg].mbps));
  }
  return most;
}

/// Peers that each NIC sends to and receives from, recounted from the choice alone.
struct Peers {
  std::vector<std::vector<int>> sends;
  std::vector<std::vector<int>> receives;
  long asymmetric_pairs = 0;  ///< pairs whose directions use two switches

  Peers(const Legs& legs, const Choice& choice) {
    for (const auto& of_node : legs) {
      sends.emplace_back(of_node.size(), 0);
      receives.emplace_back(of_node.size(), 0);
    }
    for (size_t from = 0; from < legs.size(); ++from) {
      for (size_t to = 0; to < legs.size(); ++to) add(from, to, legs, choice);
    }
  }

 private:
  void add(size_t from, size_t to, const Legs& legs, const Choice& choice) {
    const size_t leg = choice.leg(from, to);
    if (leg == Choice::kNone) return;
    ++sends[from][leg];
    for (const SharedLeg& shared : shared_legs(legs[from], legs[to])) {
      if (shared.from_leg != leg) continue;
      ++receives[to][shared.to_leg];
      if (from < to && choice.leg(to, from) != shared.to_leg) ++asymmetric_pairs;
    }
  }
};

}  // namespace

Json routes_document(const Design& design, std::int64_t seed) {
  const Legs legs = legs_of(design);
  const PeerLimits limits = peer_limits(legs);
  Random random(static_cast<std::uint64_t>(seed));
  const Choice choice = choose_legs(legs, limits, random);
  const Weights weights = choose_weights(legs, inside_mbps_of(design.spec), own_traffic(design.spec));
  const Peers peers(legs, choice);
  const size_t digits = digits_for(design.spec.switches.size());
  Json codes = Json::array();
  for (size_t j = 0; j < design.spec.switches.size(); ++j) {
    codes.push_back({{"switch", design.spec.switches[j].name}, {"code", code_of(j, digits)}});
  }
  Json nodes = Json::array();
  for (size_t i = 0; i < legs.size(); ++i) {
    Json loads = Json::array();
    for (size_t leg = 0; leg < legs[i].size(); ++leg) {
      loads.push_back({{"switch", design.spec.switches[static_cast<size_t>(legs[i][leg].device)].name},
                       {"sends_to", peers.sends[i][leg]},
                       {"receives_from", peers.receives[i][leg]},
                       {"bound", limits.own[i][leg]}});
    }
    Json node = {{"name", design.spec.nodes[i].name}, {"row", row_of(i, legs, choice, digits)}, {"nics", loads}};
    if (const std::string row = weight_row_of(i, legs, weights); !row.empty()) node["weight_row"] = row;
    nodes.push_back(std::move(node));
  }
  return {{"format", "fnn-routes"},
          {"version", 1},
          {"cluster", design.spec.cluster},
          {"engine", kEngine},
          {"seed", seed},
          {"design_digest", digest(design.document)},
          {"switches", codes},
          {"weights", weight_codes(weights)},
          {"nodes", nodes},
          {"one_way_pairs", peers.asymmetric_pairs},
          {"most_peers_per_gbps", std::max(most_per_gbps(peers.sends, legs), most_per_gbps(peers.receives, legs))},
          {"bound_peers_per_gbps", most_per_gbps(limits.ceiling, legs)}};
}

}  // namespace fnn
