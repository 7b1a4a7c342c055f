"""A real cluster of this machine: reading, certificates, and schedulers, machines and programs that are killed."""

from __future__ import annotations

import asyncio
import json
import logging
import multiprocessing
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import dask
import pytest

from tests.app.extractors import ABORT, HANG, Mean, Mishap
from tests.app.in_this_process import Here
from tests.app.library.cluster.family import Family, everything
from tests.app.library.workers.test_worker_pool import members
from tests.app.pictures import tasks
from twinlens.app.cli.main import main
from twinlens.app.indexes.indexes import create_index
from twinlens.app.indexes.new_index import NewIndex
from twinlens.app.library.cluster import machine
from twinlens.app.library.cluster.address import ClusterAddress, imported
from twinlens.app.library.cluster.cluster import Cluster
from twinlens.app.library.cluster.machine import offer_machine
from twinlens.app.library.ingest.adding import Adding, add
from twinlens.app.library.library import Library
from twinlens.app.library.library_results import WorkerResult
from twinlens.app.library.library_status import library_status
from twinlens.app.library.workers.extraction import ReadPhotograph, UnreadableFile, extract
from twinlens.app.library.workers.file_contents import FileReadingTask
from twinlens.app.library.workers.readers import Readers
from twinlens.core.errors import Cancelled, TwinlensError
from twinlens.core.message import Message
from twinlens.core.progress import Progress
from twinlens.core.systems.volume import Volume
from twinlens.features.reading.reading_limits import Limits
from twinlens.storage.database.values import PhotographState

pytestmark = [
    pytest.mark.skipif(not sys.platform.startswith("linux"), reason="needs /proc and SIGKILL"),
    pytest.mark.filterwarnings("ignore:unclosed:ResourceWarning"),  # Dask leaves sockets to the garbage collector
]


def nothing() -> None:
    return


CALM = {
    "distributed.worker.profile.enabled": False,
    "distributed.admin.tick.interval": "1s",
    "distributed.admin.system-monitor.interval": "1s",
}
"""Settings of Dask's watches over itself, which otherwise look a hundred times a second, in each process."""


@pytest.fixture(scope="module", autouse=True)
def _calm() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch, dask.config.set(CALM):
        for name, value in CALM.items():
            patch.setenv("DASK_" + name.replace(".", "__").replace("-", "_").upper(), str(value))
        yield


@pytest.fixture(scope="module")
def cluster(_calm: None) -> Iterator[Cluster]:
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
    wanted = NewIndex(descriptor="edges", method="lsh:bits=64", name="Edges")
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
        if cluster.machines_in_words() and any(on_each(cluster, is_reading).values()):
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
    from twinlens.app.library.cluster import machine

    machine._true = machine.package_versions  # type: ignore[attr-defined]
    machine.package_versions = lambda: machine._true() | {"numpy": "1.0"}  # type: ignore[attr-defined]


def pretend_no_more() -> None:
    from twinlens.app.library.cluster import machine

    machine.package_versions = machine._true  # type: ignore[attr-defined]


def test_where_every_machine_reads_differently_none_is_used(
    family: Callable[[int], Family], address: ClusterAddress, monkeypatch: pytest.MonkeyPatch
) -> None:
    ours = machine.read_trial
    monkeypatch.setattr(machine, "read_trial", lambda *given: ours(*given) | {"keypoints": "others"})
    with pytest.raises(TwinlensError, match=r"No machine .* reads photos.*differently \(keypoints\).*twinlens worker"):
        family(3).added(address)


