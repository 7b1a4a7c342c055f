"""A picture on which describing crashes, hangs or takes too much memory costs a sentence, and the next search works."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from app.cli.main import main
from app.compare.columns import ComparisonColumn
from app.compare.comparison import ComparisonSettings, compare_indexes
from app.indexes.fitted_models import load_extractors
from app.library.library import Library
from app.library.workers import decoders
from app.library.workers.worker_pool import WorkerLimits
from app.search.search_query import Example, SearchQuery
from app.search.searcher import Searcher, search
from core.errors import TwinlensError
from features.descriptor import Extractor
from storage.library.store import Transaction
from storage.photographs.descriptors import KindRow
from tests.app.extractors import ABORT, HANG, MEMORY, RAISE, MishapBefore
from tests.app.folders import added, write_scene
from tests.app.library_fixture import Libraries


@pytest.fixture(scope="module")
def library(libraries: Libraries, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    with Library.open(libraries.copy(6, tmp_path_factory.mktemp("library") / "a.twinlens")) as opened:
        yield opened


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """Let describing a picture do what its width says; return the keys of the extractors that were sent."""
    keys: list[str] = []

    def mishaps(r: Transaction, kinds: Sequence[KindRow]) -> dict[str, Extractor]:
        keys.extend(kind.key for kind in kinds)
        return {key: MishapBefore(one) for key, one in load_extractors(r, kinds).items()}

    monkeypatch.setattr("app.search.query_descriptors.load_extractors", mishaps)
    decoders.end()
    yield keys
    decoders.end()


def picture(place: Path, width: int) -> Path:
    return write_scene(place / f"{width}.jpg", 1, width, 80)


@pytest.mark.usefixtures("sent")
@pytest.mark.parametrize(
    ("width", "words"),
    [
        (ABORT, "could not be read or described: the process that did it ended unexpectedly"),
        (HANG, "longer than the 1 seconds"),
        (RAISE, "ZeroDivisionError"),
        (MEMORY, "memory"),
    ],
)
def test_a_picture_that_cannot_be_described_costs_a_sentence(
    library: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, width: int, words: str
) -> None:
    searcher, bad = Searcher(library), picture(tmp_path, width)
    with monkeypatch.context() as short:
        if width == HANG:
            short.setattr(WorkerLimits, "seconds", 1.0)
        with pytest.raises(TwinlensError, match=words):
            searcher.search(bad, "Colours")
    assert searcher.search(picture(tmp_path, 64), "Colours").hits


@pytest.mark.usefixtures("sent")
def test_wherever_a_person_asks_with_it(library: Library, tmp_path: Path) -> None:
    bad = picture(tmp_path, ABORT)
    searcher = Searcher(library)
    for asked in (Example(bad.read_bytes()), Example(bad, region=(0.0, 0.0, 1.0, 0.9))):
        with pytest.raises(TwinlensError, match="ended unexpectedly"):
            searcher.search(SearchQuery((asked,)))
    with pytest.raises(TwinlensError, match="ended unexpectedly"):
        compare_indexes(searcher, bad, ComparisonSettings([ComparisonColumn("Colours")]))


@pytest.mark.usefixtures("sent")
def test_the_command_says_it_and_ends_with_2(
    library: Library, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["--library", library.address.shown, "search", str(picture(tmp_path, ABORT))])
    assert ended.value.code == 2
    assert "could not be read or described" in " ".join(capsys.readouterr().err.split())


@pytest.mark.usefixtures("sent")
def test_a_photograph_of_the_library_is_found_by_what_is_kept_of_it(tmp_path: Path) -> None:
    write_scene(tmp_path / "photographs" / "a.jpg", 1, ABORT, 80)
    added(tmp_path / "a.twinlens", tmp_path / "photographs")
    with Library.open(tmp_path / "a.twinlens") as library:
        assert [hit.id for hit in search(library, [1]).results[0].hits] == [1]


def test_extractors_are_sent_once_to_each_process(library: Library, tmp_path: Path, sent: list[str]) -> None:
    searcher = Searcher(library)
    names = ["Colours", "Automatic"]
    searcher.ask(picture(tmp_path, 64), names)
    assert len(sent) == len(set(sent)) == 2
    searcher.ask(picture(tmp_path, 65), names)
    assert len(sent) == 2
    decoders.end()
    assert all(one.hits for one in searcher.ask(picture(tmp_path, 66), names))
    assert sorted(sent) == sorted(2 * sent[:2])
