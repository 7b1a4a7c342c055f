"""The log of faults."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.machine import app_folders, faults


def test_a_fault_is_logged_with_where_it_was_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(app_folders.DATA_VARIABLE, str(tmp_path))
    assert faults.last_lines() == ""
    try:
        raise ValueError("one is missing")
    except ValueError as error:
        log = faults.log_fault(error)
    assert log == tmp_path / "log" / "twinlens.log"
    text = faults.last_lines()
    assert "test_faults.py" in text
    assert text.endswith("ValueError: one is missing")
    assert faults.last_lines(1) == "ValueError: one is missing"


def test_where_nothing_can_be_written_nothing_is_raised(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv(app_folders.DATA_VARIABLE, str(tmp_path / "file"))
    assert faults.log_fault(ValueError()) is None
    assert faults.last_lines() == ""