@pytest.fixture
def small_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have few photographs on a page, so that a few fill as many pages as the machines are given at once."""
    monkeypatch.setattr("twinlens.app.library.cluster.cluster.PAGE", 4)
    monkeypatch.setattr("twinlens.app.library.cluster.cluster._FOR_EACH_CORE", 4)


FEW = 18
"""Photographs on more small pages than two machines are given at once."""


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


@pytest.mark.usefixtures("small_pages")
def test_a_killed_dask_worker_costs_nothing(
    family: Callable[[int], Family], cluster: Cluster, address: ClusterAddress
) -> None:
    made = family(FEW)
    with killing(lambda: next(iter(on_each(cluster, os.getpid).values())), 3) as progress:
        result = made.added(address, progress)
    assert (result.added, result.problems) == (FEW, 0)
    assert made.same()
    assert not rescan_changes(made)
    for _ in range(300):  # it comes back
        if len(cluster.client.nthreads()) == 2:
            break
        time.sleep(0.1)


@pytest.mark.usefixtures("small_pages")
def test_a_killed_process_of_a_pool_costs_nothing(
    family: Callable[[int], Family], cluster: Cluster, address: ClusterAddress
) -> None:
    made = family(FEW)
    with killing(lambda: children_of_workers(cluster)[0], 3) as progress:
        result = made.added(address, progress)
    assert (result.added, result.problems) == (FEW, 0)
    assert made.same()


ROOT = Path(__file__).parents[4]
TWINLENS = [sys.executable, "-c", "from twinlens.app.cli.main import main; main()"]
SCHEDULER = [sys.executable, "-c", "from distributed.cli.dask_scheduler import main; main()", "--no-dashboard"]


def until(what: Callable[[], object]) -> None:
    for _ in range(1800):
        if what():
            return
        time.sleep(0.1)
    raise AssertionError(what)


@contextmanager
def started(command: list[str], path: Path, place: Path) -> Iterator[subprocess.Popen[str]]:
    """Start a program in a session of its own, and leave nothing of it."""
    environment = os.environ | {"PYTHONPATH": str(path)}
    with subprocess.Popen(
        command, cwd=place, env=environment, text=True, start_new_session=True,
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
    ) as process:  # fmt: skip
        try:
            yield process
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)


@pytest.fixture
def without_twinlens(tmp_path: Path) -> Path:
    """Return where a Python looks first that has no Twinlens."""
    (tmp_path / "bare" / "twinlens").mkdir(parents=True)
    (tmp_path / "bare" / "twinlens" / "__init__.py").write_text("raise ImportError('there is no Twinlens here')")
    return tmp_path / "bare"


@pytest.mark.usefixtures("small_pages")
def test_a_lost_scheduler_is_told_and_rescan_goes_on(
    family: Callable[[int], Family], tmp_path: Path, without_twinlens: Path
) -> None:
    made, file = family(FEW), tmp_path / "scheduler.json"
    command = [*SCHEDULER, "--host", "127.0.0.1", "--port", "0", "--scheduler-file", str(file)]
    with started(command, without_twinlens, tmp_path) as scheduler:
        until(file.exists)
        until(lambda: file.read_text().endswith("}"))
        address = json.loads(file.read_text())["address"]
        with started([*TWINLENS, "worker", address, "--workers", "1", "--json"], ROOT, tmp_path) as worker:

            def progress(_done: float, _total: float, text: Message) -> None:
                if str(text).startswith("3 of "):
                    scheduler.kill()
                    scheduler.wait()

            with pytest.raises(TwinlensError, match=r"scheduler at tcp://127.* is gone.*rescan"):
                made.added(ClusterAddress(address), progress)
            document = json.loads(worker.communicate(timeout=60)[0])
        assert (worker.returncode, document["scheduler_gone"]) == (0, True)
        assert document["photographs"] > 0
        until(lambda: not members(worker.pid))  # multiprocessing has a process that ends after its parent
    with Library.open(made.path) as library, library.store.reading() as r:
        assert r.photographs.counts()[PhotographState.PENDING] > 0
    made.rescanned()
    assert made.same()


def test_a_killed_program_leaves_no_process_and_rescan_goes_on(family: Callable[[int], Family], tmp_path: Path) -> None:
    made = family(70)
    command = [*TWINLENS, "--library", str(made.path), "add", str(made.folder), "--cluster", "local:2", "--quiet"]
    with started(command, ROOT, tmp_path) as program:
        with Library.open(made.path) as library:

            def has_read() -> bool:
                with library.store.reading() as r:
                    return r.photographs.counts()[PhotographState.READY] > 0 or program.poll() is not None

            until(has_read)
        program.kill()
        program.wait()
        until(lambda: not members(program.pid))
    made.rescanned()
    assert made.same()


def test_a_scheduler_that_does_not_answer_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("twinlens.app.library.cluster.cluster._CONNECT_S", "1s")
    (tmp_path / "photographs").mkdir()
    with pytest.raises(SystemExit) as ended:
        main(["--library", str(tmp_path / "l"), "add", str(tmp_path / "photographs"), "--cluster", "tcp://127.0.0.1:9"])
    assert ended.value.code == 2
    assert "No scheduler answers at tcp://127.0.0.1:9." in capsys.readouterr().err


LOCAL = ClusterAddress("local:2")


def test_it_makes_the_same_library_to_the_byte(family: Callable[[int], Family]) -> None:
    made = family(20)
    told: list[str] = []
    result = made.added(LOCAL, lambda *now: told.append(str(now[2])))
    assert (result.added, result.problems, result.not_used, result.read_here) == (20, 0, [], 0)
    assert any(text.endswith("· 1 machine") for text in told)
    assert made.same()


def test_no_process_of_it_listens_while_it_reads_and_it_can_be_used_again(tmp_path: Path) -> None:
    before = listening(descendants(os.getpid()))  # a cluster of another test may still be there
    heard: set[str] = set()
    given = tasks(tmp_path, [1, 2, ABORT, *range(3, 100)], ("mishap",))
    cluster = Cluster(LOCAL)
    with cluster, cluster.readers({"mishap": Mishap()}) as readers:
        outcomes = readers.run(given, lambda: heard.update(listening(descendants(os.getpid()))))
        assert [isinstance(one, ReadPhotograph) for one in outcomes].count(False) == 1
        assert len(descendants(os.getpid())) > 2
        assert (cluster.count, cluster.scheduler.partition("://")[0]) == (2, "inproc")
    assert heard <= before
    again = tasks(tmp_path, [1, 2, 3], ("mean",))
    with cluster, cluster.readers({"mean": Mean()}) as readers:
        assert list(readers.run(again, nothing)) == [extract(one, {"mean": Mean()}, Limits()) for one in again]


def test_to_stop_leaves_no_process_and_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "temporary").mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "temporary"))
    before = descendants(os.getpid())

    def stop() -> None:
        if local.machines_in_words():
            raise Cancelled

    with pytest.raises(Cancelled), Cluster(LOCAL) as local, local.readers({"mishap": Mishap()}) as readers:
        list(readers.run(tasks(tmp_path, [HANG, *range(1, 50)], ("mishap",)), stop))
    assert descendants(os.getpid()) <= before
    assert not list((tmp_path / "temporary").iterdir())


def test_where_it_cannot_start_a_sentence_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", "/proc/nowhere")
    with pytest.raises(TwinlensError, match=r"processes of local:2 could not be started: .*nowhere"), Cluster(LOCAL):
        pass


OPENSSL = shutil.which("openssl")
CERTIFICATES = pytest.mark.skipif(OPENSSL is None, reason="certificates are made by openssl, which is not installed")


class Authority:
    """Signs certificates, in a folder of its own."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir()
        self._folder = folder
        self._openssl("req", "-x509", "-subj", "/CN=authority", *self._new("ca"), "-out", "ca.pem")
        self._openssl("req", "-subj", "/CN=machine", *self._new("machine"), "-out", "machine.csr")
        signed_by = ("-CA", "ca.pem", "-CAkey", "ca-key.pem", "-CAcreateserial")
        self._openssl("x509", "-req", "-in", "machine.csr", *signed_by, "-out", "machine.pem")
        self.ca, self.certificate, self.key = (folder / name for name in ("ca.pem", "machine.pem", "machine-key.pem"))

    @staticmethod
    def _new(name: str) -> tuple[str, ...]:
        return ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-keyout", f"{name}-key.pem")

    def _openssl(self, *arguments: str) -> None:
        assert OPENSSL is not None
        subprocess.run([OPENSSL, *arguments], cwd=self._folder, check=True, capture_output=True)

    def address(self, text: str) -> ClusterAddress:
        """Return an address with certificates of this authority."""
        return ClusterAddress(text, self.ca, self.certificate, self.key)


