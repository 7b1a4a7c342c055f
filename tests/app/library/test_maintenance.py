"""Damage costs what is damaged and no more, and ``check --repair`` makes a library what it was."""

from __future__ import annotations

import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from tests.app.folders import Libraries
from tests.app.in_this_process import Here
from twinlens.app.library.ingest.adding import rescan
from twinlens.app.library.library import Library
from twinlens.app.library.library_results import CheckResult
from twinlens.app.library.maintenance import check_library, repair_library
from twinlens.app.search.search_options import SearchOptions
from twinlens.app.search.searcher import search
from twinlens.core.errors import Cancelled, Remedy, TwinlensError
from twinlens.core.message import NOTHING, Message
from twinlens.storage.library.store import Store
from twinlens.storage.sqlite.engine import keep_in_step

COUNT = 6


@pytest.fixture
def folder(libraries: Libraries) -> Path:
    return libraries.photographs(COUNT)


@pytest.fixture
def path(libraries: Libraries, tmp_path: Path) -> Path:
    place = libraries.copy(COUNT, tmp_path / "library.twinlens")
    Here.decoded.clear()
    return place


def damage(path: Path, *statements: str) -> None:
    """Change a library behind its back; ``spoilt`` gives other bytes of the same length."""
    with closing(sqlite3.connect(path)) as connection:
        connection.create_function("spoilt", 1, lambda data: data[:-9] + bytes(b ^ 0x55 for b in data[-9:]))
        for statement in statements:
            connection.execute(statement)
        connection.commit()


def lose(path: Path, *statements: str) -> None:
    """Change a library as the program does, with the checksums of its rows."""
    with closing(sqlite3.connect(path)) as connection:
        keep_in_step(connection)
        for statement in statements:
            connection.execute(statement)
        connection.commit()


def repaired(path: Path) -> CheckResult:
    """Repair a library in which something is to be repaired, and all of it can be."""
    with Library.open(path) as library:
        found = check_library(library)
        assert found.findings
        assert found.repairable == len(found.findings)
        result = repair_library(library)
        assert result.findings == []
        assert result.repaired
        assert check_library(library).findings == []
    return result


def kept(path: Path) -> dict[str, list[Any]]:
    """Return what was computed, without what differs each time it is."""
    with closing(sqlite3.connect(path)) as connection:
        statements = {
            "vectors": "SELECT id & 0xffffffff, vector FROM descriptor ORDER BY vector",
            "keypoints": "SELECT photograph_id, data FROM keypoints ORDER BY 1",
            "arrays": "SELECT name, data FROM array ORDER BY data",
            "codes": "SELECT ids, codes FROM code_segment ORDER BY codes",
            "photographs": "SELECT id, path, content_hash, width, height FROM photograph ORDER BY 1",
        }
        return {name: connection.execute(statement).fetchall() for name, statement in statements.items()}


