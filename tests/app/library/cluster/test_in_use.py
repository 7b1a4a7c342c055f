"""The cluster that reads for a library, as other programs are told."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from app.cli.main import main
from app.library.library import Library, announced_cluster
from app.library.library_results import ClusterStatus
from app.library.maintenance import library_status
from core.errors import TwinlensError
from storage.database.address import Address
from tests.app.server_fixture import SECRET, postgres, server_address

__all__ = ["postgres", "server_address"]

SCHEDULER = "tcp://a-machine-with-a-long-name.photographs.example.org:8786"


@pytest.fixture(params=["file", "server"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Address:
    if request.param == "file":
        return Address.of(tmp_path / "family.twinlens")
    address: Address = request.getfixturevalue("server_address")
    return address


def told_by(library: Library) -> ClusterStatus | None:
    return library_status(library).cluster


def test_it_is_told_while_it_is_in_use(place: Address) -> None:
    with Library.open(place, create=True) as one, Library.open(place) as other:
        with one.store.adding("reading photos by a cluster"), announced_cluster(one, SCHEDULER):
            found = told_by(other)
            assert found is not None
            assert found.address == SCHEDULER
            assert found.by.startswith(f"process {os.getpid()} on ")
            assert told_by(one) == found
        assert told_by(other) is None
        assert told_by(one) is None


def test_what_a_kill_leaves_tells_nothing(place: Address) -> None:
    with Library.open(place, create=True) as library:
        with library.store.writing() as w:
            w.settings.put("cluster", {"address": SCHEDULER, "by": "process 4711 on archive (adding since 14:02:03)"})
        assert told_by(library) is None
        with library.store.adding():  # by this machine alone
            assert told_by(library) is None


def test_it_is_told_no_more_where_the_reading_fails(place: Address) -> None:
    with Library.open(place, create=True) as library:
        with pytest.raises(TwinlensError), library.store.adding(), announced_cluster(library, SCHEDULER):
            raise TwinlensError("The scheduler is gone.")
        with library.store.reading() as r:
            assert "cluster" not in r.settings.all()


def test_status_says_it(place: Address, capfd: pytest.CaptureFixture[str]) -> None:
    def status(*more: str) -> str:
        with pytest.raises(SystemExit):
            main(["--library", place.text, "status", *more])
        out, err = capfd.readouterr()
        assert SECRET not in out + err
        return out

    with Library.open(place, create=True) as library:
        with library.store.adding(), announced_cluster(library, SCHEDULER):
            assert f"Cluster: {SCHEDULER} reads photos for process {os.getpid()} on " in status()
            assert json.loads(status("--json"))["cluster"]["address"] == SCHEDULER
        assert "Cluster" not in status()
        assert json.loads(status("--json"))["cluster"] is None


@pytest.mark.parametrize(
    "command",
    [
        ["add", "."],
        ["rescan"],
        ["problems", "--retry"],
        ["check", "--repair"],
        ["index", "create", "--descriptor", "colour"],
        ["index", "improve"],
        ["vocabulary", "keep"],
    ],
)
def test_every_command_that_reads_photographs_can_name_one(
    command: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for more, said in (
        (["--cluster", "archive:8786"], "archive:8786 is no address of a cluster."),
        (["--tls-ca", "ca.pem"], "Certificates are given, but no cluster."),
    ):
        with pytest.raises(SystemExit) as ended:
            main(["--library", str(tmp_path / "family.twinlens"), *command, *more])
        assert ended.value.code == 2
        assert said in capsys.readouterr().err
    assert not list(tmp_path.iterdir())
