# SPDX-License-Identifier: GPL-3.0-or-later
"""Rewrites the imports, names and documentation of Ansible's plugins and modules for the collection."""

from __future__ import annotations

import re
from textwrap import dedent, indent

from .names import PACKAGE, Names, qualify, require_known
from .rewrite_yaml import rewrite_yaml

#: How plugins of a checkout find the package; Ansible itself finds it in a collection.
_PATH = re.compile(
    r"(?:# .*\n)*_ROOT = Path\(__file__\)\.resolve\(\)\.parents\[1\]\n"
    r'if str\(_ROOT / "module_utils"\) not in .*\n    ansible\.module_utils\.__path__\.append.*\n\n'
)
#: Modules in documentation and in action plugins, and filters in documentation, each with the text before and after it.
_MODULES = (re.compile(r"(\bM\()(fnn_\w+)(\))"), re.compile(r"(\()(fnn_\w+)(#module:)"))
_EXECUTED = re.compile(r'(_execute_module\(")(fnn_\w+)(")')
_FILTER = re.compile(r"(\bP\()(fnn_\w+)(#filter\))")
_FRAGMENTS = re.compile(r"^(extends_documentation_fragment:) \[(.*)\]$", re.MULTILINE)
_EXAMPLES = re.compile(r'(?<=^EXAMPLES = r""")\n.*?(?=""")', re.MULTILINE | re.DOTALL)
_LICENSE = "# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)\n"
_SPDX = "# SPDX-License-Identifier: GPL-3.0-or-later\n"


def rewrite_plugin(text: str, names: Names) -> str:
    """A module, a plugin, or module_utils/fnn_module.py. Raises ValueError for an unknown name."""
    text = _drop_path(text)
    text = text.replace("ansible.module_utils.fnn", f"{PACKAGE}.module_utils.fnn")
    text = text.replace('"module_utils/fnn/', '"plugins/module_utils/fnn/')
    text = text.replace('_PLAYBOOKS = _ROOT / "playbooks"', "_PLAYBOOKS = Path(__file__).resolve().parents[1]")
    text = _qualify(_EXECUTED, text, "module", names.modules)
    text = _EXAMPLES.sub(lambda found: rewrite_yaml(found[0], names), rewrite_documentation(text, names))
    # ansible-test looks for these words.
    return text if _LICENSE in text else text.replace(_SPDX, _SPDX + _LICENSE, 1)


def rewrite_documentation(text: str, names: Names) -> str:
    """References to modules, filters and fragments. Raises ValueError for unknown ones."""
    for pattern in _MODULES:
        text = _qualify(pattern, text, "module", names.modules)
    text = _qualify(_FILTER, text, "filter", names.filters)
    return _FRAGMENTS.sub(lambda found: f"{found[1]}\n{_rewrite_fragments(found[2], names)}", text)


def rewrite_filter_documentation(text: str, names: Names) -> str:
    """The YAML file of a filter, with tasks or variables as examples."""
    head, begin, examples = text.partition("EXAMPLES: |\n")
    body, returned, rest = examples.partition("RETURN:\n")
    body = indent(rewrite_yaml(dedent(body), names), "  ")
    return rewrite_documentation(head, names) + begin + body + returned + rewrite_documentation(rest, names)


def rewrite_sources(text: str) -> str:
    """The list of the files of a node, module_utils/fnn/controller/plan/files.py."""
    return text.replace('"module_utils/fnn', '"plugins/module_utils/fnn')


def _drop_path(text: str) -> str:
    if not _PATH.search(text):
        if "module_utils.__path__" in text:
            raise ValueError("finds the package in another way than other plugins, which the build cannot rewrite")
        return text
    text = re.sub(r"(?m)^import ansible\.module_utils\n\n?", "", _PATH.sub("", text))
    return text if len(re.findall(r"\bPath\b", text)) > 1 else text.replace("from pathlib import Path\n", "")


def _rewrite_fragments(given: str, names: Names) -> str:
    """One fragment a line: pycodestyle of ansible-test allows 160 characters."""
    fragments = given.split(", ")
    require_known("fragment", (each.split(".")[0] for each in fragments), names.fragments)
    ours = (qualify(each) if each.split(".")[0] in names.fragments else each for each in fragments)
    return "\n".join(f"  - {each}" for each in ours)


def _qualify(pattern: re.Pattern[str], text: str, kind: str, known: frozenset[str]) -> str:
    require_known(kind, (found[2] for found in pattern.finditer(text)), known)
    return pattern.sub(lambda found: found[1] + qualify(found[2]) + found[3], text)