def hits(path: Path, picture: Path, exact: bool = False) -> list[int]:
    with Library.open(path) as library:
        return [
            hit.id for hit in search(library, [picture], ["Automatic"], SearchOptions(k=6, exact=exact)).results[0].hits
        ]


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE keypoints SET data = spoilt(data) WHERE photograph_id = 2",
        "UPDATE keypoints SET data = x'00'",
        "UPDATE keypoints SET data = 7, checksum = NULL WHERE photograph_id = 2",
        "UPDATE keypoints SET data = x'8002e00100', checksum = NULL WHERE photograph_id < 4",
        "UPDATE descriptor SET vector = spoilt(vector) WHERE id & 0xff = 3",
        "UPDATE descriptor SET vector = x'00', checksum = NULL WHERE id & 0xff = 3",
        "UPDATE code_segment SET codes = spoilt(codes)",
        "UPDATE code_segment SET ids = spoilt(ids)",
        "UPDATE photograph SET content_hash = spoilt(content_hash), width = 3 WHERE id = 2",
    ],
)
def test_a_search_goes_on_and_a_repair_mends(path: Path, folder: Path, statement: str) -> None:
    before, asked = kept(path), folder / "0000.jpg"
    first = hits(path, asked)
    damage(path, statement)
    for exact in (False, True):
        left = hits(path, asked, exact)
        assert left[0] == 1
        assert len(set(first) - set(left)) <= 1
    result = repaired(path)
    assert kept(path) == before
    assert result.kept is not None
    with Store.open(Path(result.kept)):
        pass
    assert hits(path, asked) == first


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE array SET data = spoilt(data)",
        "UPDATE array SET shape = '[1'",
        "UPDATE model SET numbers = '{'",
        "UPDATE descriptor_kind SET dimensions = 3, text = 'nothing'",
    ],
)
def test_what_was_learned_is_met_in_a_sentence_and_made_anew(path: Path, folder: Path, statement: str) -> None:
    before, first = kept(path), hits(path, folder / "0000.jpg")
    damage(path, statement)
    with pytest.raises(TwinlensError, match="damaged") as met:
        hits(path, folder / "0000.jpg")
    assert met.value.next_step == Remedy("repair library")
    with Library.open(path) as library:
        result = repair_library(library)
        assert result.findings == []
    assert kept(path) == before
    assert hits(path, folder / "0000.jpg") == first


def test_a_rescan_reads_again_what_is_damaged(path: Path) -> None:
    before = kept(path)
    damage(
        path,
        "UPDATE keypoints SET data = spoilt(data) WHERE photograph_id = 2",
        "UPDATE descriptor SET vector = spoilt(vector) WHERE id & 0xff = 5",
    )
    with Library.open(path) as library:
        rescan(library, verify=False)
        assert Here.decoded == []
        rescan(library)
        assert Here.decoded == ["0001.jpg", "0004.jpg"]
        assert check_library(library).findings == []
    assert kept(path) == before


def test_a_damaged_thumbnail_is_made_again(path: Path) -> None:
    with Library.open(path) as library:
        with library.store.reading() as r:
            content = r.photographs.by_id([1])[0].content_hash
        assert content is not None
        assert library.thumbnails.get(content)
        thumbnails = library.thumbnails.path
    damage(thumbnails, "UPDATE thumbnail SET jpeg = spoilt(jpeg)")
    with Library.open(path) as library:
        assert library.thumbnails.get(content) is None


def test_a_library_without_damage_is_left_alone(path: Path) -> None:
    before = path.read_bytes()
    with Library.open(path) as library:
        result = repair_library(library)
    assert (result.repaired, result.kept) == ([], None)
    assert kept(path)
    assert path.read_bytes() == before


REMOVED = {
    "vectors": "DELETE FROM descriptor WHERE id & 0xff IN ({ids})",
    "keypoints": "DELETE FROM keypoints WHERE photograph_id IN ({ids})",
    "waiting": "UPDATE photograph SET state = 'pending' WHERE id IN ({ids})",
    "codes": "DELETE FROM code_segment",
    "learned": "UPDATE search_index SET model_id = NULL",
    "kinds": "UPDATE search_index SET kind_id = NULL",
}


