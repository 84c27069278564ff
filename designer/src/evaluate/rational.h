// SPDX-License-Identifier: GPL-3.0-or-later
// Exact fractions for measures with a closed form: a document states 9/7 beside 1.285714.
#pragma once

#include <cstdint>
#include <string>

#include "base/json_text.h"

namespace fnn {

/// A fraction in lowest terms with a positive denominator. A result beyond 64 bits is marked as overflowed, and so is
/// every result computed from it.
class Rational {
 public:
  Rational(std::int64_t numerator = 0, std::int64_t denominator = 1);  // NOLINT: whole numbers are fractions

  bool has_overflowed() const { return denominator_ == 0; }
  double value() const;
  /// "9/7", or "2" for a whole number; "" after an overflow.
  std::string text() const;

  Rational operator+(const Rational& other) const;
  Rational operator-(const Rational& other) const { return *this + other * Rational(-1); }
  Rational operator*(const Rational& other) const;
  /// `other` must not be 0.
  Rational operator/(const Rational& other) const;
  bool operator==(const Rational& other) const = default;
  bool operator<(const Rational& other) const;

 private:
  __extension__ using Wide = __int128;

  static Rational reduced(Wide numerator, Wide denominator);
  static Rational overflow();

  std::int64_t numerator_;
  std::int64_t denominator_;
};

/// A number rounded to the six decimals of documents.
double round_decimals(double number);

/// {"exact": "9/7", "value": 1.285714}. An overflowed fraction is {"exact": null, "value": `otherwise`}.
Json exact_number(const Rational& number, double otherwise = 0);

}  // namespace fnn
