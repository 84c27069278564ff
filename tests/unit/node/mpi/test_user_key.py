# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

import multiprocessing
import shutil
import subprocess
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from threading import Barrier

import pytest
from ansible.module_utils.fnn.node.mpi import user_key
from ansible.module_utils.fnn.node.mpi.account import Account
from ansible.module_utils.fnn.node.mpi.user_key import provide_key
from ansible.module_utils.fnn.shared.errors import FnnError


def locate(account: Account, name: str = "id_ed25519") -> Path:
    return Path(account.home) / ".ssh" / name


def get_mode(path: Path) -> int:
    return path.stat().st_mode & 0o7777


def write_key(account: Account, text: str) -> Path:
    path = locate(account)
    path.parent.mkdir(mode=0o700)
    path.touch(0o600)
    path.write_text(text)
    return path


def test_a_pair_is_made_once(account: Account) -> None:
    key, changed = provide_key(account, "fnn@k00", check=False)
    private, public = locate(account), locate(account, "id_ed25519.pub")
    assert changed == [str(private.parent), str(private), str(public)]
    assert [get_mode(path) for path in (private.parent, private, public)] == [0o700, 0o600, 0o644]
    assert public.read_text() == f"{key} fnn@k00\n"
    before = private.read_bytes()
    assert provide_key(account, "fnn@k00", check=False) == (key, [])
    assert private.read_bytes() == before


def test_a_public_key_is_restored_from_the_private_one(account: Account) -> None:
    key, _ = provide_key(account, "fnn@k00", check=False)
    public = locate(account, "id_ed25519.pub")
    public.unlink()
    assert provide_key(account, "fnn@k00", check=True) == (key, [str(public)])
    assert not public.exists()
    assert provide_key(account, "fnn@k00", check=False) == (key, [str(public)])
    assert public.read_text() == f"{key} fnn@k00\n"


def test_a_comment_of_the_user_stays(account: Account) -> None:
    key, _ = provide_key(account, "fnn@k00", check=False)
    locate(account, "id_ed25519.pub").write_text(f"{key} the old desktop\n")
    assert provide_key(account, "fnn@k00", check=False) == (key, [])


def test_modes_with_which_sshd_refuses_keys_are_corrected(account: Account) -> None:
    provide_key(account, "fnn@k00", check=False)
    locate(account).parent.chmod(0o777)
    locate(account).chmod(0o640)
    wrong = [str(locate(account).parent), str(locate(account))]
    assert provide_key(account, "fnn@k00", check=True)[1] == wrong
    assert provide_key(account, "fnn@k00", check=False)[1] == wrong
    assert provide_key(account, "fnn@k00", check=False)[1] == []


def test_check_mode_makes_nothing(account: Account) -> None:
    key, changed = provide_key(account, "fnn@k00", check=True)
    assert (key, len(changed)) == ("", 3)
    assert list(Path(account.home).iterdir()) == []


def test_the_target_of_a_link_keeps_its_mode(account: Account, tmp_path: Path) -> None:
    """The cluster user can link any file of another user."""
    provide_key(account, "fnn@k00", check=False)
    target = locate(account).rename(tmp_path / "elsewhere")
    target.chmod(0o400)
    locate(account).symlink_to(target)
    assert provide_key(account, "fnn@k00", check=False)[1] == []
    assert get_mode(target) == 0o400


@pytest.mark.parametrize("text", ["", "nonsense\n"], ids=["empty", "broken"])
def test_a_broken_key_is_refused_and_stays(account: Account, text: str) -> None:
    path = write_key(account, text)
    with pytest.raises(FnnError) as caught:
        provide_key(account, "fnn@k00", check=False)
    assert str(caught.value).startswith(f"{path}: has a passphrase or is broken, and the toolkit never replaces a key:")
    assert path.read_text() == text


def test_a_key_with_a_passphrase_is_refused_and_stays(account: Account) -> None:
    locate(account).parent.mkdir(mode=0o700)
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "secret", "-f", locate(account)], check=True)
    before = locate(account).read_bytes()
    with pytest.raises(FnnError, match=r"id_ed25519: has a passphrase or is broken.*; move it away"):
        provide_key(account, "fnn@k00", check=False)
    assert locate(account).read_bytes() == before


def test_a_directory_in_place_of_the_key_is_refused(account: Account) -> None:
    locate(account).mkdir(parents=True)
    with pytest.raises(FnnError, match=r"id_ed25519: is a directory; expected the private key"):
        provide_key(account, "fnn@k00", check=False)


def test_a_disk_that_cannot_be_read_is_named_and_not_taken_for_a_broken_key(
    account: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write_key(account, "nonsense")

    def fail(_: Path) -> bytes:
        raise OSError(5, "Input/output error")

    monkeypatch.setattr(user_key.Path, "read_bytes", fail)
    with pytest.raises(OSError, match="Input/output error") as caught:
        provide_key(account, "fnn@k00", check=False)
    assert caught.value.filename == str(path)


def provide_on(node: int, account: Account, barrier: Barrier) -> str:
    barrier.wait()
    return provide_key(account, f"fnn@k0{node}", check=False)[0]


def test_nodes_that_share_a_home_have_one_key(account: Account) -> None:
    for _ in range(3):
        context = multiprocessing.get_context("fork")
        with context.Manager() as manager, ProcessPoolExecutor(6, mp_context=context) as nodes:
            barrier = manager.Barrier(6)
            keys = [nodes.submit(provide_on, node, account, barrier) for node in range(6)]
            (key,) = {each.result() for each in keys}
        assert user_key.derive_public(locate(account)) == key
        assert user_key.read_public(locate(account, "id_ed25519.pub")) == key
        assert sorted(path.name for path in locate(account).parent.iterdir()) == ["id_ed25519", "id_ed25519.pub"]
        shutil.rmtree(locate(account).parent)
