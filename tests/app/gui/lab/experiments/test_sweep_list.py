"""Lines of a plan are checked as they are written."""

from __future__ import annotations

from pytestqt.qtbot import QtBot

from app.gui.lab.experiments.sweep_list import SweepList
from core.methods import METHODS


def test_methods_sweeps_and_indexes_of_faiss_are_taken_and_what_is_unknown_is_not(qtbot: QtBot) -> None:
    lines = SweepList(METHODS, "method")
    qtbot.addWidget(lines)
    for texts, valid in (
        (["itq:bits=64", "lsh:bits={16,32}", "faiss:OPQ16,PQ16np"], True),
        (["itq:bits=64", "face:PQ16"], False),
    ):
        lines.set_texts(texts)
        assert lines.texts() == texts
        assert lines.is_valid() == valid