@settings(max_examples=6, deadline=None, phases=[Phase.explicit, Phase.generate])
@given(
    lacking=st.dictionaries(
        st.sampled_from(sorted(REMOVED)), st.sets(st.integers(1, COUNT), min_size=1, max_size=COUNT), min_size=1
    )
)
def test_whatever_is_lacking_is_told_and_completed(libraries: Libraries, lacking: dict[str, set[int]]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = libraries.copy(COUNT, Path(folder) / "library.twinlens")
        before = kept(path)
        lose(path, *(REMOVED[what].format(ids=", ".join(map(str, ids))) for what, ids in lacking.items()))
        repaired(path)
        assert kept(path) == before


def test_what_lacks_is_said_with_how_much(path: Path) -> None:
    lose(
        path,
        REMOVED["vectors"].format(ids="2, 3"),
        REMOVED["keypoints"].format(ids="4"),
        REMOVED["waiting"].format(ids="5"),
    )
    with Library.open(path) as library:
        with library.store.reading() as r:
            kinds = len(r.descriptors.kinds())
        found = check_library(library)
        told = " ".join(map(str, found.sentences))
        assert "1 photo waits to be read." in told
        assert "2 photos have no vectors of " in told
        assert "1 photo has no keypoints yet." in told
        assert (len(found.findings), found.damaged) == (2 + kinds, 0)  # vectors of each kind
        assert repair_library(library).kept is None  # nothing is removed


def test_what_can_be_computed_is_although_something_else_cannot(path: Path, folder: Path) -> None:
    before, first = kept(path), hits(path, folder / "0000.jpg")
    damage(
        path,
        "UPDATE descriptor SET vector = spoilt(vector) WHERE id & 0xff < 4",
        "INSERT INTO setting VALUES ('saved', '{}', 7)",
    )
    with Library.open(path) as library:
        result = repair_library(library)
        assert [str(one) for one in result.sentences] == [
            "Damaged, and cannot be computed again: the row “saved” of the table setting."
        ]
    assert kept(path) == before
    assert hits(path, folder / "0000.jpg") == first


DAMAGE = (
    "UPDATE descriptor SET vector = spoilt(vector) WHERE id & 0xff < 4",
    "UPDATE keypoints SET data = spoilt(data) WHERE photograph_id > 2",
    "UPDATE code_segment SET codes = spoilt(codes)",
    "UPDATE photograph SET content_hash = spoilt(content_hash), width = 3 WHERE id = 2",
)


@pytest.mark.parametrize("at", [0, 3, 9, 15])
def test_a_repair_that_is_stopped_at_any_step_goes_on(path: Path, at: int) -> None:
    before = kept(path)
    damage(path, *DAMAGE)
    steps = 0

    def stop(done: float, total: float, text: Message = NOTHING) -> None:
        nonlocal steps
        steps += 1
        if steps > 5 * at:
            raise Cancelled

    with Library.open(path) as library:
        try:
            repair_library(library, stop)
        except Cancelled:
            assert check_library(library).findings
        assert repair_library(library).findings == []
        assert check_library(library).findings == []
    assert kept(path) == before


_REPAIR = """
import os, signal, sys
from pathlib import Path
from twinlens.app.library.library import Library
from twinlens.app.library.maintenance import repair_library
from twinlens.storage.library.store import Store
from tests.app.in_this_process import Here
import twinlens.app.library.workers.readers
twinlens.app.library.workers.readers.Workers = Here
writing = Store.writing

def repair(path, at):
    left = at

    def counted(self, *arguments, **options):
        nonlocal left
        left -= 1
        if left < 0:
            os.kill(os.getpid(), signal.SIGKILL)
        return writing(self, *arguments, **options)

    with Library.open(Path(path)) as library:
        Store.writing = counted
        repair_library(library)

for line in sys.stdin:  # each in a process of its own, which need not import anything again
    path, at = line.rstrip("\\n").split("\\t")
    child = os.fork()
    if child == 0:
        repair(path, int(at))
        os._exit(0)
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="needs processes that copy themselves")
def test_a_repair_that_is_killed_goes_on_and_again(path: Path, tmp_path: Path) -> None:
    before = kept(path)
    damage(path, *DAMAGE)
    kills = [(1,), (3,), (4,), (5, 1), (4, 0, 1)]
    places = [Path(shutil.copyfile(path, tmp_path / f"{number}.twinlens")) for number in range(len(kills))]
    asked = [f"{place}\t{at}\n" for place, moments in zip(places, kills, strict=True) for at in moments]
    done = subprocess.run(
        [sys.executable, "-c", _REPAIR],
        input="".join(asked),
        env=os.environ | {"PYTHONPATH": str(Path(__file__).parents[3])},
        capture_output=True,
        check=True,
        text=True,
    )
    assert done.stdout.split() == [str(-signal.SIGKILL)] * len(asked), done.stderr
    for place in places:
        with Library.open(place) as library:
            assert check_library(library).findings
            assert repair_library(library).findings == []
            assert check_library(library).findings == []
        assert kept(place) == before
