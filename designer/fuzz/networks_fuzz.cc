// SPDX-License-Identifier: GPL-3.0-or-later
// Fuzz target for the import of other networks: every output of ibnetdiscover and dump_lfts is either measured or
// rejected with BadInput.
//
// The input is the topology, then a line "=" and the forwarding tables. Without such a line the routes are min-hop.
#include <cstddef>
#include <cstdint>
#include <string>

#include "base/problem.h"
#include "network/infiniband.h"
#include "network/network_measures.h"

namespace {

constexpr std::size_t kMostNodesToMeasure = 32;

void import(const std::string& bytes) {
  const std::size_t end = bytes.find("\n=\n");
  const fnn::NamedText topology{bytes.substr(0, end), "topology"};
  fnn::InfinibandNetwork network = fnn::read_infiniband(topology);
  if (end == std::string::npos) {
    network.routed.layers.push_back({fnn::choose_routes(network.routed.network, fnn::RoutingChoice::kMinHop, 1)});
  } else {
    fnn::read_tables({bytes.substr(end + 3), "tables"}, topology, network);
  }
  if (network.nodes.size() > kMostNodesToMeasure) return;
  fnn::network_measures(network.routed, network.slowest_mbps, {}, {1, 2, 1});
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    import(std::string(reinterpret_cast<const char*>(data), size));
  } catch (const fnn::BadInput&) {  // the expected rejection
  }
  return 0;
}
