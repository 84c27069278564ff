// SPDX-License-Identifier: GPL-3.0-or-later
// The spec: which nodes with which NICs, and which switches with which ports, are to be wired.
//
// Reading has two stages. First the structure is checked (types, keys, ranges); only when it is
// sound, the meaning is (names used twice, more ports reserved than there are). Each stage reports
// all its problems at once. A sound spec is brought into its normal form, with every optional key
// present, which is what digests are taken of and what travels inside a design.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/json_text.h"
#include "base/problem.h"

namespace fnn {

inline constexpr std::size_t kLongestCluster = 32;
inline constexpr int kMostSpecNodes = 16384;        ///< more is a typing error; bounds the memory of everything after
inline constexpr std::size_t kLongestName = 15;  ///< the name of a bridge or a network interface can be so long

/// Node i of a spec and its NICs; `kind` is all that makes nodes differ to the search, so nodes of
/// one kind may trade their places in a design.
struct Node {
  std::string name;
  std::vector<std::string> nic_media;  ///< in the order of the design's NIC indexes
  std::vector<int> nic_mbps;           ///< likewise
  std::optional<std::string> rack;
  std::string kind;
};

struct PortGroup {
  int count;
  std::string media;
  int mbps;
};

struct Switch {
  std::string name;
  std::vector<PortGroup> ports;
  int reserved;                 ///< ports kept free of nodes
  std::optional<double> price;  ///< in any currency
  std::optional<std::string> rack;
  std::string kind;  ///< as for nodes

  int all_ports() const;
  int usable_ports() const { return all_ports() - reserved; }
};

/// A cable that has to be as it is: a NIC of a node in a port of a switch, by their indexes.
struct Pin {
  int node;
  int nic;
  int device;
};

/// Where a rack stands, in meters.
struct Rack {
  std::string name;
  double x_m;
  double y_m;
};

struct Spec {
  Json normal;  ///< the normal form
  std::string cluster;
  std::vector<Node> nodes;
  std::vector<Switch> switches;
  std::vector<Pin> pins;
  std::vector<Rack> racks;  ///< empty, or all racks that nodes and switches name
};

/// Reads a spec document, at the place `at` of whatever holds it. Files that it names are looked for in
/// `directory`; without one they are refused. Throws BadInput.
Spec read_spec(const Json& document, const std::string& at = "",
               const std::optional<std::string>& directory = std::nullopt);

/// Reads the spec in a file, and files it names from the same directory. Throws BadInput.
Spec read_spec_file(const std::string& path);

/// Refuses what is a good spec, but beyond this engine. Throws BadInput.
void require_supported(const Spec& spec);

}  // namespace fnn
