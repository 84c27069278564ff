#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Builds an installable Ansible collection from the files of this checkout.

    python -m scripts.collection [DIRECTORY]

It writes DIRECTORY/ansible_collections/flatnet/fnn (by default below build/collection) and beside it the file that
`ansible-galaxy collection install` takes, flatnet-fnn-VERSION.tar.gz, whose path is printed. The layout:

    plugins/{modules,action,filter,doc_fragments,module_utils}    library/, *_plugins/, doc_fragments/, module_utils/
    playbooks/                    site.yml and playbooks/, with underscores for hyphens
    playbooks/callback_plugins/   Ansible loads these with the playbooks, without a setting in ansible.cfg
    designer/ schemas/ data/ prices/ roles/ docs/ monitoring/ inventory/ scripts/    below the same names
    README.md meta/ tests/        from scripts/collection/files/

./fnn and its commands stay out: they run the playbooks of a checkout.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path, PurePosixPath

import yaml

from .archive import make_reproducible
from .names import NAME, NAMESPACE, Names, read_names, rename_playbook
from .rewrite_python import rewrite_filter_documentation, rewrite_plugin, rewrite_sources
from .rewrite_yaml import rewrite_yaml
from .sanity import list_exceptions

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "module_utils"))

from fnn.controller.engine_program import read_version  # noqa: E402 (only now can it be found)

FILES = PurePosixPath("scripts/collection/files")

#: Folder of the checkout -> folder of the collection; the longest match counts.
FOLDERS = {
    "action_plugins": "plugins/action",
    "callback_plugins": "playbooks/callback_plugins",
    "data": "data",
    "designer": "designer",
    "doc_fragments": "plugins/doc_fragments",
    "docs": "docs",
    "filter_plugins": "plugins/filter",
    "inventory/example": "inventory/example",
    "inventory/lab": "inventory/lab",
    "library": "plugins/modules",
    "module_utils": "plugins/module_utils",
    "monitoring": "monitoring",
    "playbooks": "playbooks",
    "prices": "prices",
    "roles": "roles",
    "schemas": "schemas",
    FILES.as_posix(): "",
}
#: Files outside of these folders.
SINGLE = {
    **{each: each for each in ("ARCHITECTURE.md", "CHANGELOG.md", "LICENSE")},
    "requirements.in": "requirements.txt",
    "site.yml": "playbooks/site.yml",
    **{each: each for each in ("scripts/bootstrap.sh", "scripts/machine-image.sh")},
    **{
        f"scripts/lab-{each}.sh": f"scripts/lab-{each}.sh"
        for each in ("archives", "image", "image-with", "root", "runtime")
    },
}
#: Folders of files that Ansible loads.
PLUGINS = ("action_plugins", "callback_plugins", "doc_fragments", "filter_plugins", "library")
#: The files to which action plugins link. The collection has a copy in place of each link.
LINKED = ("action_plugins/run_on_controller.py", "action_plugins/save_answer.py")
#: ./fnn, which a collection does not have: its callback plugin and its rooms.
_FRONT = (
    "callback_plugins/fnn_events.py",
    *(f"module_utils/fnn/controller/{room}" for room in ("front", "init")),
)
LEFT_OUT = ("designer/bench", "designer/fuzz", "designer/tests", *_FRONT, *LINKED)

#: As find_state of module_utils/fnn/controller/places.py, which ignores a relative path.
_STATE = (
    "{{ lookup('ansible.builtin.env', 'XDG_STATE_HOME') | ansible.builtin.regex_search('^/.*')"
    " | default(lookup('ansible.builtin.env', 'HOME') ~ '/.local/state', true) }}/fnn"
)


