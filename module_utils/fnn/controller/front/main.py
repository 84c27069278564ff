# SPDX-License-Identifier: GPL-3.0-or-later
"""The command line of the FNN toolkit: runs playbooks and shows their documents."""

from __future__ import annotations

import os
import signal
import sys

import click

from ...shared.errors import FnnError, problem
from ..engine_program import read_version
from .commands import (
    bench,
    check,
    cluster,
    discover,
    evaluate,
    help,
    init,
    lab,
    labels,
    rewire,
    stand_in,
    switch_check,
    verify,
    view,
    wire,
)
from .completion import PROGRAM, VARIABLE
from .environment import prepare_environment
from .places import BIN, ROOT
from .run.playbooks import INTERRUPTED
from .settings import CommandGroup

_FAMILIES = (
    init, cluster, bench, view, check, evaluate, labels, verify, switch_check, discover, wire, rewire, stand_in, lab,
    help,
)  # fmt: skip


@click.group(cls=CommandGroup, epilog="Examples: ./fnn -i inventory/mine check; ./fnn site -i inventory/mine -K")
@click.version_option(read_version(ROOT), prog_name=PROGRAM, message="%(prog)s %(version)s")
def fnn() -> None:
    """Design, wire, configure and prove a flat neighborhood network.

    The output of Ansible goes to build/<cluster>/log/; -v shows it.
    """


for _family in _FAMILIES:
    for _command in _family.COMMANDS:
        fnn.add_command(_command)


def main() -> int:
    """./fnn: parses the command line, returns the exit status."""
    prepare_environment(os.environ, ROOT)
    # `kill` ends a command as Ctrl-C does: with its playbook.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        if VARIABLE not in os.environ:
            require_setup()
        return int(fnn.main(prog_name=f"./{PROGRAM}", standalone_mode=False, complete_var=VARIABLE) or 0)
    except click.ClickException as error:
        return show_mistake(error)
    except FnnError as error:
        print(*(f"fnn: {each}" for each in error.problems), sep="\n", file=sys.stderr)
        return 1
    except (KeyboardInterrupt, click.Abort):
        return INTERRUPTED
    except BrokenPipeError:
        # Its reader has gone. Python would report this once more when it ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1


def show_mistake(error: click.ClickException) -> int:
    """Prints what is wrong with the command line, or the help if it is empty. Returns the exit status."""
    if isinstance(error, click.exceptions.NoArgsIsHelpError):
        error.show()
    elif isinstance(error, click.UsageError):
        path = error.ctx.command_path if error.ctx else f"./{PROGRAM}"
        print(f"fnn: {error.format_message()} See {path} --help", file=sys.stderr)
    else:
        print(f"fnn: {error.format_message()}", file=sys.stderr)
    return error.exit_code


def require_setup() -> None:
    """Raises FnnError without Ansible in the virtual environment."""
    program = BIN / "ansible-playbook"
    if not program.exists():
        raise problem(str(program), "missing; run `make setup`, which installs the packages of the controller")
