// SPDX-License-Identifier: GPL-3.0-or-later
// Structure-aware mutation of documents, for libFuzzer.
//
// A random change of bytes ends at the JSON parser, or at the first check of a reader, for nineteen documents in twenty.
// Here a document is parsed, and values, keys, lengths and references change: with values that the schema of specs
// accepts, names that occur elsewhere in the document, and parts of another document. Then the readers say what
// contradicts: for seven documents in eight, the place of each problem gets another value, or is removed.
#pragma once

#include <string>
#include <string_view>

#include "base/json_text.h"
#include "base/random.h"

namespace fnn::fuzzing {

/// A document that differs in a few places. Text that is no JSON gives a new spec. The result may still be too long.
std::string mutate_document(std::string_view text, Random& random);

/// The first document, with a part of the second in the place of one with the same key, repaired in the same way. It is
/// unchanged if they have no such key in common or one is no JSON object.
std::string cross_documents(std::string_view text, std::string_view other, Random& random);

}  // namespace fnn::fuzzing
