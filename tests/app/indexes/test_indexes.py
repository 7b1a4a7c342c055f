"""Indexes that move over to better comparing, keep codes on this machine, or need a network that may be gone."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from unittest.mock import Mock

import numpy as np
import pytest

from tests.app.folders import Libraries, write_scene, write_scenes
from tests.app.made_library import FEW_BITS, LEARNED, histograms, make
from tests.features.networks import both_signs, network
from twinlens.app.indexes import standard_indexes
from twinlens.app.indexes.fitted_models import make_kinds, stored_keypoints
from twinlens.app.indexes.index_results import IndexStatus
from twinlens.app.indexes.indexes import (
    BEFORE,
    GROWING,
    create_index,
    default_index,
    delete_index,
    improve_index,
    improvement_suggestion,
    list_indexes,
    set_default,
)
from twinlens.app.indexes.loaded_index import CachedCodes
from twinlens.app.indexes.new_index import NewIndex
from twinlens.app.indexes.standard_indexes import BEST, EARLIER
from twinlens.app.library.ingest.adding import Adding, add, rescan
from twinlens.app.library.ingest.ingest import count_waiting
from twinlens.app.library.library import AUTOMATIC, Library
from twinlens.app.methods import catalogue
from twinlens.app.search.search_options import SearchOptions
from twinlens.app.search.searcher import search
from twinlens.core.errors import Cancelled, TwinlensError
from twinlens.core.message import NOTHING, Message
from twinlens.features.keypoints.keypoints import keypoint_bytes
from twinlens.features.network import network_file, ready_made_network
from twinlens.features.network.network import NetworkExtractor
from twinlens.features.reading.reading import read
from twinlens.storage.indexes.index_codes import IndexCodes
from twinlens.storage.indexes.indexes import IndexRow
from twinlens.storage.library.store import Transaction


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
    return [(hit.id, hit.distance) for hit in search(library, [1], [index], SearchOptions(k=6)).results[0].hits]


def test_photographs_are_described_again_by_a_network_that_has_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "photographs"
    write_scenes(folder, 6)
    with Library.open(tmp_path / "library.twinlens", create=True) as library:
        add(library, [folder], Adding(workers=1))
        before = ranked(library, AUTOMATIC)
        with library.store.reading() as r:
            (index,) = (one for one in r.indexes.all() if one.automatic)
        assert not make_kinds(library)
        with monkeypatch.context() as patch:
            patch.setattr(ready_made_network, "ready_made_digest", lambda _: "other")
            assert make_kinds(library)
            with library.store.reading() as r:
                found = r.indexes.by_id(index.id)
                assert found is not None
                assert found.kind_id != index.kind_id
                assert count_waiting(r) == 6
        rescan(library, workers=1)
        assert ranked(library, AUTOMATIC) == before


def test_a_new_library_has_nothing_to_gain(tmp_path: Path) -> None:
    with Library.open(tmp_path / "new.twinlens", create=True) as library:
        assert by_name(library)[AUTOMATIC] == best()
        assert improvement_suggestion(library) is None
        assert improve_index(library, workers=1).indexes == list_indexes(library).indexes


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
        assert search(library, [1], [AUTOMATIC], SearchOptions(k=6)).results[0].likeness is not None
        delete_index(library, BEFORE)
        assert set(by_name(library)) == {AUTOMATIC, "Colours"}


def test_it_can_be_stopped_and_goes_on(earlier: Path) -> None:
    def stop(_done: float, _total: float, _text: Message) -> None:
        raise Cancelled

    with Library.open(earlier) as library:
        with pytest.raises(Cancelled):
            improve_index(library, stop, workers=1)
        assert by_name(library)[AUTOMATIC] == catalogue.descriptor(EARLIER).text()
        assert search(library, [1], [AUTOMATIC], SearchOptions(k=1)).results[0].hits
        improve_index(library, workers=1)
        assert GROWING not in by_name(library)
        assert by_name(library)[AUTOMATIC] == best()


def test_creating_the_same_again_goes_on_where_it_was_stopped(libraries: Libraries, tmp_path: Path) -> None:
    same = NewIndex(descriptor="edges", method="lsh:bits=64", name="Mine")
    with Library.open(libraries.copy(4, tmp_path / "library.twinlens")) as library:

        def stop(done: float, total: float, _text: Message) -> None:
            if done > 0.5 * total:
                raise Cancelled

        for _ in range(2):
            with pytest.raises(Cancelled):
                create_index(library, same, stop, workers=1)
        with pytest.raises(TwinlensError, match="already an index named “Mine”"):
            create_index(library, same.model_copy(update={"method": "lsh:bits=128"}), workers=1)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(
                "twinlens.app.indexes.indexes.bring_index_up_to_date", Mock(side_effect=TwinlensError("It fails."))
            )
            with pytest.raises(TwinlensError, match="It fails"):
                create_index(library, same, workers=1)
        made = create_index(library, same, workers=1)
        assert (made.name, made.photographs, made.waiting) == ("Mine", 4, 0)
        with pytest.raises(TwinlensError, match="already an index named “Mine”"):
            create_index(library, same, workers=1)


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


@pytest.fixture
def library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Library]:
    monkeypatch.setenv("TWINLENS_CACHE", str(tmp_path / "cache"))
    with make(tmp_path / "made.twinlens", histograms(70), (FEW_BITS, LEARNED)) as made:
        yield made


@pytest.fixture
def fetched(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Count what is read out of the library."""
    ids: list[int] = []
    load = IndexCodes.load

    def counted(codes: IndexCodes, index_id: int) -> object:
        ids.append(index_id)
        return load(codes, index_id)

    monkeypatch.setattr(IndexCodes, "load", counted)
    return ids


