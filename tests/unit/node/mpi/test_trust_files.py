# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

from pathlib import Path

import pytest
from ansible.module_utils.fnn.node.mpi import trust_files
from ansible.module_utils.fnn.node.mpi.account import Account
from ansible.module_utils.fnn.node.mpi.trust_files import install, read_digest
from ansible.module_utils.fnn.shared.errors import FnnError
from ansible.module_utils.fnn.shared.trust import Trust

TRUST = Trust("k00 ssh-ed25519 AAAA\nk01 ssh-ed25519 BBBB", "ssh-ed25519 CCCC fnn@k00")
BLOCK = "# BEGIN fnn\nssh-ed25519 CCCC fnn@k00\n# END fnn\n"


@pytest.fixture
def known(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(trust_files, "KNOWN_HOSTS", tmp_path / "ssh_known_hosts")
    return tmp_path / "ssh_known_hosts"


@pytest.fixture
def authorized(account: Account) -> Path:
    path = Path(account.home) / ".ssh/authorized_keys"
    path.parent.mkdir()
    return path


def test_installed_keys_have_the_digest_of_the_sent_ones(known: Path, authorized: Path, account: Account) -> None:
    assert read_digest(account) == ""
    assert [change.path for change in install(TRUST, account, check=False)] == [str(known), str(authorized)]
    assert known.read_text() == f"# BEGIN fnn\n{TRUST.known_hosts}\n# END fnn\n"
    assert authorized.read_text() == BLOCK
    assert [path.stat().st_mode & 0o777 for path in (known, authorized)] == [0o644, 0o600]
    assert read_digest(account) == TRUST.digest
    assert install(TRUST, account, check=False) == []


def test_lines_of_others_stay_to_the_byte(known: Path, authorized: Path, account: Account) -> None:
    others = b"ssh-rsa XXXX J\xf6rg\r\n# a comment\n"
    authorized.write_bytes(others)
    install(Trust(TRUST.known_hosts, "former"), account, check=False)
    authorized.write_bytes(authorized.read_bytes() + b"ssh-rsa YYYY\n")
    install(TRUST, account, check=False)
    assert authorized.read_bytes() == others + BLOCK.encode() + b"ssh-rsa YYYY\n"
    assert read_digest(account) == TRUST.digest


def test_the_block_that_ansible_wrote_is_taken_as_ours(known: Path, authorized: Path, account: Account) -> None:
    """ansible.builtin.blockinfile, by which earlier versions wrote it."""
    known.write_text(f"# BEGIN fnn\n{TRUST.known_hosts}\n# END fnn\n")
    authorized.write_text(BLOCK)
    authorized.chmod(0o600)
    assert read_digest(account) == TRUST.digest


def test_a_changed_line_or_mode_makes_the_digest_another(known: Path, authorized: Path, account: Account) -> None:
    install(TRUST, account, check=False)
    authorized.chmod(0o660)
    assert read_digest(account) == ""
    assert [change.path for change in install(TRUST, account, check=False)] == [str(authorized)]
    assert authorized.stat().st_mode & 0o777 == 0o600
    known.write_text(known.read_text().replace("BBBB", "XXXX"))
    assert read_digest(account) not in ("", TRUST.digest)


def test_check_mode_shows_the_lines_and_writes_none(known: Path, authorized: Path, account: Account) -> None:
    changes = install(TRUST, account, check=True)
    assert [change.after for change in changes][1:] == [BLOCK.encode()]
    assert not known.exists()
    assert not authorized.exists()
    assert [change.path for change in install(TRUST, None, check=True)] == [str(known)], "no account, no home"
    assert read_digest(None) == ""


def test_broken_markers_are_refused_with_the_file(known: Path, authorized: Path, account: Account) -> None:
    authorized.write_text("# BEGIN fnn\nx\n")
    assert read_digest(account) == ""
    with pytest.raises(FnnError, match=rf"^{authorized}: expected one '# BEGIN fnn'"):
        install(TRUST, account, check=False)
    assert not known.exists()


def test_the_target_of_a_link_keeps_its_mode(known: Path, authorized: Path, account: Account, tmp_path: Path) -> None:
    """The cluster user can link any file of another user."""
    target = tmp_path / "theirs"
    target.write_text("")
    target.chmod(0o640)
    authorized.symlink_to(target)
    install(TRUST, account, check=False)
    assert (target.read_text(), target.stat().st_mode & 0o777) == (BLOCK, 0o640)
    assert read_digest(account) == TRUST.digest
