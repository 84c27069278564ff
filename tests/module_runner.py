# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs a module of library/ in this process and returns its answer, whether it succeeded or failed."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from ansible.module_utils.common import warnings
from ansible.module_utils.testing import patch_module_args
from loading import load_file

RunModule = Callable[..., dict[str, Any]]


@pytest.fixture
def run_module(root: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> RunModule:
    """run_module("fnn_spec", check=True, diff=True, path=..., ...); an option that is None is not given.

    An option that is called `check` is given as check_.
    """

    def run(name: str, check: bool = False, diff: bool = False, **options: Any) -> dict[str, Any]:
        module = load_file(root / "library" / f"{name}.py")
        options = {key.removesuffix("_"): each for key, each in options.items()}
        arguments = {"root": str(root), "_ansible_check_mode": check, "_ansible_diff": diff}
        arguments.update({key: _plain(each) for key, each in options.items()})
        arguments = {key: each for key, each in arguments.items() if each is not None}
        # Modules run in processes of their own. Here they share one, perhaps with parts of the controller. Ansible then
        # prints warnings instead of returning them, and each only once.
        monkeypatch.setattr(warnings._internal, "is_controller", False)
        warnings._global_warnings.clear()
        with patch_module_args(arguments), pytest.raises(SystemExit):
            module.main()
        warnings._global_warnings.clear()
        answer: dict[str, Any] = json.loads(capsys.readouterr().out)
        return answer

    return run


def _plain(value: Any) -> Any:
    return str(value) if isinstance(value, Path) else value
