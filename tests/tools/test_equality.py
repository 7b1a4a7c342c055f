"""Equality of two recordings: what differs is named, what only a clock or a place decides does not differ."""

from __future__ import annotations

from pathlib import Path

import pytest
from PIL import Image

from tools import equality


def _recorded(folder: Path, said: str, colour: str = "red") -> Path:
    (folder / "commands").mkdir(parents=True)
    (folder / "commands" / "000 status.txt").write_text(said, "utf-8")
    (folder / "executed command.txt").write_text("twinlens/app/cli/main.py\n", "utf-8")
    Image.new("RGB", (4, 4), colour).save(folder / "library-light-1280.png")
    return folder


def test_equal_recordings_are_equal(tmp_path: Path) -> None:
    assert equality.compare(_recorded(tmp_path / "a", "120 photos"), _recorded(tmp_path / "b", "120 photos")) == 0


def test_what_differs_is_named(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    old, new = _recorded(tmp_path / "a", "120 photos"), _recorded(tmp_path / "b", "121 photos", "blue")
    (new / "help.txt").write_text("Usage", "utf-8")
    assert equality.compare(old, new) == 1
    said = capfd.readouterr().out
    assert "-120 photos" in said
    assert "+121 photos" in said
    assert "100.000% of the pixels" in said
    assert f"help.txt: only in {new}" in said
    assert "1 of 4 are equal" in said


def test_times_and_places_do_not_differ() -> None:
    document = {"hits": [{"id": 3, "distance": 0.5}], "seconds": {"scan": 0.1, "total": 0.25}, "created": "yesterday"}
    assert equality._without_times(document) == {
        "hits": [{"id": 3, "distance": 0.5}],
        "seconds": {"scan": "float", "total": "float"},
        "created": "str",
    }
    home = Path("somewhere").absolute()
    assert equality._masked(f"120 photos of {home} in 1.3 s, 2026-11-28 10:00:01", home) == (
        "120 photos of ~ in DURATION, MOMENT"
    )
