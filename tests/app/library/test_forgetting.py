"""A forgotten folder comes back as it was, whatever happened in between."""

from __future__ import annotations

import stat
from pathlib import Path
from typing import Any

import pytest

from app.library.ingest.adding import Adding, add, bring_back, forget_for_now, forgotten, rescan, settle
from app.library.library import Library
from app.search.search_query import SearchOptions
from app.search.searcher import search
from core.errors import TwinlensError
from storage.database.schema import metadata
from storage.integrity.integrity_check import check
from storage.sqlite import forgotten_folders
from tests.app.folders import write_scene, write_scenes


@pytest.fixture
def photographs(tmp_path: Path) -> Path:
    write_scenes(tmp_path / "photographs" / "a", 4)
    write_scenes(tmp_path / "photographs" / "b", 3, first=10)
    (tmp_path / "photographs" / "b" / "bad.jpg").write_bytes(b"no picture")
    (tmp_path / "photographs" / "b" / "text.txt").write_bytes(b"no picture")
    return tmp_path / "photographs"


def everything(library: Library) -> dict[str, list[Any]]:
    """Return all rows of the photographs; what the codes are cut into does not matter."""
    found = {}
    with library.store.reading() as r:
        for table in ("folder", "photograph", "problem", "passed_over", "keypoints", "descriptor"):
            columns = [column.name for column in metadata.tables[table].columns]
            if table == "problem":  # its rows come back under other numbers
                columns = [name for name in columns if name not in ("id", "checksum")]
            rows = r.connection.exec_driver_sql(f"SELECT {', '.join(columns)} FROM {table}").all()
            found[table] = sorted(tuple(row) for row in rows)
    return found


def answers(library: Library) -> list[tuple[str, float]]:
    with library.store.reading() as r:
        first = r.photographs.in_state(next(iter(r.photographs.counts())).READY)[0].id
    (result,) = search(library, [first], ("Automatic",), SearchOptions(20)).results
    return [(hit.path, hit.distance) for hit in result.hits]


@pytest.mark.parametrize("below", ["", "b"])
def test_a_folder_comes_back_as_it_was(photographs: Path, tmp_path: Path, below: str) -> None:
    with Library.open(tmp_path / "l.twinlens", create=True) as library:
        add(library, [photographs], Adding(workers=1))
        before, found = everything(library), answers(library)
        gone = forget_for_now(library, photographs / below)
        assert gone.photographs == (8 if not below else 4)
        assert len(everything(library)["photograph"]) == 8 - gone.photographs
        if below:
            assert rescan(library, workers=1).added == 0  # a part that is forgotten stays so
        assert forgotten(library) == [gone]
        assert bring_back(library, gone.number) == gone.photographs
        assert everything(library) == before
        assert check(library.store).findings == []
        assert answers(library) == found
        assert forgotten(library) == []
        again = rescan(library, workers=1)
        assert (again.added, again.changed) == (0, 0)


def test_several_come_back_in_any_order(photographs: Path, tmp_path: Path) -> None:
    with Library.open(tmp_path / "l.twinlens", create=True) as library:
        add(library, [photographs / "a", photographs / "b"], Adding(workers=1))
        before = everything(library)
        one, other = (forget_for_now(library, photographs / name) for name in "ab")
        bring_back(library, one.number)
        bring_back(library, other.number)
        assert [row[1:] for row in everything(library)["photograph"]] != []
        assert {row[:3] for row in everything(library)["photograph"]} == {row[:3] for row in before["photograph"]}
        with pytest.raises(TwinlensError, match="not kept any more"):
            bring_back(library, one.number)


def test_what_was_added_again_meanwhile_stays(photographs: Path, tmp_path: Path) -> None:
    with Library.open(tmp_path / "l.twinlens", create=True) as library:
        add(library, [photographs], Adding(workers=1))
        gone = forget_for_now(library, photographs / "a")
        write_scene(photographs / "a" / "0001.jpg", 99)
        add(library, [photographs / "a"], Adding(workers=1))
        after = everything(library)
        assert bring_back(library, gone.number) == 0
        assert everything(library)["photograph"] == after["photograph"]
        assert everything(library)["descriptor"] == after["descriptor"]


def test_a_kill_loses_nothing(photographs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class KilledError(Exception):
        pass

    def killed(*_: object) -> None:
        raise KilledError

    path = tmp_path / "l.twinlens"
    with Library.open(path, create=True) as library:
        add(library, [photographs], Adding(workers=1))
        before = everything(library)
        with monkeypatch.context() as patch:
            patch.setattr("app.library.ingest.adding.remove_folder", killed)
            with pytest.raises(KilledError):
                forget_for_now(library, photographs / "a")
        assert everything(library) == before
        assert forgotten(library) == []
        gone = forget_for_now(library, photographs / "a")
    with Library.open(path) as library:  # as after a kill: nobody has settled it
        assert forgotten(library)[-1] == gone
        with monkeypatch.context() as patch:
            patch.setattr("storage.sqlite.forgotten_folders.drop", killed)
            with pytest.raises(KilledError):
                bring_back(library, gone.number)
        assert everything(library) == before
        assert bring_back(library, gone.number) == 0
        assert everything(library) == before


def test_it_is_the_owners_alone_and_goes_when_it_is_settled(photographs: Path, tmp_path: Path) -> None:
    with Library.open(tmp_path / "l.twinlens", create=True) as library:
        add(library, [photographs], Adding(workers=1))
        forget_for_now(library, photographs)
        kept = tmp_path / "l.twinlens-forgotten"
        assert stat.S_IMODE(kept.stat().st_mode) == 0o600
        settle(library)
        assert not kept.exists()
        kept.write_bytes(b"nonsense")
        assert forgotten_folders.waiting(kept) == []
        with pytest.raises(TwinlensError, match="nothing of"):
            forget_for_now(library, photographs)
