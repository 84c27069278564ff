# SPDX-License-Identifier: GPL-3.0-or-later
"""The exceptions of ansible-test, as tests/sanity/ignore-2.19.txt of the collection has them.

Those with a reason of their own are in scripts/collection/files. This file adds modules, their action plugins and the
files of module_utils that need packages: the environments of ansible-test have none of requirements.txt.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from .names import PACKAGE

#: Versions of Python on which the controller of ansible-core 2.19 runs; nodes need no packages.
VERSIONS = ("3.11", "3.12", "3.13")
#: What ansible-test installs to validate modules.
_OF_VALIDATION = frozenset({"jinja2", "markupsafe", "yaml"})
_ANSIBLE = frozenset({"ansible", "ansible_collections"})


def list_exceptions(root: Path) -> Iterator[str]:
    """Lines for the files of the collection at `root` that import packages, themselves or by files they import."""
    needs = find_needs(root)
    for path, packages in needs.items():
        is_module = path.is_relative_to("plugins/modules")
        if packages and path.parts[1] in ("modules", "module_utils", "action"):
            for version in VERSIONS:
                yield f"{path} import-{version}!skip # needs {', '.join(sorted(packages))}"
        if packages - _OF_VALIDATION and is_module:
            yield f"{path} validate-modules:import-error # needs {', '.join(sorted(packages))}"


def find_needs(root: Path) -> dict[PurePosixPath, frozenset[str]]:
    """Each Python file below plugins/ -> the packages that it needs. root: of the collection."""
    files = {PurePosixPath(path.relative_to(root)): path for path in sorted((root / "plugins").rglob("*.py"))}
    imports = {name: [*_list_imports(name, path), *_list_loaded(name)] for name, path in files.items()}

    def find(name: PurePosixPath, seen: set[PurePosixPath]) -> frozenset[str]:
        packages: set[str] = set()
        seen.add(name)
        for each in imports[name]:
            if isinstance(each, str):
                packages.add(each)
            elif each in imports and each not in seen:
                packages |= find(each, seen)
        return frozenset(packages)

    return {name: find(name, set()) for name in files}


def _list_loaded(name: PurePosixPath) -> Iterator[PurePosixPath]:
    """The module that an action plugin may load: that of its name."""
    if name.is_relative_to("plugins/action"):
        yield PurePosixPath("plugins/modules", name.name)


def _list_imports(name: PurePosixPath, path: Path) -> Iterator[PurePosixPath | str]:
    """Paths of files of the collection, and names of packages outside of Python's standard library and Ansible."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            modules = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            module = _resolve(name, node)
            modules = [module, *(f"{module}.{alias.name}" for alias in node.names)]
        else:
            continue
        for module in modules:
            top = module.split(".")[0]
            if module.startswith(f"{PACKAGE}."):
                yield PurePosixPath("plugins", *module.removeprefix(f"{PACKAGE}.").split(".")).with_suffix(".py")
            elif top not in sys.stdlib_module_names and top not in _ANSIBLE:
                yield top


def _resolve(name: PurePosixPath, node: ast.ImportFrom) -> str:
    """The absolute name of the module from which a file imports."""
    if not node.level:
        return node.module or ""
    package = [PACKAGE, *name.parts[1 : -node.level]]
    return ".".join([*package, *([node.module] if node.module else [])])
