// SPDX-License-Identifier: GPL-3.0-or-later
#include "network/infiniband.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <map>
#include <optional>
#include <sstream>

#include "base/problem.h"

namespace fnn {
namespace {

using std::size_t;

constexpr size_t kMostNodes = 16384;
constexpr size_t kMostEdges = 65534;

/// The end of a cable: "S-0000000000200003" or "H-...", and the port.
using Socket = std::pair<std::string, int>;

/// A line in the block of a switch.
struct PortLine {
  Socket here;
  Socket peer;
  int lid;  ///< of the other end
  int mbps;
  std::string name;
};

struct Topology {
  std::vector<std::string> switches;  ///< identifiers, in ascending order
  std::map<std::string, std::string> names;
  std::vector<PortLine> lines;
};

std::string place(const NamedText& text, size_t line) { return text.name + ":" + std::to_string(line); }

/// The text between the first two quotes at or after `from`.
std::string quoted(const std::string& line, size_t from) {
  const size_t open = line.find('"', from);
  const size_t shut = open == std::string::npos ? open : line.find('"', open + 1);
  return shut == std::string::npos ? "" : line.substr(open + 1, shut - open - 1);
}

/// "4xQDR" in Mb/s; 0 for an invalid speed.
int mbps_of(const std::string& speed) {
  static const std::map<std::string, int> lanes = {{"SDR", 2500},  {"DDR", 5000},  {"QDR", 10000},  {"FDR10", 10000},
                                                   {"FDR", 14000}, {"EDR", 25000}, {"HDR", 50000}, {"NDR", 100000}};
  int width = 0;
  std::array<char, 8> rate{};
  if (std::sscanf(speed.c_str(), "%dx%7s", &width, rate.data()) != 2) return 0;
  const auto lane = lanes.find(rate.data());
  return lane == lanes.end() || width < 1 || width > 12 ? 0 : width * lane->second;
}

/// [3]	"S-0000000000200004"[4]		# "S-0000000000000200" lid 7 4xSDR
std::optional<PortLine> port_line(const std::string& device, const std::string& line) {
  PortLine found{{device, 0}, {quoted(line, 0), 0}, 0, 0, ""};
  if (std::sscanf(line.c_str(), "[%d]", &found.here.second) != 1 || found.peer.first.size() < 3) return std::nullopt;
  const size_t after = line.find("\"[");
  const size_t comment = line.find('#');
  const size_t lid = line.find(" lid ", comment == std::string::npos ? 0 : comment);
  if (after == std::string::npos || comment == std::string::npos || lid == std::string::npos) return std::nullopt;
  if (std::sscanf(line.c_str() + after, "\"[%d]", &found.peer.second) != 1) return std::nullopt;
  std::array<char, 16> speed{};
  if (std::sscanf(line.c_str() + lid, " lid %d %15s", &found.lid, speed.data()) != 2) return std::nullopt;
  found.mbps = mbps_of(speed.data());
  found.name = quoted(line, comment);
  if (found.mbps == 0) return std::nullopt;
  return found;
}

Topology parse(const NamedText& text) {
  Topology topology;
  Problems problems;
  std::istringstream stream(text.text);
  std::string line;
  std::string device;
  for (size_t number = 1; std::getline(stream, line); ++number) {
    if (line.rfind("Switch", 0) == 0) {
      device = quoted(line, 0);
      if (device.rfind("S-", 0) != 0) problems.add(place(text, number), "a switch without an identifier");
      const size_t comment = line.find('#');
      topology.switches.push_back(device);
      topology.names[device] = comment == std::string::npos ? device : quoted(line, comment);
    } else if (line.rfind("Ca", 0) == 0 || line.rfind("Rt", 0) == 0) {
      device.clear();
    } else if (!device.empty() && line.rfind("[", 0) == 0) {
      if (const auto found = port_line(device, line)) topology.lines.push_back(*found);
      else problems.add(place(text, number), "expected a port line with a peer, a lid and a known speed");
    }
  }
  if (topology.switches.empty()) problems.add(text.name, "contains no switch");
  if (!problems.empty()) throw BadInput(problems.sorted());
  return topology;
}

/// Vertex, node and edge numbers, determined by the topology alone.
struct TopologyIndex {
  std::map<int, std::uint32_t> node_of_lid;
  std::map<std::string, std::uint32_t> vertex_of_switch;
  std::map<Socket, std::uint32_t> edge_from;  ///< per switch port, its outgoing edge
};

InfinibandNetwork build(const Topology& topology, TopologyIndex& index, const std::string& name) {
  std::map<int, std::string> hosts;
  for (const PortLine& line : topology.lines) {
    if (line.peer.first.rfind("S-", 0) != 0) hosts.emplace(line.lid, line.name);
  }
  if (hosts.size() < 2) throw BadInput(std::vector<Problem>{{name, "contains fewer than two host ports"}});
  if (hosts.size() > kMostNodes) throw BadInput(std::vector<Problem>{{name, "contains more than 16384 host ports"}});
  InfinibandNetwork found{{Network(hosts.size()), {}}, 0, {}, {}};
  for (const auto& [lid, host] : hosts) {
    index.node_of_lid.emplace(lid, static_cast<std::uint32_t>(index.node_of_lid.size()));
    found.nodes.push_back(host);
  }
  Network& network = found.routed.network;
  for (const std::string& device : topology.switches) {
    index.vertex_of_switch.emplace(device, network.add_switch());
    found.switches.push_back(topology.names.at(device));
  }
  for (const PortLine& line : topology.lines) {
    if (index.edge_from.contains(line.here)) continue;
    const auto device = index.vertex_of_switch.find(line.peer.first);
    const bool is_host = line.peer.first.rfind("S-", 0) != 0;
    if (!is_host && device == index.vertex_of_switch.end()) continue;
    // A cable is two consecutive edges, the first in the direction in which it was added.
    const auto edge = static_cast<std::uint32_t>(2 * network.cables().size());
    network.add_cable(index.vertex_of_switch.at(line.here.first),
                      is_host ? index.node_of_lid.at(line.lid) : device->second, line.mbps);
    index.edge_from.emplace(line.here, edge);
    if (!is_host) index.edge_from.emplace(line.peer, edge + 1);
    found.slowest_mbps = found.slowest_mbps == 0 ? line.mbps : std::min(found.slowest_mbps, line.mbps);
  }
  network.finish();
  // Sockets are sorted by switch and port, because subnet managers prefer the lower port.
  std::map<std::uint32_t, std::vector<std::uint32_t>> by_port;
  for (const auto& [socket, edge] : index.edge_from) by_port[network.edges()[edge].tail].push_back(edge);
  for (auto& [vertex, edges] : by_port) network.reorder_out(vertex, std::move(edges));
  if (network.edges().size() > kMostEdges) {
    throw BadInput(std::vector<Problem>{{name, "contains more than 32767 cables"}});
  }
  return found;
}

/// A switch on a forwarding loop for a destination, if there is one.
std::optional<std::uint32_t> find_forwarding_loop(const Network& network, const ForwardingTables& next,
                                                  std::uint32_t to) {
  std::vector<std::uint32_t> begun_at(network.vertices(), 0);  // first visit by start vertex, from 1; 0: not visited
  for (std::uint32_t start = 0; start < network.vertices(); ++start) {
    std::uint32_t vertex = start;
    while (vertex != to && begun_at[vertex] == 0 && next.next(vertex, to) != ForwardingTables::kNone) {
      begun_at[vertex] = start + 1;
      vertex = network.edges()[next.next(vertex, to)].head;
    }
    if (vertex != to && begun_at[vertex] == start + 1) return vertex;
  }
  return std::nullopt;
}

}  // namespace

InfinibandNetwork read_infiniband(const NamedText& topology) {
  TopologyIndex index;
  return build(parse(topology), index, topology.name);
}

void read_tables(const NamedText& tables, const NamedText& topology, InfinibandNetwork& network) {
  TopologyIndex index;
  network = build(parse(topology), index, topology.name);
  ForwardingTables next(network.routed.network);
  for (std::uint32_t node = 0; node < network.nodes.size(); ++node) {
    const std::vector<std::uint32_t>& out = network.routed.network.out(node);
    for (std::uint32_t to = 0; to < network.nodes.size(); ++to) {
      if (to != node && !out.empty()) next.set(node, to, out.front());
    }
  }
  Problems problems;
  std::istringstream stream(tables.text);
  std::string line;
  std::string device;
  for (size_t number = 1; std::getline(stream, line); ++number) {
    unsigned lid = 0;
    int port = 0;
    if (line.rfind("Unicast lids", 0) == 0) {
      const size_t guid = line.find("guid 0x");
      device = guid == std::string::npos ? "" : "S-" + line.substr(guid + 7, 16);
      if (!index.vertex_of_switch.contains(device)) {
        problems.add(place(tables, number), "no switch of the topology has this guid");
      }
    } else if (std::sscanf(line.c_str(), "0x%x %d :", &lid, &port) == 2) {
      const auto node = index.node_of_lid.find(static_cast<int>(lid));
      const auto vertex = index.vertex_of_switch.find(device);
      if (node == index.node_of_lid.end() || vertex == index.vertex_of_switch.end() || port == 0) continue;
      const auto edge = index.edge_from.find({device, port});
      if (edge == index.edge_from.end()) {
        problems.add(place(tables, number), "this port has no cable");
        continue;
      }
      // A node does not forward: an entry that leads to a node other than the destination is ignored.
      const std::uint32_t head = network.routed.network.edges()[edge->second].head;
      if (!network.routed.network.is_node(head) || head == node->second) next.set(vertex->second, node->second, edge->second);
    }
  }
  if (device.empty()) problems.add(tables.name, "contains no forwarding table");
  for (std::uint32_t to = 0; to < network.nodes.size(); ++to) {
    const auto vertex = find_forwarding_loop(network.routed.network, next, to);
    if (!vertex) continue;
    problems.add(tables.name, "forwarding loop for " + network.nodes[to] + " at " +
                                  network.switches[*vertex - network.nodes.size()]);
  }
  if (!problems.empty()) throw BadInput(problems.sorted());
  network.routed.layers.push_back({std::move(next)});
}

}  // namespace fnn
