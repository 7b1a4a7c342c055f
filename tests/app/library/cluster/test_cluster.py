"""A real cluster: a scheduler and two Dask workers, processes of their own with a pool of one process each."""

from __future__ import annotations

import logging
import multiprocessing
import os
import shutil
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import dask
import pytest

from app.indexes.indexes import NewIndex, create_index
from app.library.cluster import machine
from app.library.cluster.address import ClusterAddress, imported
from app.library.cluster.cluster import Cluster
from app.library.ingest.adding import Adding, add
from app.library.library import Library
from app.library.maintenance import library_status
from app.library.workers.extraction import FileReadingTask, ReadPhotograph, UnreadableFile, extract
from app.library.workers.readers import Readers
from core.errors import Cancelled, TwinlensError
from core.message import Message
from core.progress import Progress
from core.systems.volume import Volume
from features.reading.reading_limits import Limits
from tests.app.extractors import ABORT, HANG, Mean, Mishap
from tests.app.library.cluster.family import Family, everything
from tests.app.pictures import tasks

pytestmark = [
    pytest.mark.skipif(not sys.platform.startswith("linux"), reason="needs /proc and SIGKILL"),
    pytest.mark.filterwarnings("ignore:unclosed:ResourceWarning"),  # Dask leaves sockets to the garbage collector
]


def nothing() -> None:
    return


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    """Return a cluster that all tests share; what they kill comes back."""
    distributed = imported()
    # A Dask worker has processes of its own, which those that Dask calls daemons may not have.
    with (
        dask.config.set({"distributed.worker.daemon": False}),
        distributed.LocalCluster(
            n_workers=2,
            threads_per_worker=1,
            host="127.0.0.1",
            memory_limit=None,
            dashboard_address="127.0.0.1:0",
            worker_dashboard_address="127.0.0.1:0",
            resources={machine.CORES: 1},
            silence_logs=logging.CRITICAL,
        ) as workers,
        Cluster(ClusterAddress(workers.scheduler_address)) as made,
    ):
        yield made


@pytest.fixture
def address(cluster: Cluster) -> ClusterAddress:
    return ClusterAddress(cluster.scheduler)


def on_each(cluster: Cluster, function: Callable[[], Any]) -> dict[str, Any]:
    """Call a function in each Dask worker."""
    found: dict[str, Any] = cluster.client.run(function)
    return found


def children() -> list[int]:
    return [child.pid for child in multiprocessing.active_children() if child.pid is not None]


def test_a_cluster_makes_the_same_library_to_the_byte(family: Callable[[int], Family], address: ClusterAddress) -> None:
    made = family(20)
    names = sorted(made.folder.iterdir())
    for i in range(3):
        shutil.copy(names[i], made.folder / f"copy {i}.jpg")
        (made.folder / f"broken {i}.jpg").write_bytes(names[i].read_bytes()[: 700 + i])
        (made.folder / f"note {i}").write_text("no picture")
    told: list[str] = []
    result = made.added(address, lambda *now: told.append(str(now[2])))
    assert (result.added, result.problems, result.passed_over, result.not_used, result.read_here) == (23, 3, 3, [], 0)
    assert any(text.endswith("· 1 machine") for text in told)
    assert made.same()
    names[5].rename(made.folder / "moved.jpg")
    names[6].write_bytes(names[7].read_bytes())
    (made.folder / "broken 1.jpg").write_bytes(names[1].read_bytes())
    again = made.rescanned(address)
    assert (again.moved, again.changed, again.added) == (1, 1, 1)
    with Library.open(made.path) as library:
        found = everything(library)
    assert not rescan_changes(made)
    with Library.open(made.path) as library:
        assert everything(library) == found


def test_an_index_is_made_by_a_cluster_which_others_see(
    family: Callable[[int], Family], address: ClusterAddress
) -> None:
    made = family(8)
    seen: set[str] = set()
    wanted = NewIndex("edges", "lsh:bits=64", name="Edges")
    with Library.open(made.path) as library, Library.open(made.path) as other:
        add(library, [made.folder], Adding(workers=1))

        def look(*__: object) -> None:
            cluster = library_status(other).cluster
            seen.add("" if cluster is None else cluster.address)

        create_index(library, wanted, look, cluster=Cluster(address))
        assert library_status(other).cluster is None
    assert seen == {"", address.text}
    assert made.same(wanted)


def rescan_changes(made: Family) -> int:
    result = made.rescanned()
    return result.added + result.changed + result.moved + result.removed


@pytest.fixture(scope="module")
def readers(cluster: Cluster) -> Iterator[Readers]:
    """Return readers that several tests share: to start some takes a second."""
    with cluster.readers({"mishap": Mishap(), "mean": Mean()}) as made:
        yield made


def test_a_file_that_ends_its_process_is_one_problem(tmp_path: Path, cluster: Cluster, readers: Readers) -> None:
    given = tasks(tmp_path, [1, 2, ABORT, 3, 4], ("mishap",))
    before = set(on_each(cluster, os.getpid).values())
    outcomes = list(readers.run(given, nothing))
    assert [isinstance(one, ReadPhotograph) for one in outcomes] == [True, True, False, True, True]
    assert "SIGABRT" in str(getattr(outcomes[2], "reason", ""))
    assert set(on_each(cluster, os.getpid).values()) == before


def test_results_are_in_the_order_of_the_tasks_and_as_without_a_cluster(tmp_path: Path, readers: Readers) -> None:
    given = tasks(tmp_path, [*range(1, 100), 7, 7], ("mean",))
    assert list(readers.run(given, nothing)) == [extract(one, {"mean": Mean()}, Limits()) for one in given]
    assert list(readers.run([], nothing)) == []


