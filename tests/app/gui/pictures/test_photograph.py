"""The facts of a photograph in words: the length of a film, and what a damaged file lacks."""

from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot

from twinlens.app.gui.pictures.photograph import fact_lines, film_length
from twinlens.app.library.browsing.photographs import Photograph
from twinlens.features.pictures.picture import Metadata


def photograph(metadata: Metadata, form: str = "JPEG") -> Photograph:
    return Photograph(1, "/p/a", "a", "/p", b"00", None, None, 640, 480, 2_000, form, False, notes_text=metadata.text())


@pytest.mark.parametrize(("seconds", "words"), [(0, ""), (7.4, "0:07"), (95, "1:35"), (3725, "1:02:05")])
def test_the_length_of_a_film(seconds: float, words: str) -> None:
    assert film_length(photograph(Metadata(seconds=seconds), "Film")) == words


@pytest.mark.parametrize(
    ("lacking", "words"),
    [(0.0, ""), (0.001, "Damaged at its end"), (0.124, "Damaged: about 12 % of the picture is missing")],
)
def test_what_a_damaged_file_lacks(qtbot: QtBot, lacking: float, words: str) -> None:
    lines = fact_lines(photograph(Metadata(lacking=lacking)))
    assert (words in lines) == bool(words)
    assert any("Damaged" in line for line in lines) == bool(words)
