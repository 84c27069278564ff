// SPDX-License-Identifier: GPL-3.0-or-later
//
// The check visits every node and every number of links that it may have. It computes excess and shares from their
// definitions, and the sizes of switches by a convexity argument: with sizes s from m to w, B switches and S links,
//
//     sum of s^2 = (w + m) * S - B * w * m - sum of (w - s)(s - m).
//
// The last sum is at least t * (w - m - t), where t is S - B * m modulo w - m: a switch has that remainder, or several
// share it, which costs more.
#include "design/check_certificate.h"

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "design/check_measures.h"
#include "design/check_twin_squares.h"
#include "spec/media.h"

namespace fnn {
namespace {

using std::size_t;
using Number = long long;

// Finer than the shares of the bounds, which are rounded down too.
constexpr Number kParts = Number{1} << 22;

class CertificateCheck {
 public:
  CertificateCheck(const Json& spec, std::string bound)
      : bound_(std::move(bound)),
        nodes_(static_cast<Number>(spec["nodes"].size())),
        redundancy_(spec["redundancy"].get<Number>()) {
    for (const Json& device : spec["switches"]) read_switch(device);
    for (const Json& node : spec["nodes"]) read_node(node);
    if (bound_ == "twins") twin_squares_ = check_twin_squares(all_degrees(), redundancy_);
  }

  bool applies() const { return bound_ != "twins" || !twin_squares_.empty(); }

  /// With a multiplier: every design has at least this many links.
  Number fewest_links(Number numerator, Number denominator) const {
    if (numerator < 0 || numerator > Number{1} << 24 || denominator < 1 || denominator > 16) return 0;
    Number cost = -numerator * switches_ * kParts;
    for (const std::vector<Number>& widths : widths_of_nodes_) {
      Number least = -1;
      for_each_choice(widths, [&](Number links, Number excess) {
        const Number here = links * denominator * kParts + numerator * share(links, excess, bound_);
        least = least < 0 ? here : std::min(least, here);
      });
      cost += least;
    }
    return rounded_up(cost, denominator * kParts);
  }

  /// Without: however many links there are, they need this many switches.
  Number fewest_switches() const { return rounded_up(least_shares(bound_), kParts); }

  /// Whether as many switches as are necessary need more links, or their links cover fewer pairs.
  bool confirms_sizes(Number needed, Number available) const {
    Number links = 0;
    Number most_links = 0;
    for (const std::vector<Number>& widths : widths_of_nodes_) {
      links += static_cast<Number>(widths.size());
      most_links = std::max(most_links, static_cast<Number>(widths.size()));
    }
    links = std::min(links, ports_);
    const Number used = rounded_up(std::max(least_shares("fisher"), least_shares("rank")), kParts);
    const Number least = std::max<Number>(2, redundancy_ * (nodes_ - 1) + 1 - (most_links - 1) * (widest_ - 1));
    if (needed <= used * least && available >= links) return true;
    return needed == pairs() && available >= most_pairs(used, least, links);
  }

  /// Whether every node needs as many links as a switch has ports, and thus every port; and the determinant of N * N', the
  /// product of its eigenvalues, has a prime factor to an odd power.
  bool needs_irrational_determinant() const {
    for (const std::vector<Number>& widths : widths_of_nodes_) {
      Number fewest = 0;
      for_each_choice(widths, [&](Number links, Number) { fewest = fewest == 0 ? links : fewest; });
      if (fewest != widest_) return false;
    }
    if (switches_ != nodes_ || ports_ != nodes_ * widest_) return false;
    const Number excess = widest_ * (widest_ - 1) - redundancy_ * (nodes_ - 1);
    const Number diagonal = widest_ - redundancy_;
    std::map<Number, Number> powers;
    if (excess == 0) {
      add_factors(diagonal, nodes_ - 1, powers);
    } else if (excess == 1) {
      add_factors(diagonal + 1, nodes_ / 2 - 1, powers);
      add_factors(diagonal - 1, nodes_ / 2, powers);
    }
    add_factors(widest_, 2, powers);
    return std::any_of(powers.begin(), powers.end(), [](const auto& one) { return one.second % 2 != 0; });
  }

  Number switches() const { return switches_; }
  Number ports() const { return ports_; }

 private:
  void read_switch(const Json& device) {
    const Number width = std::min<Number>(ports_of(device) - device["reserved"].get<Number>(), nodes_);
    if (width < 2) return;
    ++switches_;
    ports_ += width;
    widest_ = std::max(widest_, width);
    std::set<std::string> media;
    for (const Json& group : device["ports"]) media.insert(media_family(group["media"]));
    for (const std::string& one : media) widths_of_media_[one].push_back(width);
  }

