"""A library from before moves over to what a new one compares by, and answers all the while."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.indexes import standard_indexes
from app.indexes.fitted_models import stored_keypoints
from app.indexes.indexes import (
    BEFORE,
    GROWING,
    default_index,
    delete_index,
    improve_index,
    improvement_suggestion,
    list_indexes,
    set_default,
)
from app.indexes.standard_indexes import BEST, EARLIER
from app.library.ingest.adding import Adding, add, rescan
from app.library.library import AUTOMATIC, Library
from app.methods import catalogue
from app.search.search_query import SearchOptions
from app.search.searcher import search
from core.errors import Cancelled, TwinlensError
from core.message import Message
from features.keypoints.keypoints import keypoint_bytes
from features.reading.reading import read
from tests.app.folders import write_scenes


def best() -> str:
    return catalogue.descriptor(BEST).text()


@pytest.fixture
def earlier(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Make a library as it was made before."""
    file, folder = tmp_path / "library.twinlens", tmp_path / "photographs"
    write_scenes(folder, 6)
    with monkeypatch.context() as patch:
        patch.setattr(standard_indexes, "best_descriptor", lambda: EARLIER)
        with Library.open(file, create=True) as library:
            add(library, [folder], Adding(workers=1))
    return file


def by_name(library: Library) -> dict[str, str]:
    return {one.name: one.descriptor for one in list_indexes(library).indexes}


def ranked(library: Library, index: str) -> list[tuple[int, float]]:
    return [(hit.id, hit.distance) for hit in search(library, [1], [index], SearchOptions(6)).results[0].hits]


def test_a_new_library_has_nothing_to_gain(tmp_path: Path) -> None:
    with Library.open(tmp_path / "new.twinlens", create=True) as library:
        assert by_name(library)[AUTOMATIC] == best()
        assert improvement_suggestion(library) is None
        with pytest.raises(TwinlensError, match="as good as"):
            improve_index(library, workers=1)


def test_the_better_index_takes_the_name_and_the_old_one_stays(earlier: Path) -> None:
    with Library.open(earlier) as library:
        found = improvement_suggestion(library)
        assert found is not None
        assert "6 photos are read again" in str(found.sentence)
        before = ranked(library, AUTOMATIC)
        improve_index(library, workers=1)
        assert by_name(library)[AUTOMATIC] == best()
        assert list(by_name(library)) == [AUTOMATIC, "Colours", BEFORE]
        assert default_index(library) == AUTOMATIC
        assert improvement_suggestion(library) is None
        assert ranked(library, BEFORE) == before
        assert search(library, [1], [AUTOMATIC], SearchOptions(6)).results[0].likeness is not None
        delete_index(library, BEFORE)
        assert set(by_name(library)) == {AUTOMATIC, "Colours"}


def test_it_can_be_stopped_and_goes_on(earlier: Path) -> None:
    def stop(_done: float, _total: float, _text: Message) -> None:
        raise Cancelled

    with Library.open(earlier) as library:
        with pytest.raises(Cancelled):
            improve_index(library, stop, workers=1)
        assert by_name(library)[AUTOMATIC] == catalogue.descriptor(EARLIER).text()
        assert search(library, [1], [AUTOMATIC], SearchOptions(1)).results[0].hits
        improve_index(library, workers=1)
        assert GROWING not in by_name(library)
        assert by_name(library)[AUTOMATIC] == best()


def test_another_default_stays(earlier: Path) -> None:
    with Library.open(earlier) as library:
        set_default(library, "Colours")
        improve_index(library, workers=1)
        assert default_index(library) == "Colours"


def test_keypoints_stay_as_they_are_until_the_library_moves_over(earlier: Path) -> None:
    def sides(library: Library) -> list[bytes | None]:
        with library.store.reading() as r:
            return stored_keypoints(r, [1])

    path = sorted((earlier.parent / "photographs").iterdir())[0]
    shown = read(path.read_bytes(), path.name)
    (large,), (small,) = catalogue.descriptor(EARLIER).caps, catalogue.descriptor(BEST).caps
    assert (large.side, small.side) == (360, 256)
    with Library.open(earlier) as library:
        rescan(library, workers=1)
        assert sides(library) == [keypoint_bytes(shown, large)]
        improve_index(library, workers=1)
        assert sides(library) == [keypoint_bytes(shown, small)]
