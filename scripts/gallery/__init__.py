# SPDX-License-Identifier: GPL-3.0-or-later
"""Makes the pictures of README and docs from committed inventories; __main__.py lists them."""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
# The pictures are drawn by code of the toolkit, which is no package of the Python environment.
sys.path.insert(0, str(ROOT / "module_utils"))
