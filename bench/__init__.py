# SPDX-License-Identifier: GPL-3.0-or-later
"""The comparisons behind every claim of speed or quality: our engine and its rivals, side by side in one run."""
