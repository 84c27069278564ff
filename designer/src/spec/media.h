// SPDX-License-Identifier: GPL-3.0-or-later
// Media: the kinds of plugs and sockets as they are sold.
#pragma once

#include <string>

namespace fnn {

/// The family of a medium. A cable fits each socket of its family and runs at the lower speed: an SFP28 NIC goes to an SFP+
/// port. The other media are families of their own.
std::string media_family(const std::string& media);

/// The highest speed with which a medium is sold, in Mb/s. `sfp` and `qsfp` stand for any member of their family.
int most_mbps(const std::string& media);

}  // namespace fnn
