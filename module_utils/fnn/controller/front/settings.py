# SPDX-License-Identifier: GPL-3.0-or-later
"""Options that all commands of ./fnn share, before or after the command: `fnn -i mine verify`, `fnn verify -i mine`."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import click

from .completion import RECORD, complete_inventories, complete_nodes
from .passwords import VARIABLES, list_password_options
from .places import (
    DEFAULT_INVENTORY,
    find_inventory,
    list_designed_nodes,
    list_designed_switches,
    list_fabric_switches,
    require_known,
)

_EPILOG = "Options of all commands, as -i, -K and --limit: ./fnn --help"
#: Options that Ansible gets as they are, by the name of their value.
_FLAGS = {"check": "--check", "diff": "--diff"}


@dataclass(frozen=True)
class Settings:
    """named: the inventory, by name or path. verbosity: 0, or how often -v was given. check: change nothing.

    limit: hosts, or empty. extra_vars: values of -e. passwords: options of Ansible with files of passwords.
    handed_on: all options for ansible-playbook, with those of -e and the passwords.
    """

    named: str = DEFAULT_INVENTORY
    verbosity: int = 0
    check: bool = False
    limit: str = ""
    extra_vars: tuple[str, ...] = ()
    passwords: tuple[str, ...] = ()
    handed_on: tuple[str, ...] = ()

    @functools.cached_property
    def inventory(self) -> Path:
        """Its path. Raises UnknownName."""
        return find_inventory(self.named)

    def without_check(self) -> Settings:
        """The same for a run that changes nothing anyway."""
        rest = tuple(each for each in self.handed_on if each != _FLAGS["check"])
        return replace(self, check=False, handed_on=rest)


class SharedOption(click.Option):
    """An option of all commands, which only `./fnn --help` describes."""

    def get_help_record(self, context: click.Context) -> tuple[str, str] | None:
        return super().get_help_record(context) if context.parent is None else None


class Command(click.Command):
    """A command of ./fnn. Its function gets the settings first, and returns the exit status."""

    def __init__(self, name: str | None, params: list[click.Parameter] | None = None, **how: Any) -> None:
        how.setdefault("epilog", _EPILOG)
        super().__init__(name, params=[*(params or []), *make_shared_options()], **how)


class CommandGroup(click.Group):
    """A group of commands of ./fnn."""

    command_class = Command
    group_class = type

    def __init__(self, name: str | None = None, params: list[click.Parameter] | None = None, **how: Any) -> None:
        how.setdefault("epilog", _EPILOG)
        super().__init__(name, params=[*(params or []), *make_shared_options()], **how)

    def list_commands(self, context: click.Context) -> list[str]:
        """In the order in which operators need them."""
        return list(self.commands)


def make_shared_options() -> list[click.Parameter]:
    """New options for a command. Their values are recorded and not passed to its function."""

    def add(*names: str, **how: Any) -> click.Parameter:
        return SharedOption(names, expose_value=False, callback=_record, **how)

    return [
        add(
            "-i", "--inventory", metavar="INVENTORY", envvar="FNN_INVENTORY", shell_complete=complete_inventories,
            help=f"Name or path of the cluster's inventory (default: FNN_INVENTORY, or {DEFAULT_INVENTORY}).",
        ),
        add(
            "-l", "--limit", metavar="HOSTS", shell_complete=complete_nodes,
            help="Only these hosts, as for ansible-playbook.",
        ),
        add("-e", "--extra-vars", metavar="VARIABLES", multiple=True, help="More variables, as for ansible-playbook."),
        add(
            "-k", "--ask-pass", is_flag=True, envvar=VARIABLES["ask_pass"], help="Ask for the password of the login.",
        ),
        add(
            "-K", "--ask-become-pass", is_flag=True, envvar=VARIABLES["ask_become_pass"],
            help="Ask for the password of sudo.",
        ),
        add(
            "-J", "--ask-vault-pass", is_flag=True, envvar=VARIABLES["ask_vault_pass"],
            help="Ask for the password of Ansible Vault.",
        ),
        add(
            "--vault-password-file", "--vault-pass-file", metavar="FILE", multiple=True,
            help="File with the password of Ansible Vault.",
        ),
        add("--vault-id", metavar="ID", multiple=True, help="Vault and its password, as for ansible-playbook."),
        add("--check", is_flag=True, help="Show what would change, and change nothing."),
        add("--diff", is_flag=True, help="Write the differences of files to the log; with -v, also show them."),
        add("-v", "--verbose", count=True, help="Show the output of Ansible; -vv and more as for ansible-playbook."),
    ]  # fmt: skip


def command(name: str, **how: Any) -> Callable[[Callable[..., int]], click.Command]:
    """Makes a command of a function that takes the settings, then the options, and returns the exit status."""

    def decorate(function: Callable[..., int]) -> click.Command:
        @click.pass_context
        def run(context: click.Context, /, **options: Any) -> int:
            return function(read_settings(context.meta.get(RECORD, {})), **options)

        return click.command(name, cls=Command, **how)(functools.update_wrapper(run, function))

    return decorate


def read_settings(given: dict[str, Any]) -> Settings:
    """The settings from the values on the command line. Asks for passwords."""
    extra_vars = tuple(_find_file(each) for each in given.get("extra_vars", ()))
    verbosity, limit = int(given.get("verbose", 0)), _find_file(given.get("limit", ""))
    words = [option for name, option in _FLAGS.items() if given.get(name)]
    passwords = list_password_options(given)
    words += passwords
    words += [word for each in extra_vars for word in ("-e", each)]
    words += ["--limit", limit] if limit else []
    words += [f"-{'v' * (verbosity - 1)}"] if verbosity > 1 else []
    named = given.get("inventory") or DEFAULT_INVENTORY
    return Settings(named, verbosity, bool(given.get("check")), limit, extra_vars, tuple(passwords), tuple(words))


def _find_file(text: str) -> str:
    """Ansible runs in the checkout; a file behind "@" is relative to the directory of the operator."""
    return f"@{Path(text[1:]).expanduser().absolute()}" if text.startswith("@") else text


def require_nodes(settings: Settings, names: Iterable[str], others: Iterable[str] = ()) -> None:
    """Raises UnknownName for names that are no node of the design, with the nearest node. others: names allowed too.

    The playbook alone checks them without a design, or if a variable may name another directory for it.
    """
    there = [] if settings.extra_vars else list_designed_nodes(settings.inventory)
    for name in names if there else ():
        require_known("node", name, there, others)


def require_switch(settings: Settings, name: str) -> None:
    """Raises UnknownName for a name that is no switch of the design, as require_nodes does."""
    _require_switch(settings, name, list_designed_switches)


def require_fabric_switch(settings: Settings, name: str) -> None:
    """The same for a switch that connects NICs of nodes."""
    _require_switch(settings, name, list_fabric_switches)


def _require_switch(settings: Settings, name: str, list_names: Callable[[Path], list[str]]) -> None:
    # With --extra-vars the design may lie elsewhere.
    there = [] if settings.extra_vars else list_names(settings.inventory)
    if there:
        require_known("switch", name, there)


def _record(context: click.Context, option: click.Parameter, value: Any) -> None:
    """Notes a value that was given. A command without the option keeps the value from before the command."""
    if value == "" or (isinstance(value, tuple) and "" in value):
        raise click.BadParameter("the value is empty.", context, option)
    if not value:
        return
    given = context.meta.setdefault(RECORD, {})
    name = str(option.name)
    from_environment = context.get_parameter_source(name) is click.core.ParameterSource.ENVIRONMENT
    if from_environment and name in given:
        return
    given[name] = (*given.get(name, ()), *value) if option.multiple else value
