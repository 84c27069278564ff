// SPDX-License-Identifier: GPL-3.0-or-later
#include "evaluate/rational.h"

#include <cmath>
#include <limits>

namespace fnn {
namespace {

constexpr double kDecimals = 1e6;

}  // namespace

Rational::Rational(std::int64_t numerator, std::int64_t denominator) : numerator_(numerator), denominator_(denominator) {
  if (denominator != 1) *this = reduced(numerator, denominator);
}

Rational Rational::overflow() {
  Rational nothing;
  nothing.denominator_ = 0;
  return nothing;
}

Rational Rational::reduced(Wide numerator, Wide denominator) {
  if (denominator == 0) return overflow();
  Wide divisor = numerator < 0 ? -numerator : numerator;
  for (Wide rest = denominator; rest != 0;) {
    const Wide next = divisor % rest;
    divisor = rest;
    rest = next;
  }
  if ((divisor < 0) != (denominator < 0)) divisor = -divisor;
  constexpr Wide kMost = std::numeric_limits<std::int64_t>::max();
  const Wide top = numerator / divisor;
  const Wide bottom = denominator / divisor;
  if (top > kMost || top < -kMost || bottom > kMost) return overflow();
  Rational result;
  result.numerator_ = static_cast<std::int64_t>(top);
  result.denominator_ = static_cast<std::int64_t>(bottom);
  return result;
}

double Rational::value() const { return static_cast<double>(numerator_) / static_cast<double>(denominator_); }

std::string Rational::text() const {
  if (has_overflowed()) return "";
  const std::string top = std::to_string(numerator_);
  return denominator_ == 1 ? top : top + "/" + std::to_string(denominator_);
}

// The product of two 64-bit numbers fits into 128 bits, and so does the sum of two such products.
Rational Rational::operator+(const Rational& other) const {
  return reduced(Wide{numerator_} * other.denominator_ + Wide{other.numerator_} * denominator_,
                 Wide{denominator_} * other.denominator_);
}

Rational Rational::operator*(const Rational& other) const {
  return reduced(Wide{numerator_} * other.numerator_, Wide{denominator_} * other.denominator_);
}

Rational Rational::operator/(const Rational& other) const {
  if (other.has_overflowed()) return other;
  return reduced(Wide{numerator_} * other.denominator_, Wide{denominator_} * other.numerator_);
}

bool Rational::operator<(const Rational& other) const {
  return Wide{numerator_} * other.denominator_ < Wide{other.numerator_} * denominator_;
}

double round_decimals(double number) { return std::round(number * kDecimals) / kDecimals + 0.0; }

Json exact_number(const Rational& number, double otherwise) {
  if (number.has_overflowed()) return {{"exact", nullptr}, {"value", round_decimals(otherwise)}};
  return {{"exact", number.text()}, {"value", round_decimals(number.value())}};
}

}  // namespace fnn
