# SPDX-License-Identifier: GPL-3.0-or-later
"""The names of the collection and of its parts. Short names are a closed list, read from the files of the checkout."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import chain
from pathlib import Path, PurePosixPath

NAMESPACE, NAME = "flatnet", "fnn"
COLLECTION = f"{NAMESPACE}.{NAME}"
PACKAGE = f"ansible_collections.{COLLECTION}.plugins"

#: An entry of the dictionary of filters.
_FILTER = re.compile(r'^ +"(\w+)": ', re.MULTILINE)


@dataclass(frozen=True)
class Names:
    """Short names by kind."""

    modules: frozenset[str]
    filters: frozenset[str]
    roles: frozenset[str]
    fragments: frozenset[str]
    #: Paths relative to playbooks/, as "adhoc/lab-fault.yml".
    playbooks: frozenset[str]


def read_names(root: Path) -> Names:
    """The names of the checkout at `root`."""
    return Names(
        modules=_stems((root / "library").glob("*.py")),
        filters=frozenset(chain(*(_FILTER.findall(_read(path)) for path in (root / "filter_plugins").glob("*.py")))),
        roles=frozenset(path.name for path in (root / "roles").iterdir() if path.is_dir()),
        fragments=_stems((root / "doc_fragments").glob("*.py")),
        playbooks=frozenset({"site.yml", *(_relate(path, root) for path in (root / "playbooks").rglob("*.yml"))}),
    )


def qualify(name: str) -> str:
    """The fully qualified name of a part."""
    return f"{COLLECTION}.{name}"


def qualify_playbook(path: PurePosixPath) -> str:
    """The name that runs a playbook. path: below playbooks/, as adhoc/lab-fault.yml."""
    return qualify(".".join(rename_playbook(path).with_suffix("").parts))


def rename_playbook(path: PurePosixPath) -> PurePosixPath:
    """Its path in the collection: a name with hyphens would not be a fully qualified name."""
    return path.with_name(path.name.replace("-", "_")) if path.suffix == ".yml" else path


def require_known(kind: str, names: Iterable[str], known: Iterable[str]) -> None:
    """Raises ValueError for names of the toolkit that no file of the checkout has."""
    unknown = sorted({name for name in names if re.match(r"fnn(_|$)", name)} - {*known})
    if unknown:
        raise ValueError(f"unknown {kind} {', '.join(unknown)}")


def _read(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def _relate(path: Path, root: Path) -> str:
    return path.relative_to(root / "playbooks").as_posix()


def _stems(paths: Iterable[Path]) -> frozenset[str]:
    return frozenset(path.stem for path in paths)
