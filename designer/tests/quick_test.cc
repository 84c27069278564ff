// SPDX-License-Identifier: GPL-3.0-or-later
#include "program/quick.h"

#include <gtest/gtest.h>

#include "base/problem.h"
#include "support.h"

namespace fnn::testing {
namespace {

QuickSpec quick(std::optional<int> nodes, std::optional<int> nics, std::optional<int> ports,
                std::optional<int> switches) {
  return determine_open_numbers({nodes, nics, ports, switches, false});
}

// Schoenheim bound: 64 nodes on 31 ports need 7 switches, and the Fano plane has 7.
TEST(QuickSpec, OpenSwitchesAreMinimized) {
  const QuickSpec result = quick(64, 4, 31, std::nullopt);
  EXPECT_EQ(result.spec["switches"].size(), 7U);
  EXPECT_EQ(result.determined, Json::parse(
      R"({"switches": {"value": 7, "how": "proved", "at_least": 7, "best_known": 7}})"));
}

// The table of long searches has a design that no family gives.
TEST(QuickSpec, OpenSwitchesStateWhatIsNecessaryAndWhatIsKnown) {
  const Json switches = quick(24, 6, 6, std::nullopt).determined["switches"];
  EXPECT_EQ(switches["value"], 23);
  EXPECT_EQ(switches["how"], "found");
  EXPECT_EQ(switches["best_known"], 22);
  EXPECT_GE(switches["at_least"], 20);
  EXPECT_LE(switches["at_least"], 22);
}

TEST(QuickSpec, OpenPortsAreMinimized) {
  EXPECT_EQ(quick(64, 4, 0, 0).determined["ports"], Json::parse(R"({"value": 20, "how": "proved"})"));
  EXPECT_EQ(quick(1024, 5, std::nullopt, 21).determined["ports"], Json::parse(R"({"value": 244, "how": "proved"})"));
}

TEST(QuickSpec, OpenNicsAreMinimized) {
  EXPECT_EQ(quick(64, 0, 28, 0).determined["nics"], Json::parse(R"({"value": 3, "how": "proved"})"));
}

TEST(QuickSpec, OpenNodesAreMaximized) {
  EXPECT_EQ(quick(0, 4, 31, 0).determined["nodes"], Json::parse(R"({"value": 100, "how": "proved"})"));
  EXPECT_EQ(quick(0, 3, 28, 7).determined["nodes"], Json::parse(R"({"value": 64, "how": "proved"})"));
}

// The number of ports is unlimited: one switch holds all nodes, and one NIC is enough.
TEST(QuickSpec, NodesAloneGetOneSwitch) {
  const QuickSpec result = quick(12, 0, 0, 0);
  EXPECT_EQ(result.determined["nics"]["value"], 1);
  EXPECT_EQ(result.determined["ports"]["value"], 12);
  EXPECT_EQ(result.determined["switches"]["value"], 1);
}

TEST(QuickSpec, NamesAreNumbersOfOneLength) {
  const QuickSpec result = quick(1024, 5, 244, 21);
  EXPECT_EQ(result.spec["nodes"][0]["name"], "n0000");
  EXPECT_EQ(quick(64, 4, 31, 9).spec["nodes"][63]["name"], "n063");
  EXPECT_EQ(result.spec["switches"][20]["name"], "s20");
  EXPECT_EQ(result.determined, Json::object());
}

TEST(QuickSpec, AnUplinkAddsAPortToEachSwitch) {
  const Json spec = determine_open_numbers({64, 4, 31, 9, true}).spec;
  EXPECT_EQ(read_spec(spec).switches.front().usable_ports(), 31);
  EXPECT_EQ(spec["switches"][0]["ports"], 32);
}

TEST(QuickSpec, RequiresNodesOrPorts) {
  EXPECT_THROW(quick(0, 4, 0, 9), BadInput);
  EXPECT_THROW(quick(1, 4, 31, 9), BadInput);
}

TEST(QuickSpec, DesignAcceptsItInsteadOfASpecButNotWithOne) {
  const TemporaryDirectory scratch;
  const std::string out = scratch / "d.json";
  const ProgramResult ran = run_designer({"design", "--nodes", "64", "--nics", "4", "--ports", "31", "-o", out});
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(ran.answer()["settled"]["switches"]["value"], 7);
  EXPECT_EQ(run_designer({"check", out}).code, 0);
  const ProgramResult both = run_designer({"design", out, "--nodes", "64", "-o", out});
  EXPECT_EQ(both.code, 2);
  EXPECT_EQ(both.err, "SPEC and the quick form (--nodes, --nics, --ports, --switches, --uplink) exclude each other\n");
  EXPECT_EQ(run_designer({"design", "-o", out}).code, 2);
}

}  // namespace
}  // namespace fnn::testing
