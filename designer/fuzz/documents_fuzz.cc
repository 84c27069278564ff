// SPDX-License-Identifier: GPL-3.0-or-later
// Fuzz target for documents: every input is either used by all stages of the engine or rejected with BadInput.
//
// The same bytes are read as JSON, as a spec, as a price list and as a design. The normal form of an accepted spec must
// be its own normal form. A small spec is designed, and the check, which shares no code with the search, must accept the
// design; a design is checked, and without violations routed, evaluated, compared with other networks, shown, exported
// and redesigned. Any other result, sanitizer finding or exception is a defect.
//
// Mutations are those of document_mutator.h; one in 64 is of bytes. With FNN_FUZZ_BYTES=1 all are, to compare: the last
// line of the output says how many inputs got how far. The test DocumentMutator measures the share for specs.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>

#include "alternatives/price_list.h"
#include "base/json_text.h"
#include "base/problem.h"
#include "custom_mutator.h"
#include "design/design_reading.h"
#include "document_mutator.h"
#include "pipeline.h"
#include "reached.h"
#include "spec/spec.h"

namespace {

enum Stage : std::size_t { kInputs, kJson, kSpecs, kPrices, kDesigns, kValid };

fnn::fuzzing::Reached& reached() {
  static fnn::fuzzing::Reached counters({"inputs", "JSON", "accepted as spec", "as price list", "as design", "valid designs"});
  return counters;
}

template <typename Use>
void read(Use use) {
  try {
    use();
  } catch (const fnn::BadInput&) {  // the expected rejection
  }
}

void read_as_spec(const fnn::Json& document) {
  const fnn::Spec spec = fnn::read_spec(document);
  reached().count(kSpecs);
  if (fnn::read_spec(spec.normal).normal != spec.normal) std::abort();
  if (fnn::fuzzing::is_small(spec)) fnn::fuzzing::designed(spec, 1);
}

void read_as_prices(const fnn::Json& document) {
  fnn::read_price_list(document);
  reached().count(kPrices);
}

void read_as_design(const fnn::Json& document) {
  const fnn::Design design = fnn::read_design(document);
  reached().count(kDesigns);
  if (fnn::fuzzing::use_design(design)) reached().count(kValid);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  reached().count(kInputs);
  read([&] {
    const fnn::Json document = fnn::parse_json(fnn::fuzzing::text_of_input(data, size), "fuzz");
    reached().count(kJson);
    read([&] { read_as_spec(document); });
    read([&] { read_as_prices(document); });
    read([&] { read_as_design(document); });
  });
  return 0;
}

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t max_size, unsigned seed) {
  return fnn::fuzzing::mutate_input(data, size, max_size, seed, fnn::fuzzing::mutate_document);
}

extern "C" std::size_t LLVMFuzzerCustomCrossOver(const std::uint8_t* data, std::size_t size, const std::uint8_t* other,
                                                 std::size_t other_size, std::uint8_t* out, std::size_t max_size,
                                                 unsigned seed) {
  fnn::Random random(seed);
  const std::string crossed = fnn::fuzzing::cross_documents(fnn::fuzzing::text_of_input(data, size),
                                                           fnn::fuzzing::text_of_input(other, other_size), random);
  const std::size_t length = std::min(crossed.size(), max_size);
  std::memcpy(out, crossed.data(), length);
  return length;
}