def same(r: Transaction, row: IndexRow, library: Library) -> None:
    found, wanted = CachedCodes(library.store.id).load(r, row), r.codes.load(row.id)
    np.testing.assert_array_equal(found.ids, wanted.ids)
    np.testing.assert_array_equal(found.codes, wanted.codes)
    assert (found.model_id, found.token) == (wanted.model_id, wanted.token)


def files(library: Library, tmp_path: Path) -> list[Path]:
    return sorted((tmp_path / "cache" / "codes" / library.store.id).glob("*"))


def test_a_second_start_fetches_none(library: Library, fetched: list[int]) -> None:
    with library.store.reading() as r:
        rows = r.indexes.all()
        for _ in range(3):
            for row in rows:
                CachedCodes(library.store.id).load(r, row)
        assert sorted(fetched) == sorted(row.id for row in rows)
        for row in rows:
            same(r, row, library)


def test_other_codes_are_fetched_and_take_the_place_of_the_old(
    library: Library, fetched: list[int], tmp_path: Path
) -> None:
    with library.store.reading() as r:
        for row in r.indexes.all():
            same(r, row, library)
    before = files(library, tmp_path)
    with library.store.writing() as w:
        w.remove([3, 4])
    fetched.clear()
    with library.store.reading() as r:
        for row in r.indexes.all():
            found = CachedCodes(library.store.id).load(r, row)
            assert not np.isin([3, 4], found.ids).any()
            same(r, row, library)
    after = files(library, tmp_path)
    assert len(after) == len(before)
    assert len(set(after) & set(before)) == 1, "Automatic has no codes here, so none that have changed"


@pytest.mark.parametrize("name", ["ids.npy", "codes.npy", "checksum"])
@pytest.mark.parametrize("how", ["flip", "cut", "remove"])
def test_a_damaged_file_is_made_anew(library: Library, fetched: list[int], tmp_path: Path, name: str, how: str) -> None:
    with library.store.reading() as r:
        row = r.indexes.all()[0]
        same(r, row, library)
        (folder,) = files(library, tmp_path)
        file = folder / name
        whole = file.read_bytes()
        if how == "remove":
            file.unlink()
        else:
            file.write_bytes(whole[:-3] if how == "cut" else whole[:-1] + bytes([whole[-1] ^ 4]))
        fetched.clear()
        same(r, row, library)
        assert len(fetched) == 2, "once for the cache, once to compare"
        assert file.read_bytes() == whole
        fetched.clear()
        CachedCodes(library.store.id).load(r, row)
        assert fetched == []


def test_a_cache_that_cannot_be_written_costs_only_its_time(library: Library, tmp_path: Path) -> None:
    (tmp_path / "cache").mkdir(exist_ok=True)
    (tmp_path / "cache" / "codes").write_text("a file, not a folder")
    with library.store.reading() as r:
        for row in r.indexes.all():
            same(r, row, library)


def status(library: Library) -> IndexStatus:
    return next(one for one in list_indexes(library).indexes if one.name == "Mine")


