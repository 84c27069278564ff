# SPDX-License-Identifier: GPL-3.0-or-later
"""Bad specs: each .json beside its .log with the exact lines; designer/tests/errors_test.cc reads them as well."""

from __future__ import annotations

from pathlib import Path

import pytest
from ansible.module_utils.fnn.controller.documents import Documents, read_json
from ansible.module_utils.fnn.controller.engine import Designer
from ansible.module_utils.fnn.shared.errors import FnnError

CASES = sorted((Path(__file__).parent / "spec").glob("*.json"))
#: Python reads the text of documents itself.
TEXTS = ("key-twice", "not-json-", "not-utf8")


def test_there_are_cases() -> None:
    assert len(CASES) > 20


@pytest.mark.parametrize("case", [each for each in CASES if each.stem != "not-an-object"], ids=lambda path: path.stem)
def test_a_bad_spec_has_the_expected_messages(case: Path, engine: Designer) -> None:
    with pytest.raises(FnnError) as caught:
        engine.normalize(read_json(case), case.parent)
    assert f"{caught.value}\n" == case.with_suffix(".log").read_text()


def test_the_schema_gives_the_messages_of_the_engine(documents: Documents) -> None:
    """Of the structure; a spec whose parts contradict each other satisfies the schema."""
    structure = 0
    for case in CASES:
        if not case.name.startswith(TEXTS):
            found = [f"{each}\n" for each in documents.find_violations(read_json(case), "fnn-spec")]
            assert not found or "".join(found) == case.with_suffix(".log").read_text(), case.name
            structure += bool(found)
    assert structure > 20
