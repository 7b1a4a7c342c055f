"""Machines that join a cluster agree on what they read, under an address that other programs are told."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from types import SimpleNamespace

import pytest

from tests.app.extractors import Mean, NotFinite
from tests.app.folders import write_scenes
from tests.app.in_this_process import Here
from tests.app.pictures import pgm, task
from tests.app.server_fixture import SECRET
from twinlens.app.cli.main import main
from twinlens.app.library.cluster import machine, newcomers
from twinlens.app.library.cluster.address import ClusterAddress, how_to_install, imported
from twinlens.app.library.cluster.machine import Introduction, located_here
from twinlens.app.library.cluster.newcomers import Newcomers
from twinlens.app.library.library import Library, announced_cluster
from twinlens.app.library.library_results import ClusterStatus
from twinlens.app.library.library_status import library_status
from twinlens.app.library.reading_options import ReadingOptions
from twinlens.app.library.volumes import split
from twinlens.app.library.workers.decoding_tasks import WorkerLimits
from twinlens.app.library.workers.extraction import Outcome, extract
from twinlens.app.library.workers.file_contents import FileReadingTask
from twinlens.core.errors import TwinlensError
from twinlens.core.systems.volume import Volume
from twinlens.features.reading.reading_limits import Limits
from twinlens.storage.database.address import Address

_CHOSEN = {"mean": Mean()}


def digests(picture: bytes, chosen: dict[str, Mean] = _CHOSEN) -> dict[str, str]:
    return machine.read_trial(Here(1, chosen, None), picture, tuple(chosen), lambda: None)


def test_the_trial_picture_is_the_same_each_time_and_has_keypoints() -> None:
    picture = machine.trial_picture()
    assert machine.trial_picture() == picture
    assert digests(picture) == digests(picture)
    flat = digests(pgm(384, 384))
    assert digests(picture)["keypoints"] != flat["keypoints"]


def test_equal_machines_agree() -> None:
    ours = machine.package_versions()
    assert ours["Python"].startswith("3.")
    assert machine.other_version("archive", ours, dict(ours)) is None
    assert machine.other_reading("archive", {"facts": "1"}, {"facts": "1"}) is None


def test_another_version_is_named_with_the_machine() -> None:
    ours = machine.package_versions()
    told = machine.other_version("archive", ours, ours | {"numpy": "1.0"})
    assert str(told) == f"archive is not used: it has numpy 1.0, this machine {ours['numpy']}."
    assert machine.other_version("archive", ours, {}) is not None


def test_checkouts_of_one_version_differ_by_their_code(tmp_path: Path) -> None:
    def checkout(name: str, **files: str) -> str:
        (tmp_path / name / "deeper").mkdir(parents=True)
        for file, content in files.items():
            (tmp_path / name / "deeper" / f"{file}.py").write_text(content)
        return machine.digest_of_code([tmp_path / name])

    one = checkout("one", first="x = 1", second="y = 2")
    assert checkout("same", second="y = 2", first="x = 1") == one
    others = [checkout("changed", first="x = 1", second="y = 3"), checkout("named", first="x = 1", third="y = 2")]
    assert len({one, *others, checkout("less", first="x = 1")}) == 4
    assert machine.package_versions()["twinlens"].startswith(f"{version('twinlens')} (")


def test_another_reading_is_named_with_the_machine() -> None:
    told = machine.other_reading("archive", {"vector 1": "a", "facts": "b"}, {"vector 1": "c", "facts": "b"})
    assert str(told) == "archive is not used: it reads a trial picture differently (vector 1)."


def test_a_machine_that_cannot_describe_the_picture_differs() -> None:
    picture = machine.trial_picture()
    failed = machine.read_trial(Here(1, {"mean": NotFinite()}, None), picture, ("mean",), lambda: None)
    assert machine.other_reading("archive", digests(picture), failed) is not None


@pytest.fixture
def photograph(tmp_path: Path) -> FileReadingTask:
    path = tmp_path / "one.pgm"
    path.write_bytes(pgm(3))
    return task(path)


def read(found: FileReadingTask | None) -> Outcome | None:
    return None if found is None else extract(found, {}, Limits())


def test_a_file_is_located_by_its_volume_not_by_the_path_elsewhere(photograph: FileReadingTask) -> None:
    volume, relative = split(photograph.path)
    there = FileReadingTask(
        1, b"/elsewhere/one.pgm", photograph.size, photograph.mtime_ns, volume=volume, relative=relative
    )
    found = located_here(there)
    assert found is not None
    assert found.path == photograph.path
    nowhere = Volume("another disk", "", b"/elsewhere")
    assert (
        located_here(FileReadingTask(1, there.path, there.size, there.mtime_ns, volume=nowhere, relative=b"one.pgm"))
        is None
    )


def test_another_file_at_the_same_path_is_not_taken_for_it(photograph: FileReadingTask) -> None:
    assert located_here(photograph) == photograph
    for other in (
        FileReadingTask(1, photograph.path, 99, photograph.mtime_ns),
        FileReadingTask(1, photograph.path, photograph.size, 1),
    ):
        assert located_here(other) is None


@dataclass
class Answer:
    """A future that is done."""

    answer: object
    status = "finished"

    def done(self) -> bool:
        return True

    def result(self, timeout: float) -> object:
        if self.answer is None:
            raise TimeoutError
        return self.answer


def test_a_machine_that_goes_right_after_its_reply_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    replies = [None, Introduction("archive", 2, machine.package_versions()), {"facts": "1"}]
    monkeypatch.setattr(newcomers, "submit", lambda *_, **__: Answer(replies.pop(0)))
    monkeypatch.setattr(Newcomers, "_ours", lambda *_: {"facts": "1"})
    asked = Newcomers(SimpleNamespace(nthreads=lambda: {"tcp://archive:1": 1}), "key", {}, WorkerLimits())
    asked.look(lambda: None)
    assert not asked.ready
    for _ in range(3):  # it is back
        asked.look(lambda: None)
    assert list(asked.ready) == ["tcp://archive:1"]


def test_a_machine_is_there_however_long_this_one_takes_for_the_trial_picture(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [0.0]
    answers = {"introduce": Introduction("archive", 2, machine.package_versions()), "prepare": {"facts": "1"}}

    def ours(*_: object) -> dict[str, str]:
        now[0] += 1000
        return {"facts": "1"}

    monkeypatch.setattr(newcomers, "time", SimpleNamespace(monotonic=lambda: now[0]))
    monkeypatch.setattr(newcomers, "submit", lambda client, machines, name, *_, **__: Answer(answers[name]))
    monkeypatch.setattr(Newcomers, "_ours", ours)
    asked = Newcomers(SimpleNamespace(nthreads=lambda: {"tcp://archive:1": 1}), "key", {}, WorkerLimits())
    for _ in range(3):
        asked.look(lambda: None)
    assert list(asked.ready) == ["tcp://archive:1"]
    assert now[0] == 1000
    assert asked.alone_s() == 0


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


ROOT = Path(__file__).parents[4]


@pytest.mark.parametrize("text", ["tcp://archive:8786", "tls://10.0.0.7:8786", "tcp://[::1]:8786"])
def test_the_address_of_a_scheduler(text: str) -> None:
    assert ClusterAddress(text).local == 0


def test_processes_of_this_machine() -> None:
    assert ClusterAddress("local:4").local == 4


@pytest.mark.parametrize(
    "text", ["", "archive", "archive:8786", "http://archive:80", "tcp://archive", "local", "local:0", "tcp://a b:1"]
)
def test_what_is_no_address_is_refused_with_an_example(text: str) -> None:
    with pytest.raises(TwinlensError, match=r"no address of a cluster.*tcp://HOST:8786"):
        ClusterAddress(text)


@pytest.mark.parametrize("text", ["tcp://0.0.0.0:8786", "tcp://archive:8786", "tcp://10.0.0.7:8786", "tcp://[::]:8786"])
def test_other_machines_are_reached_with_certificates_or_by_insisting(text: str) -> None:
    with pytest.raises(TwinlensError, match=r"no certificates.*tls://.*--without-tls"):
        ReadingOptions().address_of(text)
    assert ReadingOptions(without_tls=True).address_of(text).text == text


@pytest.mark.parametrize(
    "text", ["tcp://127.0.0.1:8786", "tcp://localhost:8786", "tcp://[::1]:8786", "tls://archive:8786", "local:2"]
)
def test_this_machine_and_certificates_need_no_insisting(text: str) -> None:
    assert ReadingOptions().address_of(text).text == text


def test_a_missing_package_is_told_with_what_installs_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(TwinlensError, match=r"needs the package distributed.*-m pip install distributed"):
        imported()


@pytest.mark.parametrize(
    ("prefix", "said"),
    [
        ("/home/anna/.local/share/pipx/venvs/twinlens", "pipx inject twinlens distributed"),
        ("/home/anna/.local/share/uv/tools/twinlens", "uv tool install --with distributed"),
        ("/home/anna/venv", "pip install distributed"),
    ],
)
def test_each_installation_has_a_way_of_its_own(prefix: str, said: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "prefix", prefix)
    assert said in str(how_to_install())
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    assert "cannot take it" in str(how_to_install())


def test_an_encrypted_address_needs_certificates(tmp_path: Path) -> None:
    with pytest.raises(TwinlensError, match=r"needs certificates.*--tls-ca"):
        ClusterAddress("tls://archive:8786").security()
    with pytest.raises(TwinlensError, match="certificates cannot be read"):
        ClusterAddress("tls://archive:8786", *(tmp_path / name for name in ("ca", "cert", "key"))).security()


def test_without_a_cluster_nothing_of_it_is_imported(tmp_path: Path) -> None:
    write_scenes(tmp_path / "photographs", 1)
    arguments = ["--library", str(tmp_path / "family.twinlens"), "--quiet", "add", str(tmp_path / "photographs")]
    program = (
        f"import sys; sys.path.insert(0, {str(ROOT)!r})\n"
        "from twinlens.app.cli.main import main\n"
        "try:\n"
        f"    main([*{arguments!r}, '--workers', '1'])\n"
        "finally:\n"
        "    print(sorted({'distributed', 'dask', 'tornado'} & {*sys.modules}))\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1] == "[]"
