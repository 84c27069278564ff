# SPDX-License-Identifier: GPL-3.0-or-later
"""Sets up one node for MPI: account, keys and the wrapper library of MPICH, as far as the node can be set up now.

    first call    account, key pair, wrapper library if all packages are there; reports what the controller needs
    packages      the package manager installs the missing ones
    second call   wrapper library, and the keys of all nodes, once the controller has them

On a node with all packages and the present keys of all nodes, the first call is all there is. The check of the nodes
makes the same comparison (`inspect`), and then not even that call is necessary.

Standard library only and Python 3.9, because nodes import this file.
"""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from ...shared.trust import Trust
from ..apply.changes import describe
from ..check.host import list_missing
from . import trust_files
from .account import provide_account
from .host_key import scan_host_key
from .mpich_wrapper import Wrapper, install_wrapper
from .user_key import provide_key


@dataclass(frozen=True)
class Request:
    """name: of the node, as its peers call it. packages: that MPI needs. trust: None in the first call."""

    user: str
    name: str
    wrapper: Wrapper
    packages: Sequence[str] = ()
    trust: Trust | None = None
    check: bool = False


def set_up(request: Request) -> dict[str, Any]:
    """Returns changed, actions, files and diff for Ansible.

    In the first call, `node` has the facts for the controller. Raises FnnError and OSError.
    """
    missing = find_missing(request.packages)
    account, actions = provide_account(request.user, request.check)
    key, files = provide_key(account, f"{request.user}@{request.name}", request.check) if account else ("", [])
    wrapper: dict[str, Any] = {"changed": False, "files": [], "diff": []}
    if not missing:  # the compiler of the library is among the packages
        wrapper = install_wrapper(request.wrapper, request.check)
    changes = trust_files.install(request.trust, account, request.check) if request.trust else []
    answer = {
        "changed": bool(actions or files or changes) or wrapper["changed"],
        "actions": actions,
        "files": [*files, *wrapper["files"], *(each.path for each in changes)],
        "diff": [*describe_actions(actions, files), *wrapper["diff"], *describe(changes, hides_secrets=False)],
    }
    if request.trust is None:
        host = scan_host_key(request.name, request.check)
        facts = {"host": host, "user": key, "trust": trust_files.read_digest(account), "missing": missing}
        answer["node"] = facts
    return answer


def inspect(request: Request) -> dict[str, Any]:
    """What the first call would report of the node, and whether it would change anything (`differs`); changes nothing.

    Raises FnnError and OSError.
    """
    answer = set_up(replace(request, trust=None, check=True))
    return {**answer["node"], "differs": answer["changed"]}


def find_missing(packages: Sequence[str]) -> list[str]:
    """Packages that dpkg has not installed; all of them without dpkg, whose names other package managers know."""
    return list(packages) if shutil.which("dpkg-query") is None else list_missing(packages)


def describe_actions(actions: Sequence[str], files: Sequence[str]) -> list[dict[str, str]]:
    """The entry that Ansible prints with --diff. No private key is in it."""
    lines = [*actions, *(f"{path}, of the keys of the cluster user" for path in files)]
    return [{"prepared": "".join(f"+{line}\n" for line in lines)}] if lines else []