def main() -> int:
    """Build the collection and print the path of its file."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("directory", nargs="?", type=Path, default=ROOT / "build" / "collection")
    print(build(parser.parse_args().directory))
    return 0


def build(directory: Path) -> Path:
    """Write the collection below `directory`, and return its installable file.

    Raises OSError, CalledProcessError, and ValueError for a name that the checkout does not have.
    """
    target = directory / "ansible_collections" / NAMESPACE / NAME
    if target.exists():
        shutil.rmtree(target)
    write_tree(target)
    version = yaml.safe_load((target / "galaxy.yml").read_text(encoding="utf-8"))["version"]
    program = str(Path(sys.executable).parent / "ansible-galaxy")
    command = [program, "collection", "build", "--force", "--output-path", str(directory), str(target)]
    subprocess.run(command, check=True, stdout=sys.stderr)
    archive = directory / f"{NAMESPACE}-{NAME}-{version}.tar.gz"
    make_reproducible(archive)
    return archive


def write_tree(target: Path) -> None:
    """Write the files of the collection into a new directory."""
    names = read_names(ROOT)
    for source in list_sources():
        place = find_place(source)
        if place is not None:
            write_file(ROOT / source, target / place, choose_rewriting(source, names))
    with (target / "tests/sanity/ignore-2.19.txt").open("a", encoding="utf-8") as exceptions:
        exceptions.writelines(f"{line}\n" for line in list_exceptions(target))
    galaxy = read_galaxy(target / "galaxy.yml")
    (target / "galaxy.yml").write_text(yaml.safe_dump(galaxy, sort_keys=False), encoding="utf-8")


def list_sources() -> Iterator[PurePosixPath]:
    """The files of the checkout, without generated and secret ones, relative to ROOT."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout
    for name in sorted({*listed.split("\0")} - {""}):
        path = PurePosixPath(name)
        if (ROOT / path).is_file() and not any(part.startswith(".") for part in path.parts):
            yield path


def find_place(source: PurePosixPath) -> PurePosixPath | None:
    """The path of a file in the collection; None if it does not belong there. source: relative to ROOT."""
    if str(source) in SINGLE:
        return PurePosixPath(SINGLE[str(source)])
    if any(source.is_relative_to(each) for each in LEFT_OUT):
        return None
    for folder, place in FOLDERS.items():
        if source.is_relative_to(folder):
            inner = PurePosixPath(place) / source.relative_to(folder)
            return rename_playbook(inner) if folder == "playbooks" else inner
    return None


def choose_rewriting(source: PurePosixPath, names: Names) -> Callable[[str], str] | None:
    """How the text of a file changes; None if it stays, byte for byte."""
    top, inner = source.parts[0], source.parts[1:]
    if top in PLUGINS or (top == "module_utils" and len(inner) == 1):
        if source.suffix == ".py":
            return lambda text: rewrite_plugin(text, names)
        if top == "filter_plugins":
            return lambda text: rewrite_filter_documentation(text, names)
    if source.match("module_utils/fnn/controller/plan/files.py"):
        return rewrite_sources
    if source.suffix == ".yml" and top in ("playbooks", "roles", "site.yml"):
        directory = source.parent.relative_to("playbooks") if top == "playbooks" else PurePosixPath()
        return lambda text: rewrite_yaml(text, names, directory)
    if source.suffix == ".yml" and top == "inventory":
        return lambda text: rewrite_yaml(text.replace("{{ inventory_dir | dirname | dirname }}/build", _STATE), names)
    return None


def write_file(source: Path, target: Path, rewrite: Callable[[str], str] | None) -> None:
    """Copy a file with its mode, rewritten if it has to be. Raises ValueError with the path for unknown names."""
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy2(source, target)
    if rewrite is not None:
        try:
            text = rewrite(source.read_text(encoding="utf-8"))
        except ValueError as error:
            raise ValueError(f"{source}: {error}") from error
        target.write_text(text, encoding="utf-8")


def read_galaxy(path: Path) -> dict[str, object]:
    """galaxy.yml with the version of the toolkit, whose single source is the engine's CMake project."""
    version = read_version(ROOT)
    if not version:
        raise ValueError("designer/CMakeLists.txt has no version")
    galaxy = yaml.safe_load(path.read_text(encoding="utf-8"))
    return {"namespace": NAMESPACE, "name": NAME, "version": version, **galaxy}


if __name__ == "__main__":
    sys.exit(main())
