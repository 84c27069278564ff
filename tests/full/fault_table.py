# SPDX-License-Identifier: GPL-3.0-or-later
"""All cases of the table docs/reference/faults.md, in its order."""

from __future__ import annotations

import fault_families
import fault_pairs
from fault_cases import CABLES, HEALTHY, LINKS, NODE, SWITCHES

COMBINED = (*fault_pairs.PAIRS, *fault_pairs.MIXED, *fault_families.PAIRS)
CASES = (*HEALTHY, *CABLES, *SWITCHES, *NODE, *LINKS, *fault_families.SINGLE, *COMBINED)
