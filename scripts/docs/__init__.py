# SPDX-License-Identifier: GPL-3.0-or-later
"""Builds the documentation as a site: pages and pictures of the checkout, MkDocs, and a check of the result."""
