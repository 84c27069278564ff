# SPDX-License-Identifier: GPL-3.0-or-later
"""Rewrites the imports, names and documentation of Ansible's plugins and modules for the collection."""

from __future__ import annotations

import re
from textwrap import dedent, indent

from .names import PACKAGE, Names, match_names, qualify
from .rewrite_yaml import rewrite_yaml

#: How plugins of a checkout find the package; Ansible itself finds it in a collection.
_PATH = re.compile(
    r"import ansible\.module_utils\n\n(?:# .*\n)*_ROOT = Path\(__file__\)\.resolve\(\)\.parents\[1\]\n"
    r'if str\(_ROOT / "module_utils"\) not in .*\n    ansible\.module_utils\.__path__\.append.*\n\n'
)
_FRAGMENTS = re.compile(r"(?<=^extends_documentation_fragment: \[).*(?=\]$)", re.MULTILINE)
_EXAMPLES = re.compile(r'(?<=^EXAMPLES = r""")\n.*?(?=""")', re.MULTILINE | re.DOTALL)
_LICENSE = "# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)\n"
_SPDX = "# SPDX-License-Identifier: GPL-3.0-or-later\n"


def rewrite_plugin(text: str, names: Names) -> str:
    """A module, a plugin, or module_utils/fnn_module.py."""
    text = _drop_path(text)
    text = text.replace("ansible.module_utils.fnn", f"{PACKAGE}.module_utils.fnn")
    text = text.replace('"module_utils/fnn/', '"plugins/module_utils/fnn/')
    text = text.replace('_PLAYBOOKS = _ROOT / "playbooks"', "_PLAYBOOKS = Path(__file__).resolve().parents[1]")
    text = re.sub(rf'(?<=_execute_module\(")({match_names(names.modules)})', _qualify, text)
    text = _EXAMPLES.sub(lambda found: rewrite_yaml(found[0], names), rewrite_documentation(text, names))
    # ansible-test looks for these words.
    return text if _LICENSE in text else text.replace(_SPDX, _SPDX + _LICENSE, 1)


def rewrite_documentation(text: str, names: Names) -> str:
    """References to modules, filters and fragments."""
    text = re.sub(rf"(?<=\bM\()({match_names(names.modules)})(?=\))", _qualify, text)
    text = re.sub(rf"(?<=\bP\()({match_names(names.filters)})(?=#filter\))", _qualify, text)
    return _FRAGMENTS.sub(lambda found: _rewrite_fragments(found[0], names), text)


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
        return text
    text = _PATH.sub("", text)
    return text if len(re.findall(r"\bPath\b", text)) > 1 else text.replace("from pathlib import Path\n", "")


def _rewrite_fragments(given: str, names: Names) -> str:
    return ", ".join(qualify(each) if each.split(".")[0] in names.fragments else each for each in given.split(", "))


def _qualify(found: re.Match[str]) -> str:
    return qualify(found[1])
