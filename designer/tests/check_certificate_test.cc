// SPDX-License-Identifier: GPL-3.0-or-later
#include "design/check_certificate.h"

#include <gtest/gtest.h>

#include "support.h"

namespace fnn::testing {
namespace {

Json normal(const Json& document) { return read_spec(document).normal; }

Json links(const char* bound, int needed, int available, int numerator, int denominator) {
  return {{"bound", bound},
          {"needed", needed},
          {"available", available},
          {"multiplier", {{"numerator", numerator}, {"denominator", denominator}}}};
}

// 35 nodes on 15 switches of 10 ports: those with 4 links count 1, so with a multiplier of 1 each node costs 5, and the
// switches are worth 15: 175 - 15 = 160 links.
TEST(CheckCertificate, AcceptsTheMultiplierOfAProof) {
  const Json spec = normal(plain_spec(35, 5, 15, 10));
  EXPECT_EQ(check_certificate(spec, links("fisher", 160, 150, 1, 1)), true);
  EXPECT_EQ(check_certificate(spec, links("fisher", 160, 150, 16, 16)), true);
}

TEST(CheckCertificate, RejectsWhatTheSpecDoesNotGive) {
  const Json spec = normal(plain_spec(35, 5, 15, 10));
  EXPECT_EQ(check_certificate(spec, links("fisher", 161, 150, 1, 1)), false);   // one link too many
  EXPECT_EQ(check_certificate(spec, links("fisher", 160, 149, 1, 1)), false);   // there are 150 ports
  EXPECT_EQ(check_certificate(spec, links("fisher", 160, 150, 1, 8)), false);   // proves less
  EXPECT_EQ(check_certificate(spec, links("fisher", 160, 150, -1, 1)), false);
  EXPECT_EQ(check_certificate(spec, links("rank", 160, 150, 1, 1)), false);     // shares of 9/13 and 16/80
  EXPECT_EQ(check_certificate(spec, {{"bound", "fisher"}, {"needed", 16}, {"available", 15}}), false);
  EXPECT_EQ(check_certificate(normal(plain_spec(35, 5, 16, 10)), links("fisher", 160, 150, 1, 1)), false);
  EXPECT_EQ(check_certificate(normal(plain_spec(34, 5, 15, 10)), links("fisher", 160, 150, 1, 1)), false);
}

// As in rank_bounds_test.cc. With the multiplier 39 / 16 both numbers of links cost most together.
TEST(CheckCertificate, WeighsTwinsAgainstTheNodesThatShareTheRest) {
  const Json spec = normal(plain_spec(35, 5, 16, 10));
  EXPECT_EQ(check_certificate(spec, links("twins", 161, 160, 39, 16)), true);
  EXPECT_EQ(check_certificate(spec, links("twins", 162, 160, 39, 16)), false);
  EXPECT_EQ(check_certificate(spec, links("rank", 161, 160, 39, 16)), false);
  EXPECT_EQ(check_certificate(normal(plain_spec(35, 5, 17, 10)), links("twins", 171, 170, 39, 16)), false);
  // Nodes with so much excess are not distinguished.
  EXPECT_EQ(check_certificate(normal(plain_spec(1200, 2, 3, 1200)), links("twins", 4000, 3600, 1, 1)), false);
}

// Five of these nodes have 4 NICs and five have 6. With 6 links a share is 1 / 5: the excess 20 is that of four twins.
TEST(CheckCertificate, WeighsTwinsOfNodesWithDifferentNumbersOfNics) {
  Json document = plain_spec(35, 5, 16, 10);
  for (std::size_t i = 0; i < 5; ++i) document["nodes"][i]["nics"] = 4;
  for (std::size_t i = 30; i < 35; ++i) document["nodes"][i]["nics"] = 6;
  const Json spec = normal(document);
  EXPECT_EQ(check_certificate(spec, links("twins", 161, 160, 40, 16)), true);
  EXPECT_EQ(check_certificate(spec, links("twins", 162, 160, 40, 16)), false);
  EXPECT_EQ(check_certificate(spec, links("rank", 161, 160, 40, 16)), false);
  const Json switches = {{"bound", "twins"}, {"needed", 17}, {"available", 16}};
  EXPECT_EQ(check_certificate(spec, switches), false);  // 11.67 shares
}

// The plane of order 3: 13 light nodes need 13 switches, and there are so many.
TEST(CheckCertificate, RejectsProofsAboutASpecWithADesign) {
  const Json plane = normal(plain_spec(13, 4, 13, 4));
  EXPECT_EQ(check_certificate(plane, {{"bound", "fisher"}, {"needed", 13}, {"available", 13}}), false);  // proves nothing
  EXPECT_EQ(check_certificate(plane, {{"bound", "fisher"}, {"needed", 13}, {"available", 12}}), false);
  // A negative multiplier would count unused switches as links: 3000 - 13 * 96 = 1752.
  EXPECT_EQ(check_certificate(normal(plain_spec(13, 4, 30, 4)), links("fisher", 1752, 120, -100, 1)), false);
  EXPECT_EQ(check_certificate(normal(plain_spec(3, 2, 3, 2)), {{"bound", "sizes"}, {"needed", 3}, {"available", 2}}), false);
}

// 14 nodes with 4 links on switches of 5: their excess is 3 = 4 - 1.
TEST(CheckCertificate, CountsNoNodeAsLightWhoseExcessIsTheDiagonal) {
  EXPECT_EQ(check_certificate(normal(plain_spec(14, 4, 13, 5)), {{"bound", "fisher"}, {"needed", 14}, {"available", 13}}),
            false);
}

// With the redundancy as number of links the diagonal is 0, and so is the share.
TEST(CheckCertificate, GivesNodesNoShareWhoseLinksAreTheRedundancy) {
  Json document = plain_spec(6, 2, 2, 6);
  document["redundancy"] = 2;
  EXPECT_EQ(check_certificate(normal(document), {{"bound", "rank"}, {"needed", 3}, {"available", 2}}), false);
}

TEST(CheckCertificate, CountsOnlyPortsForTwoNodesOrMore) {
  Json reserved = plain_spec(35, 5, 15, 11);
  for (Json& device : reserved["switches"]) device["reserved"] = 1;
  EXPECT_EQ(check_certificate(normal(reserved), links("fisher", 160, 150, 1, 1)), true);
  Json narrow = plain_spec(15, 4, 20, 5);
  for (std::size_t j = 14; j < 20; ++j) narrow["switches"][j]["ports"] = 1;
  EXPECT_EQ(check_certificate(normal(narrow), {{"bound", "fisher"}, {"needed", 15}, {"available", 14}}), true);
}

TEST(CheckCertificate, RejectsProofsAboutPatterns) {
  Json spec = normal(plain_spec(35, 5, 15, 10));
  spec["coverage"] = "patterns";
  EXPECT_EQ(check_certificate(spec, links("fisher", 160, 150, 1, 1)), false);
}

// 97 pairs, as in rank_bounds_test.cc.
TEST(CheckCertificate, CountsThePairsThatSwitchesCover) {
  const Json spec = normal(plain_spec(15, 4, 40, 5));
  EXPECT_EQ(check_certificate(spec, {{"bound", "sizes"}, {"needed", 105}, {"available", 97}}), true);
  EXPECT_EQ(check_certificate(spec, {{"bound", "sizes"}, {"needed", 105}, {"available", 96}}), false);
  EXPECT_EQ(check_certificate(normal(plain_spec(14, 4, 40, 5)), {{"bound", "sizes"}, {"needed", 91}, {"available", 90}}),
            false);
  EXPECT_EQ(check_certificate(normal(plain_spec(14, 4, 40, 5)), {{"bound", "sizes"}, {"needed", 999}, {"available", 91}}),
            false);
}

// 24 switches of 7 nodes or more for 24 nodes with 6 NICs, as in rank_bounds_test.cc.
TEST(CheckCertificate, CountsTheLinksOfTheSmallestSwitches) {
  Json document = plain_spec(24, 6, 30, 9);
  document["redundancy"] = 2;
  const Json spec = normal(document);
  EXPECT_EQ(check_certificate(spec, {{"bound", "sizes"}, {"needed", 168}, {"available", 144}}), true);
  EXPECT_EQ(check_certificate(spec, {{"bound", "sizes"}, {"needed", 169}, {"available", 144}}), false);
  EXPECT_EQ(check_certificate(spec, {{"bound", "sizes"}, {"needed", 168}, {"available", 143}}), false);
}

TEST(CheckCertificate, FactorsTheDeterminant) {
  const auto claim = [](int switches) {
    return Json{{"bound", "determinant"}, {"needed", switches + 1}, {"available", switches}};
  };
  EXPECT_EQ(check_certificate(normal(plain_spec(20, 5, 20, 5)), claim(20)), true);
  EXPECT_EQ(check_certificate(normal(plain_spec(20, 6, 20, 5)), claim(20)), true);   // no node can use a sixth NIC
  EXPECT_EQ(check_certificate(normal(plain_spec(12, 4, 12, 4)), claim(12)), false);  // there is a design
  EXPECT_EQ(check_certificate(normal(plain_spec(20, 5, 21, 5)), claim(21)), false);  // not every port is needed
  EXPECT_EQ(check_certificate(normal(plain_spec(13, 4, 13, 4)), claim(13)), false);  // a plane
  const Json too_many = {{"bound", "determinant"}, {"needed", 22}, {"available", 20}};
  EXPECT_EQ(check_certificate(normal(plain_spec(20, 5, 20, 5)), too_many), false);
}

TEST(CheckCertificate, LeavesOtherBoundsToTheReader) {
  EXPECT_EQ(check_certificate(normal(plain_spec(9, 1, 1, 4)), {{"bound", "degree"}, {"needed", 8}, {"available", 3}}),
            std::nullopt);
}

TEST(CheckCertificate, IsPartOfTheAnswer) {
  const TemporaryDirectory scratch;
  const std::vector<std::string> numbers = {"--nodes", "75", "--nics", "6", "--ports", "17", "--switches", "24"};
  std::vector<std::string> command = {"design", "-o", scratch / "design.json"};
  command.insert(command.end(), numbers.begin(), numbers.end());
  const Json certificate = run_designer(command).answer()["certificate"];
  EXPECT_EQ(certificate["bound"], "rank");
  EXPECT_EQ(certificate["checked"], true);
  EXPECT_TRUE(certificate.contains("multiplier"));
}

}  // namespace
}  // namespace fnn::testing
