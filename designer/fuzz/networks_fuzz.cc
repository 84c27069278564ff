// SPDX-License-Identifier: GPL-3.0-or-later
// Fuzz target for the import of other networks: every output of ibnetdiscover and dump_lfts is either measured or
// rejected with BadInput.
//
// The input is the topology, then a line "=" and the forwarding tables. Without such a line the routes are min-hop.
//
// Mutations are those of network_mutator.h; one in 64 is of bytes. With FNN_FUZZ_BYTES=1 all are, to compare: the last line
// of the output says how many inputs got how far.
#include <cstddef>
#include <cstdint>
#include <string>

#include "base/problem.h"
#include "custom_mutator.h"
#include "network/infiniband.h"
#include "network/network_measures.h"
#include "network_mutator.h"
#include "reached.h"

namespace {

enum Stage : std::size_t { kInputs, kTopologies, kRouted, kMeasured };

fnn::fuzzing::Reached& reached() {
  static fnn::fuzzing::Reached counters({"inputs", "accepted as topology", "with routes", "measured"});
  return counters;
}

constexpr std::size_t kMostNodesToMeasure = 32;

void import(const std::string& bytes) {
  reached().count(kInputs);
  const auto [nodes, tables] = fnn::fuzzing::parts_of_network(bytes);
  const fnn::NamedText topology{nodes, "topology"};
  fnn::InfinibandNetwork network = fnn::read_infiniband(topology);
  reached().count(kTopologies);
  if (tables.empty()) {
    network.routed.layers.push_back({fnn::choose_routes(network.routed.network, fnn::RoutingChoice::kMinHop, 1)});
  } else {
    fnn::read_tables({tables, "tables"}, topology, network);
  }
  reached().count(kRouted);
  if (network.nodes.size() > kMostNodesToMeasure) return;
  fnn::network_measures(network.routed, network.slowest_mbps, {}, {1, 2, 1});
  reached().count(kMeasured);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    import(std::string(reinterpret_cast<const char*>(data), size));
  } catch (const fnn::BadInput&) {  // the expected rejection
  }
  return 0;
}

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t max_size, unsigned seed) {
  return fnn::fuzzing::mutate_input(data, size, max_size, seed, fnn::fuzzing::mutate_network);
}
