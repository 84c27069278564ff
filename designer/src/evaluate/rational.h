// SPDX-License-Identifier: GPL-3.0-or-later
// Exact fractions, for measures that have a closed form: a document says 9/7 beside 1.285714.
#pragma once

#include <cstdint>
#include <string>

#include "base/json_text.h"

namespace fnn {

/// A fraction in lowest terms with a positive denominator. Where a result does not fit into 64 bits it is lost: it
/// says so, and so does everything that is computed from it.
class Rational {
 public:
  Rational(std::int64_t numerator = 0, std::int64_t denominator = 1);  // NOLINT: whole numbers are fractions

  bool is_lost() const { return denominator_ == 0; }
  double value() const;
  /// "9/7", or "2" for a whole number; "" when it is lost.
  std::string text() const;

  Rational operator+(const Rational& other) const;
  Rational operator-(const Rational& other) const { return *this + other * Rational(-1); }
  Rational operator*(const Rational& other) const;
  /// By anything but 0.
  Rational operator/(const Rational& other) const;
  bool operator==(const Rational& other) const = default;
  bool operator<(const Rational& other) const;

 private:
  __extension__ using Wide = __int128;

  static Rational reduced(Wide numerator, Wide denominator);
  static Rational lost();

  std::int64_t numerator_;
  std::int64_t denominator_;
};

/// As documents write a number that nobody needs more digits of: rounded to six decimals.
double written(double number);

/// {"exact": "9/7", "value": 1.285714}. A lost fraction is {"exact": null, "value": `otherwise`}.
Json exact_number(const Rational& number, double otherwise = 0);

}  // namespace fnn