def test_everything_else_works_while_the_file_is_gone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder, file = tmp_path / "photographs", tmp_path / "mine.onnx"
    write_scenes(folder, 5)
    text = f"network:path={file},side=64"
    with Library.open(tmp_path / "library.twinlens", create=True) as library:
        add(library, [folder], Adding(workers=1))
        with pytest.raises(TwinlensError, match="is not there"):
            create_index(library, NewIndex(descriptor=text, search="exact", name="Mine"), workers=1)
        assert all(one.name != "Mine" for one in list_indexes(library).indexes)

        file.write_bytes(network(both_signs()))
        create_index(library, NewIndex(descriptor=text, search="exact", name="Mine"), workers=1)
        assert (status(library).photographs, status(library).waiting, status(library).note) == (5, 0, NOTHING)
        hits = search(library, [1], ["Mine"], SearchOptions(k=3)).results[0].hits
        assert hits[0].id == 1
        assert hits[0].distance == 0

        content = file.read_bytes()
        file.unlink()
        monkeypatch.setattr(network_file, "_open", {})
        assert "is not there" in str(status(library).note)
        assert search(library, [1], ["Mine"], SearchOptions(k=3)).results[0].hits == hits
        new = folder / "new.jpg"
        write_scene(new, 77, 320, 240)
        added = add(library, [folder], Adding(workers=1))
        assert (added.added, added.problems) == (1, 0)
        assert search(library, [new], ["Colours"], SearchOptions(k=1)).results[0].hits[0].path == str(new)
        with pytest.raises(TwinlensError, match="is not there"):
            search(library, [new], ["Mine"], SearchOptions(k=1))
        assert (status(library).photographs, status(library).waiting) == (5, 1)
        write_scene(folder / "0001.jpg", 78, 320, 240)
        assert rescan(library, workers=1).changed == 1
        assert (status(library).photographs, status(library).waiting) == (4, 2)  # what was there is of the old content

        file.write_bytes(network(2 * both_signs()))
        assert "has changed since" in str(status(library).note)
        rescan(library, workers=1)
        assert status(library).waiting == 2

        file.write_bytes(content)
        rescan(library, workers=1)
        assert (status(library).photographs, status(library).waiting, status(library).note) == (6, 0, NOTHING)
        assert search(library, [new], ["Mine"], SearchOptions(k=1)).results[0].hits[0].path == str(new)


def test_without_the_network_s_package_an_index_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ready_made_network.ReadyMade, "weights_file", lambda _: None)
    with Library.open(tmp_path / "library.twinlens", create=True) as library:
        (automatic, colours) = list_indexes(library).indexes
        assert "network" not in automatic.descriptor
        assert "are not installed" in str(automatic.note)
        assert not colours.note
    monkeypatch.undo()
    with Library.open(tmp_path / "other.twinlens", create=True) as library:
        (automatic, _) = list_indexes(library).indexes
        assert "network" in automatic.descriptor
        assert not automatic.note
        monkeypatch.setattr(ready_made_network.ReadyMade, "weights_file", lambda _: None)
        assert "are not installed" in str(list_indexes(library).indexes[0].note)


def test_a_file_that_goes_while_photographs_are_read_is_no_fault_of_theirs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, file = tmp_path / "photographs", tmp_path / "mine.onnx"
    write_scenes(folder, 3, first=90)  # which no other test here reads: what was read in this process is remembered
    file.write_bytes(network(both_signs()))
    with Library.open(tmp_path / "library.twinlens", create=True) as library:
        create_index(
            library, NewIndex(descriptor=f"network:path={file},side=64", search="exact", name="Mine"), workers=1
        )
        file.unlink()
        monkeypatch.setattr(network_file, "_open", {})
        with monkeypatch.context() as before:  # it was there when this process looked
            before.setattr(NetworkExtractor, "unusable", lambda self: "")
            added = add(library, [folder], Adding(workers=1))
        assert (added.added, added.problems) == (3, 0)
        assert (status(library).photographs, status(library).waiting) == (0, 3)
        assert len(search(library, [1], ["Colours"], SearchOptions(k=3)).results[0].hits) == 3
        file.write_bytes(network(both_signs()))
        rescan(library, workers=1)
        assert (status(library).photographs, status(library).waiting) == (3, 0)


@pytest.mark.usefixtures("worker_processes")
def test_workers_describe_as_this_process_does(libraries: Libraries, tmp_path: Path) -> None:
    file = tmp_path / "mine.onnx"
    file.write_bytes(network(both_signs()))
    with Library.open(libraries.copy(4, tmp_path / "library.twinlens")) as library:
        create_index(
            library, NewIndex(descriptor=f"network:path={file},side=64", search="exact", name="Mine"), workers=2
        )
        for path in sorted(libraries.photographs(4).rglob("*.jpg")):
            outside = tmp_path / path.name
            outside.write_bytes(path.read_bytes())
            first = search(library, [outside], ["Mine"], SearchOptions(k=1)).results[0].hits[0]
            assert (first.path, first.distance) == (str(path), 0)
