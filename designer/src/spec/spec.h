// SPDX-License-Identifier: GPL-3.0-or-later
// The spec: the nodes with their NICs, and the switches with their ports, to be wired.
//
// Reading has two stages. The first checks the structure (types, keys, ranges). Only for a valid structure, the
// second checks the meaning (duplicate names, more ports reserved than there are). Each stage reports all its
// problems at once. A valid spec is converted to its normal form, with every optional key present. Digests are
// computed from the normal form, and designs contain it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/json_text.h"
#include "base/problem.h"

namespace fnn {

inline constexpr std::size_t kLongestCluster = 32;
inline constexpr int kMostSpecNodes = 16384;        ///< more is a typing error; bounds memory use
inline constexpr std::size_t kLongestName = 15;  ///< of a switch, as the limit of the names of bridges

/// Node i of a spec and its NICs. `kind` has all properties that distinguish nodes in the search, so nodes of one
/// kind are interchangeable in a design.
struct Node {
  std::string name;
  std::vector<std::string> nic_media;  ///< families (media.h), in the order of the design's NIC indexes
  std::vector<int> nic_mbps;           ///< likewise
  std::optional<std::string> rack;
  std::string kind;
};

struct PortGroup {
  int count;
  std::string media;  ///< its family
  int mbps;
};

struct Switch {
  std::string name;
  std::vector<PortGroup> ports;
  int reserved;                 ///< ports kept free of nodes
  std::optional<double> price;  ///< in the currency of `prices`
  std::optional<std::string> rack;
  std::string kind;  ///< as for nodes

  int all_ports() const;
  int usable_ports() const { return all_ports() - reserved; }
};

/// A fixed cable: a NIC of a node in a port of a switch, by their indexes.
struct Pin {
  int node;
  int nic;
  int device;
};

/// The position of a rack, in meters.
struct Rack {
  std::string name;
  double x_m;
  double y_m;
};

struct Spec {
  Json normal;       ///< the normal form of the fabric, all but `maintenance`: that of which a design is made
  Json maintenance;  ///< the normal form of the maintenance network, or null
  std::string cluster;
  std::vector<Node> nodes;
  std::vector<Switch> switches;
  std::vector<Pin> pins;
  std::vector<Rack> racks;  ///< empty, or all racks that nodes and switches name
};

/// Reads a spec document at JSON pointer `at` of the containing document. Files that it names are read from
/// `directory`; without a directory they are rejected. Throws BadInput.
Spec read_spec(const Json& document, const std::string& at = "",
               const std::optional<std::string>& directory = std::nullopt);

/// Reads a spec file, and files it names from the same directory. Throws BadInput.
Spec read_spec_file(const std::string& path);

/// Rejects valid specs that exceed the limits of this engine. Throws BadInput.
void require_supported(const Spec& spec);

}  // namespace fnn
