// SPDX-License-Identifier: GPL-3.0-or-later
// The report on a spec that is proved infeasible.
#pragma once

#include "oracle/verdict.h"
#include "program/designing.h"

namespace fnn {

/// The certificate as JSON, with `checked` where a second implementation of the proof confirms it. Throws
/// std::logic_error where that rejects it, which is a defect.
Json checked_certificate(const Spec& spec, const Certificate& certificate);

/// Prints the certificate and the cheapest changes; returns the exit code.
int report_infeasible(const Spec& spec, const Certificate& certificate, const std::vector<StageReport>& stages);

Json to_json(const std::vector<StageReport>& stages);

}  // namespace fnn