  /// The widths of the switches that could hold a node, at most one for each NIC, widest first.
  void read_node(const Json& node) {
    std::map<std::string, size_t> nics;
    for (const Json& nic : node["nics"]) ++nics[media_family(nic["media"])];
    std::vector<Number> own;
    for (const auto& [media, count] : nics) {
      std::vector<Number> widths = widths_of_media_[media];
      std::sort(widths.begin(), widths.end(), std::greater<>());
      widths.resize(std::min(widths.size(), count));
      own.insert(own.end(), widths.begin(), widths.end());
    }
    std::sort(own.begin(), own.end(), std::greater<>());
    widths_of_nodes_.push_back(own);
  }

  /// To be covered, each as often as the redundancy says.
  Number pairs() const { return redundancy_ * nodes_ * (nodes_ - 1) / 2; }

  /// The most pairs that `used` switches of `least` nodes or more can cover with so many links.
  Number most_pairs(Number used, Number least, Number links) const {
    if (least > widest_ || used * least > links) return 0;
    if (used * widest_ < links) return links * (widest_ - 1) / 2;
    Number squares = (widest_ + least) * links - used * widest_ * least;
    if (widest_ > least) {
      const Number rest = (links - used * least) % (widest_ - least);
      squares -= rest * (widest_ - least - rest);
    }
    return (squares - links) / 2;
  }

  static void add_factors(Number eigenvalue, Number multiplicity, std::map<Number, Number>& powers) {
    for (Number prime = 2; eigenvalue > 1; ++prime) {
      for (; eigenvalue % prime == 0; eigenvalue /= prime) powers[prime] += multiplicity;
    }
  }

  static Number rounded_up(Number numerator, Number denominator) {
    return numerator > 0 ? (numerator + denominator - 1) / denominator : 0;
  }

  /// Calls visit(links, excess) for each number of links with which a node can meet all others.
  template <typename Visit>
  void for_each_choice(const std::vector<Number>& widths, Visit visit) const {
    Number met = 0;
    for (size_t k = 0; k < widths.size(); ++k) {
      met += widths[k] - 1;
      const auto links = static_cast<Number>(k + 1);
      if (links >= redundancy_ && met >= redundancy_ * (nodes_ - 1)) visit(links, met - redundancy_ * (nodes_ - 1));
    }
  }

  TwinSquares all_degrees() const {
    TwinSquares degrees;
    for (const std::vector<Number>& widths : widths_of_nodes_) {
      for_each_choice(widths, [&](Number links, Number excess) { degrees[{links, excess}] = 0; });
    }
    return degrees;
  }

  Number share(Number links, Number excess, const std::string& bound) const {
    const Number diagonal = links - redundancy_;
    if (bound == "fisher") return excess < diagonal ? kParts : 0;
    if (diagonal == 0) return 0;
    if (bound == "twins") {
      const Number square = diagonal * diagonal * kTwinParts;
      return kParts * square / (square + twin_squares_.at({links, excess}));
    }
    // Squares are greatest when the excess is in pieces as large as possible.
    Number squares = diagonal * diagonal;
    for (; excess > 0; excess -= diagonal) squares += std::min(excess, diagonal) * std::min(excess, diagonal);
    return diagonal * diagonal * kParts / squares;
  }

  Number least_shares(const std::string& bound) const {
    Number sum = 0;
    for (const std::vector<Number>& widths : widths_of_nodes_) {
      Number least = kParts;
      for_each_choice(widths, [&](Number links, Number excess) { least = std::min(least, share(links, excess, bound)); });
      sum += least;
    }
    return sum;
  }

  std::string bound_;
  Number nodes_;
  Number redundancy_;
  Number switches_ = 0;  ///< for two nodes or more
  Number ports_ = 0;     ///< of these
  Number widest_ = 0;
  std::map<std::string, std::vector<Number>> widths_of_media_;
  std::vector<std::vector<Number>> widths_of_nodes_;
  TwinSquares twin_squares_;
};

}  // namespace

std::optional<bool> check_certificate(const Json& spec, const Json& certificate) {
  const std::string bound = certificate["bound"];
  const std::set<std::string> checked = {"fisher", "rank", "twins", "sizes", "determinant"};
  if (!checked.contains(bound)) return std::nullopt;
  const auto needed = certificate["needed"].get<Number>();
  const auto available = certificate["available"].get<Number>();
  if (spec["coverage"] != "all" || needed <= available) return false;
  const CertificateCheck check(spec, bound);
  if (!check.applies()) return false;
  if (bound == "sizes") return check.confirms_sizes(needed, available);
  if (bound == "determinant") {
    return needed == check.switches() + 1 && available == check.switches() && check.needs_irrational_determinant();
  }
  if (!certificate.contains("multiplier")) return needed <= check.fewest_switches() && available == check.switches();
  const Json& multiplier = certificate["multiplier"];
  const Number links = check.fewest_links(multiplier["numerator"], multiplier["denominator"]);
  return needed <= links && available == check.ports();
}

}  // namespace fnn
