# SPDX-License-Identifier: GPL-3.0-or-later
"""SSH access between nodes: the public keys of all nodes, in the formats of sshd(8) and ssh(1).

MPI starts its ranks over SSH. The cluster user of every node must log in to every other node without a prompt, and
every node needs the others' host keys beforehand. Only public keys are gathered. `keys.json` lies beside the
inventory, so that the other nodes keep the keys of a node that is down.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from ..shared.errors import FnnError, Problem
from ..shared.trust import strip_comment

VERSION = 1
_PUBLIC_KEY = re.compile(r"(ssh-ed25519|ssh-rsa|ecdsa-sha2-\S+) [A-Za-z0-9+/=]+")


def merge_keys(
    design: Mapping[str, Any], old: Mapping[str, Any] | None, seen: Mapping[str, Mapping[str, str]]
) -> dict[str, Any]:
    """The document "fnn-keys": the keys seen now, and the earlier keys of the other nodes of the design.

    seen: node -> {"host": the public host key, "user": the cluster user's public key}, comments allowed.
    Raises FnnError for a text that is not a public key.
    """
    problems = [
        Problem(f"/{node}/{kind}", f'"{text[:40]}" is not a public key')
        for node, keys in sorted(seen.items())
        for kind, text in (("host", keys["host"]), ("user", keys["user"]))
        if not _PUBLIC_KEY.match(text)
    ]
    if problems:
        raise FnnError(problems)
    known = {entry["name"]: entry for entry in (old or {}).get("nodes", [])}
    known.update(
        {
            node: {"name": node, "host": strip_comment(keys["host"]), "user": strip_comment(keys["user"])}
            for node, keys in seen.items()
        }
    )
    names = [node["name"] for node in design["nodes"]]
    return {
        "format": "fnn-keys",
        "version": VERSION,
        "cluster": design["cluster"],
        "nodes": [known[name] for name in names if name in known],
    }


def format_known_hosts(keys: Mapping[str, Any], names: Mapping[str, Iterable[str]]) -> str:
    """Lines for ssh_known_hosts (sshd(8), SSH_KNOWN_HOSTS FILE FORMAT).

    names: node -> every name and address it has; a node that a spare stands in for has none.
    """
    known = (entry for entry in keys["nodes"] if entry["name"] in names)
    return "\n".join(f"{','.join(names[entry['name']])} {entry['host']}" for entry in known)


def format_authorized_keys(keys: Mapping[str, Any], user: str, prefixes: Iterable[str]) -> str:
    """Lines for the cluster user's authorized_keys (sshd(8), AUTHORIZED_KEYS FILE FORMAT).

    prefixes: of the nodes' source addresses, as "10.78.0.0/16". A key permits only commands from there: mpirun and
    mpiexec need neither a terminal nor forwarding.
    """
    options = f'restrict,from="{",".join(prefixes)}"'
    return "\n".join(f"{options} {entry['user']} {user}@{entry['name']}" for entry in keys["nodes"])
