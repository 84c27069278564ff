# SPDX-License-Identifier: GPL-3.0-or-later
"""Completes a delivery with contents that this node has already.

The files of the node are themselves the store of what it has: a content that did not travel is taken from its file if
the digest matches. A file that was edited, removed or never written does not match, so the controller must send it.
This is the method of rsync and of content-addressed stores, by whole files.

    the controller lists    /etc/hosts 5e0c…, /usr/local/sbin/fnn-net 91ab…   and sends no content
    the node has            the block in /etc/hosts with 5e0c…, fnn-net with 40d2…
    it answers              missing: /usr/local/sbin/fnn-net                  and changes nothing
    the controller sends    the same list, with the content of fnn-net

Standard library only and Python 3.9, because nodes import this file.
"""

from __future__ import annotations

from ...shared.bundle import Bundle, BundledFile, Delivery, ListedFile, compute_digest
from .changes import Files


def complete(delivery: Delivery, files: Files) -> tuple[Bundle, list[str]]:
    """The bundle, and the paths of the files that it lacks, as neither the delivery nor the node has their content."""
    bundled, missing = [], []
    for file in delivery.files:
        content = delivery.contents.get(file.path)
        if content is None:
            content = find_content(file, files)
        if content is None:
            missing.append(file.path)
        else:
            bundled.append(BundledFile(file.path, file.kind, file.mode, content))
    return Bundle(delivery.head, bundled), missing


def find_content(file: ListedFile, files: Files) -> str | None:
    """The content on this node, if it is the wanted one."""
    content = files.read_content(file)
    return content if content is not None and compute_digest(content) == file.digest else None
