"""An index of a network of one's own, while its file is there, while it is gone, and when it has changed."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.indexes.index_results import IndexStatus
from app.indexes.indexes import NewIndex, create_index, list_indexes
from app.library.ingest.adding import Adding, add, rescan
from app.library.library import Library
from app.search.search_query import SearchOptions
from app.search.searcher import search
from core.errors import TwinlensError
from core.message import NOTHING
from features.network import network_file, ready_made_network
from features.network.network import NetworkExtractor
from tests.app.folders import write_scene, write_scenes
from tests.app.library_fixture import Libraries
from tests.features.networks import both_signs, network


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
        hits = search(library, [1], ["Mine"], SearchOptions(3)).results[0].hits
        assert hits[0].id == 1
        assert hits[0].distance == 0

        content = file.read_bytes()
        file.unlink()
        monkeypatch.setattr(network_file, "_open", {})
        assert "is not there" in str(status(library).note)
        assert search(library, [1], ["Mine"], SearchOptions(3)).results[0].hits == hits
        new = folder / "new.jpg"
        write_scene(new, 77, 320, 240)
        added = add(library, [folder], Adding(workers=1))
        assert (added.added, added.problems) == (1, 0)
        assert search(library, [new], ["Colours"], SearchOptions(1)).results[0].hits[0].path == str(new)
        with pytest.raises(TwinlensError, match="is not there"):
            search(library, [new], ["Mine"], SearchOptions(1))
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
        assert search(library, [new], ["Mine"], SearchOptions(1)).results[0].hits[0].path == str(new)


def test_without_the_network_s_package_an_index_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ready_made_network.ReadyMade, "weights_file", lambda _: None)
    with Library.open(tmp_path / "library.twinlens", create=True) as library:
        (automatic, colours) = list_indexes(library).indexes
        assert "network" not in automatic.descriptor
        assert "is not installed" in str(automatic.note)
        assert not colours.note
    monkeypatch.undo()
    with Library.open(tmp_path / "other.twinlens", create=True) as library:
        (automatic, _) = list_indexes(library).indexes
        assert "network" in automatic.descriptor
        assert not automatic.note
        monkeypatch.setattr(ready_made_network.ReadyMade, "weights_file", lambda _: None)
        assert "is not installed" in str(list_indexes(library).indexes[0].note)


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
        assert len(search(library, [1], ["Colours"], SearchOptions(3)).results[0].hits) == 3
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
            first = search(library, [outside], ["Mine"], SearchOptions(1)).results[0].hits[0]
            assert (first.path, first.distance) == (str(path), 0)
