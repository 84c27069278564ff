// SPDX-License-Identifier: GPL-3.0-or-later
#include "redesigns.h"

#include <vector>

#include "base/problem.h"
#include "design/check.h"
#include "design/design_document.h"
#include "engine_runs.h"
#include "oracle/verdict.h"

namespace fnn::fuzzing {
namespace {

/// Its own spec, and those with one node fewer, one more, and one switch fewer. The reader rejects some, for example
/// where a pattern or a pin does not suit.
std::vector<Spec> specs_after(const Spec& spec) {
  std::vector<Json> documents(4, spec.normal);
  documents[1]["nodes"].erase(documents[1]["nodes"].size() - 1);
  Json node = spec.normal["nodes"].front();
  node["name"] = "grown";
  documents[2]["nodes"].push_back(node);
  documents[3]["switches"].erase(documents[3]["switches"].size() - 1);
  std::vector<Spec> specs;
  for (const Json& document : documents) {
    try {
      specs.push_back(read_spec(document));
    } catch (const BadInput&) {
    }
  }
  return specs;
}

void redesign_for(const Spec& spec, const Design& old, bool grow, bool must_keep) {
  const std::vector<Bound> bounds = compute_bounds(spec);
  if (broken_bound(bounds)) return;
  DesignRequest request = brief_request(1);
  request.grow = grow;
  const Designed found = design(spec, old, request, [](std::int64_t, const Individual&) {});
  const Json document = design_document(spec, found.cabling, request.seed, bounds, found.moves);
  require_none(check_design(read_design(document), std::vector<NamePair>{}), document);
  require(found.moves.has_value(), "a redesign without moves", document);
  const bool complete = document["verdict"] == "found";
  require(!complete || found.moves->moved >= found.moves->at_least, "fewer moves than are proved possible", document);
  require(!must_keep || (complete && found.moves->moved == 0), "growth moved cables of a complete design", document);
}

}  // namespace

void redesign(const Design& old) {
  if (old.spec.nodes.size() < 2) return;
  const bool complete = old.document["verdict"] == "found";
  for (const Spec& spec : specs_after(old.spec)) {
    const bool same = spec.normal == old.spec.normal;
    redesign_for(spec, old, false, false);
    redesign_for(spec, old, true, same && complete);
  }
}

}  // namespace fnn::fuzzing
