// SPDX-License-Identifier: GPL-3.0-or-later
#include "program/cable_list.h"

#include <gtest/gtest.h>

#include "base/problem.h"
#include "support.h"

namespace fnn::testing {
namespace {

std::string problems_of(const std::string& text) {
  try {
    parse_cable_list(text, "list", read_spec(data("six.json")));
  } catch (const BadInput& bad) {
    return bad.what();
  }
  return "";
}

TEST(CableList, ReportsEveryErrorWithFileAndLine) {
  const Spec six = read_spec(data("six.json"));
  const std::string a = six.nodes[0].name;
  const std::string red = six.switches[0].name;
  const std::string blue = six.switches[1].name;
  EXPECT_EQ(problems_of("node,nic,switch\n" + a + ",0," + red + "\n" + a + ",0," + blue + "\n" + a + ",1," + red +
                        "\nnobody,0,nowhere\n" + a + ",2," + red + "\n" + a + ",-1," + red + "\n" + a + "\n"),
            "list line 3: the NIC has a cable already\n"
            "list line 4: " + a + " is on " + red + " already\n"
            "list line 5: \"nobody\" is not the name of a node\n"
            "list line 5: \"nowhere\" is not the name of a switch\n"
            "list line 6: " + a + " has 2 NICs, counted from 0\n"
            "list line 7: \"-1\" is not the number of a NIC\n"
            "list line 8: expected node,nic,switch, not 1 field");
}

TEST(CableList, RejectsMoreCablesThanPorts) {
  const Spec six = read_spec(data("six.json"));
  std::string text;
  for (const Node& node : six.nodes) text += node.name + ",0," + six.switches[0].name + "\n";
  EXPECT_EQ(problems_of(text), "list line 5: " + six.switches[0].name + " has no port left for a node\n"
                               "list line 6: " + six.switches[0].name + " has no port left for a node");
}

TEST(CableList, ExportAndImportGiveTheSameCablesAndMeasures) {
  const TemporaryDirectory scratch;
  write_file(scratch / "spec.json", data("klat2.json").dump());
  ASSERT_EQ(run_designer({"design", scratch / "spec.json", "-o", scratch / "d.json"}).code, 0);
  ASSERT_EQ(run_designer({"export", "--format", "cables", scratch / "d.json", "-o", scratch / "d.csv"}).code, 0);
  const ProgramResult import = run_designer({"import", "--format", "cables", "--spec", scratch / "spec.json",
                                             scratch / "d.csv", "-o", scratch / "e.json"});
  EXPECT_EQ(import.code, 0) << import.err;
  EXPECT_EQ(read_json(scratch / "e.json")["nodes"], read_json(scratch / "d.json")["nodes"]);
  EXPECT_EQ(read_json(scratch / "e.json")["quality"], read_json(scratch / "d.json")["quality"]);
}

TEST(CableList, AnIncompleteWiringIsMeasured) {
  const TemporaryDirectory scratch;
  const Spec six = read_spec(data("six.json"));
  write_file(scratch / "spec.json", data("six.json").dump());
  write_file(scratch / "c.csv", six.nodes[0].name + ",1," + six.switches[0].name + "\n");
  const ProgramResult import = run_designer({"import", "--format", "cables", "--spec", scratch / "spec.json",
                                             scratch / "c.csv", "-o", scratch / "d.json"});
  EXPECT_EQ(import.code, 3);
  EXPECT_EQ(read_json(scratch / "d.json")["uncovered"].size(), 15U);
}

TEST(CableList, RequiresASpecWhichTheTextFormatRejects) {
  const TemporaryDirectory scratch;
  write_file(scratch / "c.csv", "");
  EXPECT_EQ(run_designer({"import", "--format", "cables", scratch / "c.csv", "-o", scratch / "d.json"}).code, 2);
  EXPECT_EQ(run_designer({"import", "--spec", "x", scratch / "c.csv", "-o", scratch / "d.json"}).code, 2);
}

}  // namespace
}  // namespace fnn::testing
