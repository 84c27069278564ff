// SPDX-License-Identifier: GPL-3.0-or-later
// The mutations of designer/fuzz: most results must get past the readers, or the fuzzer tests nothing behind them.
#include <gtest/gtest.h>

#include <set>

#include "base/problem.h"
#include "base/random.h"
#include "design/design_reading.h"
#include "document_mutator.h"
#include "network/infiniband.h"
#include "network_mutator.h"
#include "support.h"

namespace fnn::testing {
namespace {

using fuzzing::mutate_document;

constexpr int kMutations = 400;

bool is_accepted(const Json& document) {
  try {
    if (document["format"] == "fnn-design") read_design(document);
    else read_spec(document);
  } catch (const BadInput&) {
    return false;
  }
  return true;
}

std::string test_data(const std::string& name) { return read_file(std::filesystem::path(FNN_TEST_DATA) / name); }

TEST(DocumentMutator, MostMutatedDocumentsAreAccepted) {
  Random random(1);
  const std::string first = test_data("six.json");
  std::string text = first;
  std::set<std::string> different;
  std::set<std::string> keys;
  int accepted = 0;
  for (int i = 0; i < kMutations; ++i) {
    text = mutate_document(text, random);
    const Json document = Json::parse(text);
    different.insert(text);
    if (document.is_object()) {
      for (const auto& item : document.items()) keys.insert(item.key());
    }
    const bool good = document.is_object() && document.contains("format") && is_accepted(document);
    accepted += good ? 1 : 0;
    if (!good || text.size() > 4000) text = first;  // as libFuzzer returns to its corpus
  }
  EXPECT_GE(accepted, kMutations * 6 / 10);
  EXPECT_GE(different.size(), std::size_t{kMutations} * 7 / 10);
  for (const char* key : {"uplink", "racks", "pinned", "patterns", "goals", "maintenance", "redundancy", "quality"}) {
    EXPECT_TRUE(keys.contains(key)) << key;
  }
}

TEST(DocumentMutator, TheSameSeedGivesTheSameDocument) {
  for (const std::string& text : {test_data("eight.json"), std::string("no JSON")}) {
    Random first(7);
    Random second(7);
    EXPECT_EQ(mutate_document(text, first), mutate_document(text, second));
  }
}

TEST(DocumentMutator, TextThatIsNoJsonBecomesASpec) {
  int accepted = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Random random(seed);
    const Json document = Json::parse(mutate_document("{", random));
    accepted += document.contains("format") && is_accepted(document) ? 1 : 0;
  }
  EXPECT_GE(accepted, 5);
}

TEST(DocumentMutator, CrossesPartsWithTheSameKey) {
  Random random(1);
  Json other = data("six.json");
  for (Json& node : other["nodes"]) node["nics"] = 3;
  std::set<std::string> results;
  for (int i = 0; i < 40; ++i) results.insert(fuzzing::cross_documents(compact(data("six.json")), compact(other), random));
  Json crossed = data("six.json");
  crossed["nodes"] = other["nodes"];
  EXPECT_EQ(results, (std::set<std::string>{compact(data("six.json")), compact(crossed)}));
}

TEST(NetworkMutator, MostMutatedNetworksAreRead) {
  Random random(1);
  const std::string first = test_data("ib-small.ibnetdiscover") + "\n=\n" + test_data("ib-small.lfts");
  int accepted = 0;
  int with_tables = 0;
  for (int i = 0; i < kMutations; ++i) {
    try {
      const auto [topology, tables] = fuzzing::parts_of_network(fuzzing::mutate_network(first, random));
      InfinibandNetwork network = read_infiniband({topology, "topology"});
      if (!tables.empty()) read_tables({tables, "tables"}, {topology, "topology"}, network);
      ++accepted;
      with_tables += tables.empty() ? 0 : 1;
    } catch (const BadInput&) {
    }
  }
  EXPECT_GE(accepted, kMutations * 7 / 10);
  EXPECT_GE(with_tables, kMutations * 3 / 10);
}

}  // namespace
}  // namespace fnn::testing