@pytest.fixture(scope="module")
def authority(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    return Authority(tmp_path_factory.mktemp("certificates") / "ours")


@pytest.fixture(scope="module")
def scheduler(authority: Authority) -> Iterator[str]:
    """Run a scheduler in a thread, and give its address."""
    started, ended, found = threading.Event(), threading.Event(), []

    security = imported().Security(
        tls_ca_file=str(authority.ca),
        tls_scheduler_cert=str(authority.certificate),
        tls_scheduler_key=str(authority.key),
        require_encryption=True,
    )
    free_ports = {"port": 0, "dashboard_address": "127.0.0.1:0"}

    async def run() -> None:
        async with imported().Scheduler(protocol="tls", host="127.0.0.1", security=security, **free_ports) as made:
            found.append(made.address)
            started.set()
            await asyncio.to_thread(ended.wait)

    with in_a_thread(lambda: asyncio.run(run())):
        try:
            assert started.wait(30)
            yield found[0]
        finally:
            ended.set()


@contextmanager
def in_a_thread(work: Callable[[], Any]) -> Iterator[list[Any]]:
    """Do some work beside the block, which gets its result in the end."""
    results: list[Any] = []
    thread = threading.Thread(target=lambda: results.append(work()))
    thread.start()
    try:
        yield results
    finally:
        thread.join()


@CERTIFICATES
def test_who_has_a_certificate_reads_and_is_read_for(
    tmp_path: Path, authority: Authority, scheduler: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in ("machine", "cluster"):
        monkeypatch.setattr(f"twinlens.app.library.cluster.{module}.Workers", HereUntilStopped)
    monkeypatch.setattr(machine, "machine_tally", machine.MachineTally())
    before = listening([os.getpid()])
    address = authority.address(scheduler)
    assert scheduler.startswith("tls://")
    ended = threading.Event()

    def until_ended(*_: object) -> None:
        if ended.is_set():
            raise Cancelled

    given = tasks(tmp_path, [1, 2, 3], ("mean",))
    with in_a_thread(lambda: offer_machine(address, 1, until_ended)) as results:
        try:
            with Cluster(address) as cluster, cluster.readers({"mean": Mean()}) as readers:
                assert list(readers.run(given, lambda: None)) == [
                    extract(one, {"mean": Mean()}, Limits()) for one in given
                ]
                (port,) = listening([os.getpid()]) - before  # the worker's, and no page beside it without a key
                assert port == cluster.client.nthreads().popitem()[0].rpartition(":")[2]
                assert_only_with_a_certificate(f"127.0.0.1:{port}")
        finally:
            ended.set()
    assert results == [WorkerResult(scheduler=scheduler, photographs=3, scheduler_gone=False)]


def assert_only_with_a_certificate(place: str) -> None:
    """Ask a Dask node for its identity as anybody could."""
    from distributed import core

    reach: Any = core.rpc

    async def ask() -> None:
        async with reach(f"tcp://{place}", timeout=1) as node:
            await node.identity()

    with pytest.raises((OSError, TimeoutError)):
        asyncio.run(ask())


class HereUntilStopped(Here):
    def stop(self) -> None:
        return


@CERTIFICATES
@pytest.mark.parametrize("who", ["without a certificate", "with one of another authority"])
def test_nobody_else_gets_in(tmp_path: Path, scheduler: str, who: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("twinlens.app.library.cluster.cluster._CONNECT_S", "0.5s")
    if who == "without a certificate":
        address = ClusterAddress(scheduler.replace("tls:", "tcp:"))
    else:
        address = Authority(tmp_path / "others").address(scheduler)
    with pytest.raises(TwinlensError, match="No scheduler answers"), Cluster(address):
        pass


_LISTENS = "0A"  # state of a TCP socket
_ACCEPTS = 0x10000  # flag of a Unix socket


def listening(processes: Iterable[int]) -> set[str]:
    """Return what some processes listen on: ports as decimal numbers, and names of Unix sockets."""
    held = {link for process in processes for link in _sockets(process)}
    found = set()
    for name in ("tcp", "tcp6"):
        for fields in _table(name):
            if fields[3] == _LISTENS and fields[9] in held:
                found.add(str(int(fields[1].rpartition(":")[2], 16)))
    for fields in _table("unix"):
        if int(fields[3], 16) & _ACCEPTS and fields[6] in held:
            found.add(fields[7] if len(fields) > 7 else "without a name")
    return found


def descendants(process: int) -> set[int]:
    """Return a process and all that it has started, and they."""
    children: dict[int, set[int]] = {}
    for status in Path("/proc").glob("[0-9]*/stat"):
        try:
            parent = int(status.read_text().rpartition(")")[2].split()[1])
        except OSError:  # it has ended
            continue
        children.setdefault(parent, set()).add(int(status.parent.name))
    found, new = {process}, {process}
    while new := {child for one in new for child in children.get(one, ())} - found:
        found |= new
    return found


def _table(name: str) -> list[list[str]]:
    return [line.split() for line in Path(f"/proc/net/{name}").read_text().splitlines()[1:]]


def _sockets(process: int) -> Iterator[str]:
    """Return the inodes of a process's sockets."""
    try:
        links = list(Path(f"/proc/{process}/fd").iterdir())
    except OSError:
        return
    for link in links:
        try:
            target = str(link.readlink())
        except OSError:
            continue
        if target.startswith("socket:["):
            yield target[len("socket:[") : -1]
