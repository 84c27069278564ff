// SPDX-License-Identifier: GPL-3.0-or-later
// Runs `fnn-designer evaluate`.
#include <gtest/gtest.h>

#include <filesystem>

#include "base/digest.h"
#include "support.h"

namespace fnn::testing {
namespace {

std::string committed_path(const std::string& inventory) {
  return std::filesystem::path(FNN_INVENTORY) / inventory / "design.json";
}

class Evaluate : public ::testing::Test {
 protected:
  ProgramResult evaluate(const std::string& design, const std::vector<std::string>& more = {}) {
    std::vector<std::string> arguments{"evaluate", design, "-o", scratch_ / "evaluation.json", "--patterns", "300"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run_designer(arguments);
  }
  std::string bytes() { return read_file(scratch_ / "evaluation.json"); }

  TemporaryDirectory scratch_;
};

TEST_F(Evaluate, WritesEveryMeasureAndPrintsTheHeadlines) {
  const ProgramResult ran = evaluate(committed_path("klat2"));
  ASSERT_EQ(ran.code, 0) << ran.err;
  const Json document = Json::parse(bytes());
  for (const char* key : {"switches_traversed", "pairwise", "bisection", "ebb", "patterns", "worst_case", "aapc",
                          "forwarding_index", "exposure", "cost"}) {
    EXPECT_TRUE(document.contains(key)) << key;
  }
  EXPECT_EQ(document["format"], "fnn-evaluation");
  EXPECT_EQ(document["design_digest"], digest(read_json(committed_path("klat2"))));
  EXPECT_EQ(ran.answer()["pairwise"]["exact"], "1775/1008");
  EXPECT_EQ(ran.answer()["bisection_gbps"]["best"], 25.6);
}

TEST_F(Evaluate, SameDesignAndSeedGiveTheSameBytesWithAnyThreads) {
  const std::string design = committed_path(cases(0, 1) ? "kasy0" : "homelab16/ports16");
  ASSERT_EQ(evaluate(design, {"--threads", "1"}).code, 0);
  const std::string one = bytes();
  ASSERT_EQ(evaluate(design, {"--threads", "3"}).code, 0);
  EXPECT_EQ(bytes(), one);
  ASSERT_EQ(evaluate(design, {"--seed", "2"}).code, 0);
  EXPECT_NE(bytes(), one);
}

TEST_F(Evaluate, ADesignWithWrongCablesIsRejectedAndNothingIsWritten) {
  Json design = read_json(committed_path("lab"));
  design["nodes"][0]["links"][1]["switch"] = design["nodes"][0]["links"][0]["switch"];
  write_file(scratch_ / "design.json", pretty(design));
  const ProgramResult ran = evaluate(scratch_ / "design.json");
  EXPECT_EQ(ran.code, 2);
  EXPECT_NE(ran.err.find("/nodes/0/links/1"), std::string::npos) << ran.err;
  EXPECT_FALSE(std::filesystem::exists(scratch_ / "evaluation.json"));
}

TEST_F(Evaluate, MeasuresAllAlternativesByDefault) {
  ASSERT_EQ(evaluate(committed_path("lab")).code, 0);
  const Json document = Json::parse(bytes());
  EXPECT_EQ(document["alternatives"][0]["alternative"], "design");
  EXPECT_GT(document["alternatives"].size(), 16U);
  EXPECT_TRUE(document["prices"].is_null());
}

TEST_F(Evaluate, OnlyWantedAlternativesAreMeasured) {
  ASSERT_EQ(evaluate(committed_path("klat2"), {"--alternatives", "none"}).code, 0);
  EXPECT_EQ(Json::parse(bytes())["alternatives"].size(), 1U);
  ASSERT_EQ(evaluate(committed_path("klat2"), {"--alternatives", "ring,fat-tree"}).code, 0);
  const Json document = Json::parse(bytes());
  EXPECT_EQ(document["alternatives"].size(), 1U + 4 + 1);
  EXPECT_EQ(document["alternatives"][1]["alternative"], "fat-tree");
}

TEST_F(Evaluate, UnknownAlternativesAndBadPricesAreRejected) {
  const ProgramResult ran = evaluate(committed_path("lab"), {"--alternatives", "ring,hypercube,tokens"});
  EXPECT_EQ(ran.code, 2);
  EXPECT_NE(ran.err.find("unknown alternative hypercube"), std::string::npos) << ran.err;
  EXPECT_NE(ran.err.find("unknown alternative tokens"), std::string::npos) << ran.err;
  write_file(scratch_ / "prices.json", R"({"format": "fnn-prices"})");
  EXPECT_EQ(evaluate(committed_path("lab"), {"--prices", scratch_ / "prices.json"}).code, 2);
  EXPECT_FALSE(std::filesystem::exists(scratch_ / "evaluation.json"));
}

TEST_F(Evaluate, RequiresTwoRandomPatternsAndOneThread) {
  EXPECT_EQ(evaluate(committed_path("lab"), {"--patterns", "1"}).code, 2);
  EXPECT_EQ(evaluate(committed_path("lab"), {"--threads", "0"}).code, 2);
}

}  // namespace
}  // namespace fnn::testing
