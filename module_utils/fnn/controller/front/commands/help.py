# SPDX-License-Identifier: GPL-3.0-or-later
"""./fnn help and completion."""

from __future__ import annotations

import click

from ..completion import SHELLS, write_script
from ..settings import Command


@click.command("help", cls=Command, short_help="describe a command")
@click.argument("words", metavar="[COMMAND]...", nargs=-1)
@click.pass_context
def show_help(context: click.Context, words: tuple[str, ...]) -> int:
    """Describe a command, as `help lab swap`."""
    at = context.find_root()
    for word in words:
        at = click.Context(_find_command(at, word), info_name=word, parent=at)
    print(at.command.get_help(at))
    return 0


def _find_command(context: click.Context, word: str) -> click.Command:
    """Raises NoSuchCommand, with commands that are near."""
    group = context.command
    found = group.get_command(context, word) if isinstance(group, click.Group) else None
    if found is None:
        known = group.list_commands(context) if isinstance(group, click.Group) else []
        raise click.exceptions.NoSuchCommand(word, possibilities=known, ctx=context)
    return found


@click.command("completion", cls=Command, short_help="print the completion script of a shell")
@click.argument("shell", type=click.Choice(SHELLS))
@click.pass_context
def print_completion(context: click.Context, shell: str) -> int:
    """Print the completion script of a shell: eval "$(./fnn completion bash)"."""
    print(write_script(shell, context.find_root().command))
    return 0


COMMANDS = (show_help, print_completion)
