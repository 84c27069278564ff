# SPDX-License-Identifier: GPL-3.0-or-later
"""Completion of the command line in bash and zsh: `eval "$(./fnn completion bash)"`.

Click completes commands and options; here are the values. Click's script for zsh starts the program by its bare name,
which a checkout does not have on PATH; that of this page starts it as it was typed.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import click
from click.shell_completion import CompletionItem, ZshComplete, add_completion_class, get_completion_class

from .places import (
    DEFAULT_INVENTORY,
    UnknownName,
    find_inventory,
    list_designed_nodes,
    list_fabric_switches,
    list_inventories,
)

PROGRAM, VARIABLE = "fnn", "_FNN_COMPLETE"
SHELLS = ("bash", "zsh")
#: Where the context of a command has the values of shared options, by name (settings.py).
RECORD = "fnn.settings"


class ZshOfCheckout(ZshComplete):
    """Completion for zsh by the program as it was typed, as ./fnn."""

    source_template = (
        ZshComplete.source_template
        .replace("zsh_complete %(prog_name)s", "zsh_complete ${words[1]}")
        .replace("    (( ! $+commands[%(prog_name)s] )) && return 1\n", "")
    )  # fmt: skip


add_completion_class(ZshOfCheckout)


def write_script(shell: str, command: click.Command) -> str:
    """The script that a shell evaluates."""
    completion = get_completion_class(shell)
    assert completion is not None
    return completion(command, {}, PROGRAM, VARIABLE).source()


def complete_inventories(context: click.Context, option: click.Parameter, start: str) -> list[CompletionItem]:
    """Inventories of the checkout by name or path, and any other file."""
    names = list_inventories()
    words = [f"inventory/{name}" for name in names] if start.startswith(("i", "/")) else names
    found = [CompletionItem(word) for word in words if word.startswith(start)]
    return found or [CompletionItem(start, type="file")]


def complete_nodes(context: click.Context, option: click.Parameter, start: str) -> list[CompletionItem]:
    """Nodes of the design beside the inventory of the command line."""
    return _complete(context, start, list_designed_nodes)


def complete_fabric_switches(context: click.Context, option: click.Parameter, start: str) -> list[CompletionItem]:
    """Switches of that design into which nodes are plugged."""
    return _complete(context, start, list_fabric_switches)


def _complete(context: click.Context, start: str, list_names: Callable[[Path], list[str]]) -> list[CompletionItem]:
    given = context.meta.get(RECORD, {}).get("inventory") or DEFAULT_INVENTORY
    try:
        inventory = find_inventory(given)
    except UnknownName:
        return []
    return [CompletionItem(name) for name in list_names(inventory) if name.startswith(start)]
