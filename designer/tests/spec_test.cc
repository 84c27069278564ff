// SPDX-License-Identifier: GPL-3.0-or-later
// Valid specs. Invalid ones are tested by tests/errors/spec.
#include "spec/spec.h"

#include <gtest/gtest.h>

#include "spec/maintenance.h"
#include "support.h"

namespace fnn::testing {
namespace {

TEST(Spec, TheNormalFormHasEveryOptionalKey) {
  Json document = plain_spec(2, 1, 1, 4);
  document["uplink"] = {{"name", "up"}, {"ports", 8.0}};
  EXPECT_EQ(read_spec(document).normal, Json::parse(R"({
    "format": "fnn-spec", "version": 1, "cluster": "test", "topology": "fnn",
    "nodes": [
      {"name": "n000", "nics": [{"media": "rj45", "name": null, "speed_mbps": 1000}], "rack": null, "spare": false},
      {"name": "n001", "nics": [{"media": "rj45", "name": null, "speed_mbps": 1000}], "rack": null, "spare": false}],
    "switches": [
      {"name": "s00", "color": "s00", "ports": [{"count": 4, "media": "rj45", "speed_mbps": 1000}],
       "reserved": 1, "price": null, "rack": null, "internal_gbps": null}],
    "uplink": {"name": "up", "ports": 8, "spares": [], "hosts": []},
    "coverage": "all", "redundancy": 1, "patterns": [], "goals": {}, "mtu": null, "prices": {}})"));
}

TEST(Spec, NamedNicsAndPortGroupsHaveTheDefaultsOfPlainNumbers) {
  Json document = plain_spec(2, 1, 1, 4);
  document["nodes"][0]["nics"] = {"enp2s0", {{"name", "enp3s0"}}, {{"speed_mbps", 2500}}};
  document["switches"][0]["ports"] = {{{"count", 4}}, {{"count", 2}, {"media", "sfp"}}};
  document["maintenance"] = {{"nic", "eno1"}, {"switches", {{{"name", "grey"}, {"ports", {{{"count", 4}}}}}}}};
  const Spec spec = read_spec(document);
  EXPECT_EQ(spec.normal["nodes"][0]["nics"], Json::parse(R"([
    {"name": "enp2s0", "speed_mbps": 1000, "media": "rj45"}, {"name": "enp3s0", "speed_mbps": 1000, "media": "rj45"},
    {"name": null, "speed_mbps": 2500, "media": "rj45"}])"));
  EXPECT_EQ(spec.normal["switches"][0]["ports"], Json::parse(R"([
    {"count": 4, "speed_mbps": 1000, "media": "rj45"}, {"count": 2, "speed_mbps": 1000, "media": "sfp"}])"));
  EXPECT_EQ(spec.maintenance["switches"][0]["ports"], read_spec(plain_spec(2, 1, 1, 4)).normal["switches"][0]["ports"]);
}

TEST(Spec, WithoutAnUplinkNoPortIsReserved) {
  EXPECT_EQ(read_spec(plain_spec(2, 1, 1, 4)).switches[0].usable_ports(), 4);
}

TEST(Spec, WithAnUplinkOnePortIsReservedUnlessTheSpecSaysOtherwise) {
  Json document = plain_spec(2, 1, 2, 4);
  document["uplink"] = {{"name", "up"}, {"ports", 8}};
  document["switches"][1]["reserved"] = 0;
  const Spec spec = read_spec(document);
  EXPECT_EQ(spec.switches[0].usable_ports(), 3);
  EXPECT_EQ(spec.switches[1].usable_ports(), 4);
}

TEST(Spec, NodesAreOfOneKindWhenOnlyTheirNamesDiffer) {
  Json document = plain_spec(4, 2, 1, 4);
  document["nodes"][1]["rack"] = "r1";
  document["nodes"][2]["nics"] = Json::parse(
      R"([{"name": "eth0", "speed_mbps": 1000, "media": "rj45"}, {"speed_mbps": 1000, "media": "rj45"}])");
  document["nodes"][3]["spare"] = true;
  const Spec spec = read_spec(document);
  EXPECT_EQ(spec.nodes[0].kind, spec.nodes[2].kind) << "NIC names do not make a kind";
  EXPECT_NE(spec.nodes[0].kind, spec.nodes[1].kind) << "racks do";
  EXPECT_NE(spec.nodes[0].kind, spec.nodes[3].kind) << "being a spare does";
}

TEST(Spec, WholeNumbersMayBeWrittenAsFloats) {
  Json document = plain_spec(2, 1, 1, 4);
  document["nodes"][0]["nics"] = 1.0;
  document["switches"][0]["ports"] = 4.0;
  document["prices"] = {{"cable", 3.0}, {"nic", 19.5}};
  EXPECT_EQ(compact(read_spec(document).normal["prices"]), R"({"cable":3,"nic":19.5})");
}

TEST(Spec, ADesignIsOfTheFabricAlone) {
  Json document = plain_spec(2, 1, 1, 4);
  const Json fabric = read_spec(document).normal;
  document["maintenance"] = {{"nic", "eno1"}, {"switches", {{{"name", "m0"}, {"ports", 3}}, {{"name", "m1"}, {"ports", 3}}}}};
  const Spec spec = read_spec(document);
  EXPECT_EQ(spec.normal, fabric);
  EXPECT_EQ(spec.maintenance["media"], "rj45");
  EXPECT_EQ(spec.maintenance["switches"][1]["ports"][0]["count"], 3);
  EXPECT_EQ(spec.maintenance["trunks"], Json::parse(R"([{"a": "m0", "b": "m1", "count": 1}])"));
}

TEST(Spec, AMaintenanceNetworkIsASpecOfItsOwn) {
  Json document = plain_spec(4, 2, 2, 4);
  document["maintenance"] = {{"nic", "eno1"}, {"switches", {{{"name", "m0"}, {"ports", 4}}}}};
  Spec whole = read_spec(document);
  whole.normal["maintenance"] = whole.maintenance;
  const Spec own = read_spec(maintenance_spec(whole.normal));
  EXPECT_EQ(own.normal["topology"], "switch");
  EXPECT_EQ(own.normal["cluster"], whole.cluster);
  EXPECT_EQ(compact(own.normal["nodes"][3]["nics"]), R"([{"media":"rj45","name":"eno1","speed_mbps":1000}])");
}

// tests/errors/spec/more-pins-than-ports.json has one pin more.
TEST(Spec, PinsMayTakeEveryPortOfASwitch) {
  Json document = plain_spec(4, 1, 2, 4);
  document["switches"][0]["reserved"] = 1;
  for (const char* node : {"n000", "n001", "n002"}) {
    document["pinned"].push_back({{"node", node}, {"nic", 0}, {"switch", "s00"}});
  }
  EXPECT_EQ(read_spec(document).pins.size(), 3U);
}

TEST(Spec, NodesBeyondTheLimitOfTheEngineAreRejected) {
  const Spec spec = read_spec(plain_spec(8193, 1, 1, 5000));
  try {
    require_supported(spec);
    FAIL();
  } catch (const BadInput& bad) {
    EXPECT_STREQ(bad.what(), "/nodes: 8193 nodes are more than this engine supports, 8192");
  }
}

}  // namespace
}  // namespace fnn::testing
