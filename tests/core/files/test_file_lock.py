"""Locks between programs."""

from __future__ import annotations

import errno
import sys
from pathlib import Path

import pytest

from twinlens.core.files.file_lock import FileLock
from twinlens.core.systems import system


def test_one_holder_at_a_time(tmp_path: Path) -> None:
    one, two = FileLock(tmp_path / "lock"), FileLock(tmp_path / "lock")
    assert one.acquire("testing")
    assert "(testing since " in two.holder()
    assert not two.acquire("waiting", 0.05)
    assert not one.acquire("waiting", 0.05)
    one.release()
    assert not (tmp_path / "lock").exists()
    assert two.acquire("testing")
    two.release()
    assert two.holder() == ""


def test_who_holds_it_now(tmp_path: Path) -> None:
    one, two = FileLock(tmp_path / "lock"), FileLock(tmp_path / "lock")
    assert one.taken_by() is None
    assert one.acquire("testing")
    assert one.taken_by() == two.taken_by() == one.holder()
    one.release()
    assert two.taken_by() is None
    (tmp_path / "lock").write_text("process 4711 (adding photos since 14:02)\n")  # as a kill leaves it
    assert two.taken_by() is None
    assert not (tmp_path / "lock").exists()


@pytest.mark.skipif(sys.platform == "win32", reason="locks that are shared are missing on Windows")
def test_several_share(tmp_path: Path) -> None:
    held = [FileLock(tmp_path / "lock") for _ in range(3)]
    assert held[0].acquire("alone")
    held[0].share()
    assert held[1].acquire("", shared=True)
    assert not held[2].acquire("alone")
    held[0].release()
    assert not held[2].acquire("alone")
    held[1].release()
    assert held[2].acquire("alone")
    held[2].release()


def test_a_lock_whose_file_was_removed_is_taken_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "lock"
    own = system.lock
    removed: list[bool] = []

    def remove_first(descriptor: int, shared: bool) -> None:
        own(descriptor, shared)
        if not removed:
            removed.append(True)
            path.unlink()  # as its last holder does at this very moment

    monkeypatch.setattr(system, "lock", remove_first)
    one, two = FileLock(path), FileLock(path)
    assert one.acquire("testing")
    assert not two.acquire("testing")
    one.release()


def test_where_a_file_system_knows_no_locks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(descriptor: int, shared: bool) -> None:
        raise OSError(errno.ENOLCK, "no locks")

    monkeypatch.setattr(system, "lock", refuse)
    lock = FileLock(tmp_path / "lock")
    assert lock.acquire("testing")
    lock.release()


def test_where_no_file_can_be_made(tmp_path: Path) -> None:
    lock = FileLock(tmp_path / "none" / "lock")
    assert lock.acquire("testing")
    lock.release()
    assert lock.holder() == ""