def test_not_to_ask_is_to_pause(tmp_path: Path, readers: Readers) -> None:
    taken: list[FileReadingTask] = []

    def remembered() -> Iterator[FileReadingTask]:
        for one in tasks(tmp_path, [5] * 300, ()):
            taken.append(one)
            yield one

    outcomes = readers.run(remembered(), nothing)
    next(outcomes)
    before = len(taken)
    time.sleep(0.5)
    assert len(taken) == before < 300
    assert len(list(outcomes)) == 299


def test_a_file_that_no_machine_reaches_is_read_here(tmp_path: Path, readers: Readers) -> None:
    given = tasks(tmp_path, [1, 2, 3], ("mean",))
    given[1] = replace(given[1], volume=Volume("a disk of this machine", "", b"/nowhere"), relative=b"0002.pgm")
    gone = replace(given[2], photograph_id=4, path=given[2].path + b".gone")
    outcomes = list(readers.run([*given, gone], nothing))
    assert outcomes[:3] == [extract(one, {"mean": Mean()}, Limits()) for one in given]
    assert isinstance(outcomes[3], UnreadableFile)
    assert outcomes[3].lost


def test_a_machine_that_has_forgotten_what_it_reads_for_is_prepared_again(
    tmp_path: Path, cluster: Cluster, readers: Readers
) -> None:
    given = tasks(tmp_path, list(range(1, 100)), ("mean",))
    outcomes = readers.run(given, nothing)
    first = next(outcomes)
    on_each(cluster, machine.stop_all)
    assert [first, *outcomes] == [extract(one, {"mean": Mean()}, Limits()) for one in given]


def test_to_stop_leaves_no_task_and_no_process(tmp_path: Path, cluster: Cluster) -> None:
    def stop() -> None:
        if cluster.told() and any(on_each(cluster, is_reading).values()):
            raise Cancelled

    before = set(children_of_workers(cluster))
    given = tasks(tmp_path, [HANG, *range(1, 50)], ("mishap",))
    with pytest.raises(Cancelled), cluster.readers({"mishap": Mishap()}) as readers:
        list(readers.run(given, stop))
    assert not any(on_each(cluster, is_reading).values())
    assert not any(cluster.client.processing().values())
    assert set(children_of_workers(cluster)) == before


def is_reading() -> bool:
    """Return whether a Dask worker reads a page."""
    return machine._one_page.locked()


def children_of_workers(cluster: Cluster) -> list[int]:
    parents = set(on_each(cluster, os.getpid).values())
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal():
            try:
                fields = (entry / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            command = (entry / "cmdline").read_bytes() if (entry / "cmdline").exists() else b""
            if int(fields[1]) in parents and fields[0] not in "ZX" and b"resource_tracker" not in command:
                found.append(int(entry.name))
    return found


def test_a_machine_with_another_version_is_named_and_not_used(
    family: Callable[[int], Family], cluster: Cluster, address: ClusterAddress
) -> None:
    made = family(8)
    (other, *_) = on_each(cluster, os.getpid)
    cluster.client.run(pretend_another_numpy, workers=[other])
    try:
        result = made.added(address)
    finally:
        cluster.client.run(pretend_no_more, workers=[other])
    (told,) = result.not_used
    assert other in str(told)
    assert "numpy 1.0" in str(told)
    assert made.same()


def pretend_another_numpy() -> None:
    from app.library.cluster import machine

    machine._true = machine.package_versions  # type: ignore[attr-defined]
    machine.package_versions = lambda: machine._true() | {"numpy": "1.0"}  # type: ignore[attr-defined]


def pretend_no_more() -> None:
    from app.library.cluster import machine

    machine.package_versions = machine._true  # type: ignore[attr-defined]


def test_where_every_machine_reads_differently_none_is_used(
    family: Callable[[int], Family], address: ClusterAddress, monkeypatch: pytest.MonkeyPatch
) -> None:
    ours = machine.read_trial
    monkeypatch.setattr(machine, "read_trial", lambda *given: ours(*given) | {"keypoints": "others"})
    with pytest.raises(TwinlensError, match=r"No machine .* reads photos.*differently \(keypoints\).*twinlens worker"):
        family(3).added(address)


@contextmanager
def killing(of: Callable[[], int], at: int) -> Iterator[Progress]:
    """Kill a process when so many photographs are read."""
    killed: list[int] = []

    def progress(_done: float, _total: float, text: Message) -> None:
        if not killed and str(text).startswith(f"{at} of "):
            killed.append(of())
            os.kill(killed[0], signal.SIGKILL)

    yield progress
    assert killed


def test_a_killed_dask_worker_costs_nothing(
    family: Callable[[int], Family], cluster: Cluster, address: ClusterAddress
) -> None:
    made = family(70)
    with killing(lambda: next(iter(on_each(cluster, os.getpid).values())), 3) as progress:
        result = made.added(address, progress)
    assert (result.added, result.problems) == (70, 0)
    assert made.same()
    assert not rescan_changes(made)
    for _ in range(300):  # it comes back
        if len(cluster.client.nthreads()) == 2:
            break
        time.sleep(0.1)


def test_a_killed_process_of_a_pool_costs_nothing(
    family: Callable[[int], Family], cluster: Cluster, address: ClusterAddress
) -> None:
    made = family(70)
    with killing(lambda: children_of_workers(cluster)[0], 3) as progress:
        result = made.added(address, progress)
    assert (result.added, result.problems) == (70, 0)
    assert made.same()
