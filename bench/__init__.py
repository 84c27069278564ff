# SPDX-License-Identifier: GPL-3.0-or-later
"""The benchmarks behind every claim of speed or quality: our engine and its rivals, side by side in one run."""

from pathlib import Path

import ansible.module_utils

# As in conftest.py: the package is imported only as ansible.module_utils.fnn.
_SHARED = str(Path(__file__).resolve().parents[1] / "module_utils")
if _SHARED not in ansible.module_utils.__path__:
    ansible.module_utils.__path__.append(_SHARED)
