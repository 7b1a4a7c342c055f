"""Renaming where the file system cannot do it in one step: whatever it answers, one name of the file is left."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from app.machine.disk import DISK
from core.systems import system
from tests.app.private_trash import LINUX

pytestmark = LINUX


def _cannot(source: bytes, target: bytes) -> None:
    raise OSError(errno.EINVAL, os.strerror(errno.EINVAL), source)


def _lost_answer(path: bytes, unlink: Callable[[bytes], None] = os.unlink) -> None:
    unlink(path)
    raise OSError(errno.EIO, os.strerror(errno.EIO), path)


@pytest.fixture
def names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Path, Path]:
    monkeypatch.setattr(system, "rename_new", _cannot)
    (tmp_path / "a").write_bytes(b"photograph")
    return tmp_path / "a", tmp_path / "b"


def test_an_answer_that_gets_lost_loses_no_file(names: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch) -> None:
    source, target = names
    monkeypatch.setattr(os, "unlink", _lost_answer)
    DISK.rename(os.fsencode(source), os.fsencode(target))
    assert not source.exists()
    assert target.read_bytes() == b"photograph"


def test_a_name_that_stays_is_the_only_one(names: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch) -> None:
    source, target = names
    unlink = os.unlink

    def refuse(path: bytes) -> None:
        if path == os.fsencode(source):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), path)
        unlink(path)

    monkeypatch.setattr(os, "unlink", refuse)
    with pytest.raises(PermissionError):
        DISK.rename(os.fsencode(source), os.fsencode(target))
    assert source.read_bytes() == b"photograph"
    assert not target.exists()
