"""A scheduler behind certificates, which are made here: who has one of the same authority gets in, nobody else."""

from __future__ import annotations

import asyncio
import os
import shutil
import subprocess
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from app.library.cluster import machine
from app.library.cluster.address import ClusterAddress, imported
from app.library.cluster.cluster import Cluster
from app.library.cluster.machine import offer_machine
from app.library.library_results import WorkerResult
from app.library.workers.extraction import extract
from core.errors import Cancelled, TwinlensError
from features.reading.reading_limits import Limits
from tests.app.extractors import Mean
from tests.app.in_this_process import Here
from tests.app.library.cluster.listening import listening
from tests.app.pictures import tasks

OPENSSL = shutil.which("openssl")

pytestmark = [
    pytest.mark.skipif(OPENSSL is None, reason="certificates are made by openssl, which is not installed"),
    pytest.mark.filterwarnings("ignore:unclosed:ResourceWarning"),  # Dask leaves sockets to the garbage collector
]


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


def test_who_has_a_certificate_reads_and_is_read_for(
    tmp_path: Path, authority: Authority, scheduler: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in ("machine", "cluster"):
        monkeypatch.setattr(f"app.library.cluster.{module}.Workers", HereUntilStopped)
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


@pytest.mark.parametrize("who", ["without a certificate", "with one of another authority"])
def test_nobody_else_gets_in(tmp_path: Path, scheduler: str, who: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.library.cluster.cluster._CONNECT_S", "0.5s")
    if who == "without a certificate":
        address = ClusterAddress(scheduler.replace("tls:", "tcp:"))
    else:
        address = Authority(tmp_path / "others").address(scheduler)
    with pytest.raises(TwinlensError, match="No scheduler answers"), Cluster(address):
        pass
