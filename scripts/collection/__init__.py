# SPDX-License-Identifier: GPL-3.0-or-later
"""Builds the collection; __main__.py describes its layout, the other files what changes in the text of a file."""
