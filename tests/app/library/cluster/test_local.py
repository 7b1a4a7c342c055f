"""A cluster of this machine alone, which nobody else on it can reach."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from app.library.cluster.address import ClusterAddress
from app.library.cluster.cluster import Cluster
from app.library.workers.extraction import ReadPhotograph, extract
from core.errors import Cancelled, TwinlensError
from features.reading.reading_limits import Limits
from tests.app.extractors import ABORT, HANG, Mean, Mishap
from tests.app.library.cluster.family import Family
from tests.app.library.cluster.listening import descendants, listening
from tests.app.pictures import tasks

LOCAL = ClusterAddress("local:2")

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="needs /proc")


def nothing() -> None:
    return


def test_it_makes_the_same_library_to_the_byte(family: Callable[[int], Family]) -> None:
    made = family(20)
    told: list[str] = []
    result = made.added(LOCAL, lambda *now: told.append(str(now[2])))
    assert (result.added, result.problems, result.not_used, result.read_here) == (20, 0, [], 0)
    assert any(text.endswith("· 1 machine") for text in told)
    assert made.same()


def test_no_process_of_it_listens_while_it_reads(tmp_path: Path) -> None:
    before = listening([os.getpid()])
    heard: set[str] = set()
    given = tasks(tmp_path, [1, 2, ABORT, *range(3, 100)], ("mishap",))
    with Cluster(LOCAL) as cluster, cluster.readers({"mishap": Mishap()}) as readers:
        outcomes = readers.run(given, lambda: heard.update(listening(descendants(os.getpid()))))
        assert [isinstance(one, ReadPhotograph) for one in outcomes].count(False) == 1
        assert len(descendants(os.getpid())) > 2
        assert (cluster.count, cluster.scheduler.partition("://")[0]) == (2, "inproc")
    assert heard <= before


def test_to_stop_leaves_no_process_and_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "temporary").mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "temporary"))
    before = descendants(os.getpid())

    def stop() -> None:
        if cluster.told():
            raise Cancelled

    with pytest.raises(Cancelled), Cluster(LOCAL) as cluster, cluster.readers({"mishap": Mishap()}) as readers:
        list(readers.run(tasks(tmp_path, [HANG, *range(1, 50)], ("mishap",)), stop))
    assert descendants(os.getpid()) <= before
    assert not list((tmp_path / "temporary").iterdir())


def test_it_can_be_used_again(tmp_path: Path) -> None:
    given = tasks(tmp_path, [1, 2, 3], ("mean",))
    cluster = Cluster(LOCAL)
    for _ in range(2):
        with cluster, cluster.readers({"mean": Mean()}) as readers:
            assert list(readers.run(given, nothing)) == [extract(one, {"mean": Mean()}, Limits()) for one in given]


def test_where_it_cannot_start_a_sentence_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", "/proc/nowhere")
    with pytest.raises(TwinlensError, match=r"processes of local:2 could not be started: .*nowhere"), Cluster(LOCAL):
        pass
