# SPDX-License-Identifier: GPL-3.0-or-later
"""module_utils/fnn/shared/hosts_file.py"""

from __future__ import annotations

import pytest
from ansible.module_utils.fnn.shared.hosts_file import set_names, take_names

NAMES = "10.78.0.1 k00\n10.78.0.2 k01 box1.lan box1\n10.79.0.2 k01-mg\n"
BLOCK = f"# BEGIN fnn\n{NAMES}# END fnn\n"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("127.0.0.1 localhost\n127.0.1.1 k01\n", "127.0.0.1 localhost\n# fnn: 127.0.1.1 k01\n"),
        ("127.0.1.1\tbox1.lan box1\t# me\n", "# fnn: 127.0.1.1\tbox1.lan box1\t# me\n"),
        ("127.0.1.1 K01\r\n", "# fnn: 127.0.1.1 K01\r\n"),
        ("::1 localhost k01\n", "# fnn: ::1 localhost k01\n::1 localhost # fnn\n"),
        ("127.0.0.1 localhost k01", "# fnn: 127.0.0.1 localhost k01\n127.0.0.1 localhost # fnn"),
        ("127.0.1.1 k01.example.org k01\n", "# fnn: 127.0.1.1 k01.example.org k01\n127.0.1.1 k01.example.org # fnn\n"),
        ("127.0.0.1 localhost k00 # k01\n", "# fnn: 127.0.0.1 localhost k00 # k01\n127.0.0.1 localhost # fnn\n"),
    ],
)
def test_a_loopback_address_loses_the_names_of_the_cluster_until_removal(before: str, after: str) -> None:
    text = set_names(before, NAMES)
    assert text == BLOCK + after
    assert set_names(text, NAMES) == text
    assert take_names(text) == before


@pytest.mark.parametrize(
    "text",
    [
        "",
        "127.0.0.1 localhost localhost.localdomain\n::1 localhost ip6-loopback\nff02::1 ip6-allnodes\n",
        "192.168.1.21 k01\n",
        "# 127.0.1.1 k01\n",
        "127.0.1.1 other # k01\n",
        "\n \n127.0.0.1\nno-address k01\n",
        "127.0.0.1 localhost # fnn\n",
        "a line with no end",
    ],
)
def test_lines_that_contradict_no_name_stay(text: str) -> None:
    assert set_names(text, NAMES) == BLOCK + text
    assert take_names(set_names(text, NAMES)) == text


def test_a_name_that_leaves_the_plan_gets_its_line_back() -> None:
    before = "127.0.1.1 box1\n127.0.0.1 localhost k00\n"
    text = set_names(before, NAMES)
    assert set_names(text, "10.78.0.1 k00\n").endswith(
        "# END fnn\n127.0.1.1 box1\n# fnn: 127.0.0.1 localhost k00\n127.0.0.1 localhost # fnn\n"
    )


def test_a_line_of_a_user_below_a_deleted_comment_stays() -> None:
    text = set_names("127.0.0.1 localhost k01\n", NAMES)
    edited = text.replace("# fnn: 127.0.0.1 localhost k01\n", "")
    assert take_names(edited) == "127.0.0.1 localhost # fnn\n"
