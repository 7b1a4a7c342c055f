"""The terminal and the window give the same numbers: ``compare`` and ``evaluate`` beside the compare view, by files."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from pytestqt.qtbot import QtBot

from app.cli.main import main
from app.compare.columns import ComparisonColumn
from app.evaluate.edited_copies import PhotographOrder
from app.evaluate.evaluation import chosen_edits
from app.library.library import Library
from app.machine.output_file import OutputFile
from tests.app.folders import added, write_scenes
from tests.app.gui.compare.test_controller import Comparing
from tests.features.sample_pictures import encode

COUNT, K = 18, 6
EDITS = ("mirror", "grey")
PHOTOGRAPHS = 4


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    place = tmp_path_factory.mktemp("library")
    write_scenes(place / "first", COUNT // 2)
    write_scenes(place / "second", COUNT // 2, COUNT // 2)
    added(place / "family.twinlens", place / "first", place / "second")
    with Library.open(place / "family.twinlens") as opened:
        yield opened


@pytest.fixture
def comparing(qtbot: QtBot, library: Library) -> Iterator[Comparing]:
    made = Comparing(qtbot, library, {"compare": {"k": K}})
    made.searching.choose_index("Colours")
    yield made
    made.jobs.finish()


def spoken(capfdbinary: pytest.CaptureFixture[bytes], library: Library, *words: str) -> dict[str, Any]:
    """Run a command, and give the JSON that it writes."""
    with pytest.raises(SystemExit) as ended:
        main(["--library", library.address.shown, *words, "--json"])
    assert ended.value.code in (0, None)
    read: dict[str, Any] = json.loads(capfdbinary.readouterr().out)
    return read


def without_times(values: dict[str, Any]) -> dict[str, Any]:
    """Leave out what no two runs have alike."""
    return {
        name: without_times(value) if isinstance(value, dict) else value
        for name, value in values.items()
        if "seconds" not in name
    }


def test_compare_tells_what_the_view_shows(
    comparing: Comparing, library: Library, capfdbinary: pytest.CaptureFixture[bytes], tmp_path: Path
) -> None:
    folder = library.address.path.parent / "first"
    columns = [
        ComparisonColumn("Colours", method="lsh:bits=16", search="scan:candidates=1"),
        ComparisonColumn("Colours"),
        ComparisonColumn("Automatic"),
    ]
    comparing.control.set_filters({"folder": str(folder)})
    comparing.ask(3)
    comparing.control.set_columns(columns)
    comparing.settle()
    comparing.control.hold_against(1)
    comparing.settle()
    told = spoken(
        capfdbinary, library, "compare", "#3", "-k", str(K), "--index", "Colours", "--index", "Automatic",
        "--column", "lsh:bits=16 | scan:candidates=1", "--reference", "Colours", "--folder", str(folder),
    )  # fmt: skip
    by_name = {one["name"]: one for one in told["columns"]}
    assert told["filters"] == {"folder": str(folder)}
    seen = comparing.view.columns()
    assert len(seen) == len(by_name) == 3
    for column in seen:
        assert column.one is not None
        assert without_times(column.one.model_dump(mode="json")) == without_times(by_name[column.one.name])
        told_hits = [hit["id"] for hit in by_name[column.one.name]["answer"]["hits"]]
        assert [tile.id for tile in column.tiles if not tile.ghost] == told_hits
        assert [tile.id for tile in column.tiles if tile.ghost] == [
            one["id"] for one in by_name[column.one.name]["missed"]
        ]
        assert f"{column.one.overlap:.2f} overlap@{K}" in comparing.view.headers.spoken(column)
    assert any(column.one.missed for column in seen if column.one), "columns that agree would tell little"
    comparing.control.export(OutputFile(tmp_path / "all.json"))
    comparing.settle()
    written = json.loads((tmp_path / "all.json").read_text())
    assert written["filters"] == told["filters"]
    assert [without_times(one) for one in written["columns"]] == [
        without_times(by_name[one["name"]]) for one in written["columns"]
    ]


def test_evaluate_counts_what_the_view_shows_of_edited_copies(
    comparing: Comparing, library: Library, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    told = spoken(
        capfdbinary, library, "evaluate", "--index", "Colours", "--edits", ",".join(EDITS), "--no-check",
        "--photographs", str(PHOTOGRAPHS),
    )  # fmt: skip
    figures = {one["edit"]: one for one in told["indexes"][0]["edits"]}
    comparing.control.set_k(20)
    ranks: dict[str, list[int]] = {edit: [] for edit in EDITS}
    for copies in PhotographOrder(library, None, 0).copies(chosen_edits(EDITS), PHOTOGRAPHS):
        for copy in copies:
            comparing.control.ask_pictures([encode(Image.fromarray(copy.editing.pixels()), "PNG")])
            comparing.settle()
            shown = comparing.view.columns()[0]
            assert shown.title == "Colours"
            ranks[copy.edit.name].append(next(tile.rank for tile in shown.tiles if tile.id in copy.right))
    for edit, places in ranks.items():
        assert figures[edit]["questions"] == len(places) == PHOTOGRAPHS
        for first in (1, 10):
            assert figures[edit]["recall"][str(first)] == pytest.approx(
                sum(one <= first for one in places) / len(places)
            )
        assert figures[edit]["map"] == pytest.approx(sum(1 / one for one in places) / len(places))
    assert max(ranks["grey"]) > 1, "where all are found first, nothing is told"
