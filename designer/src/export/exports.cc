// SPDX-License-Identifier: GPL-3.0-or-later
#include "export/exports.h"

#include "design/shared_switches.h"
#include "evaluate/fabric.h"
#include "export/cables.h"
#include "routing/choice.h"

namespace fnn {
namespace {

using std::size_t;

/// Escapes text for XML: the name of a NIC may contain special characters, other names cannot.
std::string escaped(const std::string& text) {
  std::string safe;
  for (const char each : text) {
    switch (each) {
      case '&': safe += "&amp;"; break;
      case '<': safe += "&lt;"; break;
      case '>': safe += "&gt;"; break;
      case '"': safe += "&quot;"; break;
      default: safe += each;
    }
  }
  return safe;
}

/// Quotes text for DOT.
std::string quoted(const std::string& text) {
  std::string safe = "\"";
  for (const char each : text) {
    if (each == '"' || each == '\\') safe += '\\';
    safe += each;
  }
  return safe + "\"";
}

/// Quotes a field for CSV.
std::string field(const std::string& text) {
  if (text.find_first_of(",\"\n") == std::string::npos) return text;
  std::string safe = "\"";
  for (const char each : text) {
    if (each == '"') safe += '"';
    safe += each;
  }
  return safe + "\"";
}

std::string data(const std::string& key, const std::string& value) {
  return "<data key=\"" + key + "\">" + escaped(value) + "</data>";
}

std::string vertex(const std::string& name, const char* kind) {
  return "    <node id=\"" + escaped(name) + "\">" + data("kind", kind) + "</node>\n";
}

std::string key(const char* name, const char* of, const char* type) {
  const std::string id(name);
  return "  <key id=\"" + id + "\" for=\"" + of + "\" attr.name=\"" + id + "\" attr.type=\"" + type + "\"/>\n";
}

}  // namespace

std::string graphml_of(const Design& design) {
  std::string text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n";
  text += key("kind", "node", "string");
  for (const char* name : {"port", "far_port", "color"}) text += key(name, "edge", "string");
  for (const char* name : {"nic", "mbps"}) text += key(name, "edge", "int");
  text += "  <graph id=\"" + escaped(design.spec.cluster) + "\" edgedefault=\"undirected\">\n";
  for (const Node& node : design.spec.nodes) text += vertex(node.name, "node");
  for (const std::string& name : all_switches(design)) text += vertex(name, "switch");
  int number = 0;
  for (const PluggedCable& cable : plugged_cables(design)) {
    text += "    <edge id=\"cable" + std::to_string(number++) + "\" source=\"" + escaped(cable.from) + "\" target=\"" +
            escaped(cable.device) + "\">" + data("port", cable.from_port) + data("far_port", cable.device_port) +
            data("color", cable.color);
    if (cable.nic >= 0) text += data("nic", std::to_string(cable.nic)) + data("mbps", std::to_string(cable.mbps));
    text += "</edge>\n";
  }
  return text + "  </graph>\n</graphml>\n";
}

std::string dot_of(const Design& design) {
  std::string text = "graph " + quoted(design.spec.cluster) + " {\n";
  for (const PluggedCable& cable : plugged_cables(design)) {
    text += "  " + quoted(cable.from) + ":" + quoted(cable.from_port) + " -- " + quoted(cable.device) + ":" +
            quoted(cable.device_port) + ";\n";
  }
  return text + "}\n";
}

std::string netbox_of(const Design& design) {
  std::string text = "side_a_device,side_a_type,side_a_name,side_b_device,side_b_type,side_b_name,status,label\n";
  for (const PluggedCable& cable : plugged_cables(design)) {
    text += field(cable.from) + ",dcim.interface," + field(cable.from_port) + "," + field(cable.device) + ",dcim.interface," +
            field(cable.device_port) + ",connected," + field(cable.color) + "\n";
  }
  return text;
}

std::string slurm_of(const Design& design) {
  std::string text = "SwitchName=" + design.spec.cluster + " Nodes=";
  for (size_t rank = 0; rank < design.spec.nodes.size(); ++rank) {
    text += (rank == 0 ? "" : ",") + design.spec.nodes[rank].name;
  }
  return text + "\n";
}

std::string simgrid_of(const Design& design, bool advanced, std::uint64_t seed) {
  const Fabric fabric = fabric_of(design);
  Random random(seed);
  const Choice choice = choose_legs(fabric.legs, peer_limits(fabric.legs), random);
  const auto name = [&](size_t node, size_t leg) { return design.spec.nodes[node].name + "-" + std::to_string(leg); };
  std::string hosts;
  std::string links;
  std::string routes;
  for (size_t node = 0; node < fabric.nodes(); ++node) {
    if (!advanced) hosts += "    <host id=\"" + design.spec.nodes[node].name + "\" speed=\"1Gf\"/>\n";
    for (size_t leg = 0; leg < fabric.legs[node].size(); ++leg) {
      if (advanced) hosts += "    <host id=\"" + name(node, leg) + "\" speed=\"1Gf\"/>\n";
      links += "    <link id=\"link-" + name(node, leg) + "\" bandwidth=\"" + std::to_string(fabric.legs[node][leg].mbps) +
               "Mbps\" latency=\"0s\" sharing_policy=\"SPLITDUPLEX\"/>\n";
    }
  }
  const auto route = [&](const std::string& from, const std::string& to, const std::string& up, const std::string& down) {
    routes += "    <route src=\"" + from + "\" dst=\"" + to + "\" symmetrical=\"NO\"><link_ctn id=\"link-" + up +
              "\" direction=\"UP\"/><link_ctn id=\"link-" + down + "\" direction=\"DOWN\"/></route>\n";
  };
  for (size_t from = 0; from < fabric.nodes(); ++from) {
    for (size_t to = 0; to < fabric.nodes(); ++to) {
      if (from == to) continue;
      for_each_shared(fabric.legs[from], fabric.legs[to], [&](size_t from_leg, size_t to_leg) {
        if (advanced) route(name(from, from_leg), name(to, to_leg), name(from, from_leg), name(to, to_leg));
        else if (choice.leg(from, to) == from_leg) {
          route(design.spec.nodes[from].name, design.spec.nodes[to].name, name(from, from_leg), name(to, to_leg));
        }
      });
    }
  }
  // A fluid model without latency or protocol: flows over an edge share it evenly, as in the evaluation.
  return "<?xml version=\"1.0\"?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
         "<platform version=\"4.1\">\n"
         "  <config>\n"
         "    <prop id=\"network/model\" value=\"CM02\"/>\n"
         "    <prop id=\"network/crosstraffic\" value=\"0\"/>\n"
         "    <prop id=\"network/TCP-gamma\" value=\"0\"/>\n"
         "    <prop id=\"network/latency-factor\" value=\"1\"/>\n"
         "    <prop id=\"network/bandwidth-factor\" value=\"1\"/>\n"
         "    <prop id=\"network/weight-S\" value=\"0\"/>\n"
         "  </config>\n"
         "  <zone id=\"" + design.spec.cluster + "\" routing=\"Full\">\n" + hosts + links + routes + "  </zone>\n</platform>\n";
}

}  // namespace fnn
