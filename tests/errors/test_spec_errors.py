# SPDX-License-Identifier: GPL-3.0-or-later
"""Bad specs: each .json beside its .log with the exact lines, the same from Python and from the designer."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from ansible.module_utils.fnn.controller.documents import Documents, read_json
from ansible.module_utils.fnn.controller.spec.spec import load_spec
from ansible.module_utils.fnn.shared.errors import FnnError

CASES = sorted((Path(__file__).parent / "spec").glob("*.json"))


def test_there_are_cases() -> None:
    assert len(CASES) > 20


@pytest.mark.parametrize("case", CASES, ids=lambda path: path.stem)
def test_python_gives_the_expected_messages(case: Path, documents: Documents) -> None:
    with pytest.raises(FnnError) as caught:
        load_spec(read_json(case), documents, case.parent)
    assert f"{caught.value}\n" == case.with_suffix(".log").read_text()


@pytest.mark.parametrize("case", CASES, ids=lambda path: path.stem)
def test_the_designer_gives_the_expected_messages(case: Path, designer: Path) -> None:
    done = subprocess.run([designer, "spec", case], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (2, case.with_suffix(".log").read_text())
