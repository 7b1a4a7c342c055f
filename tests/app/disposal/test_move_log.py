"""Killed in the middle of moving, at whatever step: the log says what has happened, and nothing is lost.

A process of its own moves the photographs and is killed before the n-th change that it makes to the folders; the next
one a few changes later, until one comes through. The simulation kills at every single one.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from tests.app.disposal.disk_in_memory import LogInMemory
from tests.app.disposal.moved_world import World, contents
from tests.app.folders import added
from tests.app.private_trash import LINUX
from tests.storage.making import ROOT
from twinlens.app.cli.main import main
from twinlens.app.disposal import disposal
from twinlens.app.disposal.disposal import dispose, restore_photographs
from twinlens.app.disposal.disposal_plan import plan_disposal
from twinlens.app.disposal.disposal_results import disposal_log
from twinlens.app.disposal.move_log import MoveLog, settle_log, unfinished
from twinlens.app.disposal.safe_moves import FileMove
from twinlens.app.library.library import AUTOMATIC, Library
from twinlens.app.machine.disk import DISK, Disk
from twinlens.core.message import Message
from twinlens.storage.disposals import DisposalOutcome, DisposalRow
from twinlens.storage.integrity.integrity_check import check

_MOVER = """
import os, signal, sys
from pathlib import Path
from twinlens.app.disposal.disposal_plan import DisposalChoice, plan_disposal
from twinlens.app.disposal.disposal import dispose
from twinlens.app.disposal.disposal import restore_photographs
from twinlens.app.library.library import Library
from twinlens.app.machine.disk import Disk
from tests.app.in_this_process import Here
import twinlens.app.library.workers.readers
twinlens.app.library.workers.readers.Workers = Here

steps, die_at = 0, None

def step(event, values):
    global steps
    made = event == "open" and isinstance(values[2], int) and values[2] & (os.O_CREAT | os.O_WRONLY)
    if isinstance(values[0] if values else 0, int):
        return  # a file that is open already
    if die_at is not None and (made or event in ("os.rename", "os.remove", "os.link", "os.mkdir", "os.utime")):
        if any(word in os.fsencode(values[0]) for word in (b"photos", b"away", b"Trash")):
            steps += 1
            if steps == die_at:
                os.kill(os.getpid(), signal.SIGKILL)

def counted(name):  # Python does not know of such renames
    rename = getattr(Disk, name)
    def call(disk, source, target):
        step("os.rename", (source, target))
        rename(disk, source, target)
        step("os.rename", (target, source))
    setattr(Disk, name, call)

counted("hide")
counted("rename")

def move(what, path, destination, at, *ids):
    global die_at
    with Library.open(Path(path)) as library:
        if what == "dispose":
            folder = Path(destination) if destination else None
            planned = plan_disposal(library, [DisposalChoice(int(ids[0]), int(ids[1]), "identical")], folder)
            assert len(planned.files) == 1, planned
            die_at = int(at)
            assert dispose(library, planned).moved == 1
        else:
            die_at = int(at)
            assert restore_photographs(library, int(ids[0])).restored == 1

for line in sys.stdin:  # each in a process of its own, which need not import anything again
    child = os.fork()
    if child == 0:
        sys.addaudithook(step)
        move(*line.rstrip("\\n").split("\\t"))
        os._exit(0)
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
"""
_MOST = 120
_EVERY = 3  # changes from one kill to the next


class Mover:
    """A program that moves photographs, and may be killed; a context manager.

    Parameters
    ----------
    home : Path
        The home of its user.
    """

    def __init__(self, home: Path) -> None:
        environment = {**os.environ, "HOME": str(home), "XDG_DATA_HOME": str(home / "data")}
        self._process = subprocess.Popen(
            [sys.executable, "-c", _MOVER],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT, env=environment,
        )  # fmt: skip

    def __enter__(self) -> Mover:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.communicate(timeout=60)

    def killed(self, what: str, world: World, destination: Path | None, at: int, *ids: int) -> bool:
        """Have it do something until it dies at a step; return False if it came through."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        values = [what, str(world.path), "" if destination is None else str(destination), str(at), *map(str, ids)]
        self._process.stdin.write("\t".join(values) + "\n")
        self._process.stdin.flush()
        code = int(self._process.stdout.readline())
        assert code in (0, -9)
        return code == -9


class Place:
    """A world that can be put back to how it was made."""

    def __init__(self, world: World, home: Path, away: Path | None, first: int, companions: int = 2) -> None:
        self.world = world
        self.kills = range(first, _MOST, _EVERY)
        self.folder = world.path.parent
        self.home = home
        self.away = away
        shutil.rmtree(home / "data", ignore_errors=True)  # of the test before
        ids = self.world.ids()
        self.ids = ids["copy.jpg"], ids["kept.jpg"]
        for one in sorted((self.world.photos / "sub").glob("copy.*[!g]"))[companions:]:
            one.unlink()
        self.before = self.world.files()
        self._folders = [self.world.photos, self.home / "data", *([self.away] if self.away else [])]
        self.keep()

    def keep(self) -> None:
        """Keep how everything is now."""
        for number, folder in enumerate(self._folders):
            shutil.rmtree(self.folder / f"kept {number}", ignore_errors=True)
            if folder.exists():
                shutil.copytree(folder, self.folder / f"kept {number}")
        shutil.copy(self.world.path, self.folder / "kept library")

    def again(self) -> None:
        """Put everything back to how it was kept."""
        for number, folder in enumerate(self._folders):
            shutil.rmtree(folder, ignore_errors=True)
            if (self.folder / f"kept {number}").exists():
                shutil.copytree(self.folder / f"kept {number}", folder)
        for file in self.folder.glob("family.twinlens*"):
            file.unlink()
        shutil.copy(self.folder / "kept library", self.world.path)

    def hidden(self) -> list[str]:
        """Return the files that people do not see, and the notes in the trash of files that are not there."""
        hidden = [str(path) for folder in self._folders for path in folder.rglob(".*")]
        notes = [path for folder in self._folders for path in folder.rglob("*.trashinfo")]
        return hidden + [str(one) for one in notes if not (one.parent.parent / "files" / one.stem).exists()]

    def elsewhere(self) -> list[bytes]:
        """Return the contents of the files that were moved away."""
        folders = [self.home / "data" / "Trash" / "files", *([self.away] if self.away else [])]
        return [value for folder in folders for value in contents(folder).values()]


@pytest.fixture(scope="module")
def quick(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return where a library with one small index is, since each step loads it; the first test makes it."""
    return tmp_path_factory.mktemp("quick") / "family.twinlens"


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the home of the user who moves photographs."""
    return tmp_path_factory.mktemp("home")


@pytest.fixture(params=["trash", "folder", "disk"])
def place(request: pytest.FixtureRequest, world: World, quick: Path, home: Path, tmp_path: Path) -> Place:
    """Return a world whose photographs go to the trash, to a folder, or to a folder on another disk."""
    if not quick.exists():
        with Library.open(quick, create=True) as library, library.store.writing() as w:
            for index in w.indexes.all():
                w.indexes.delete(index.id)
            w.indexes.add(AUTOMATIC, "colour:levels=1", "lsh:bits=64", "scan", automatic=True)
        added(quick, world.photos)
    shutil.copy(quick, world.path)
    if request.param == "folder":
        return Place(world, home, tmp_path / "away", first=2)
    away = request.getfixturevalue("small_disk") / "away" if request.param == "disk" else None
    return Place(world, home, away, first=1 if away is None else 3, companions=1)  # many steps for each


@pytest.fixture(scope="module")
def started(home: Path) -> Iterator[Mover]:
    """Yield a program that moves photographs, which takes long to start."""
    with Mover(home) as made:
        yield made


@pytest.fixture
def mover(started: Mover, home: Path, monkeypatch: pytest.MonkeyPatch) -> Mover:
    """Return a program whose user has the same home as this one."""
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("XDG_DATA_HOME", str(home / "data"))
    return started


def _in_library(library: Library, number: int) -> bool:
    with library.store.reading() as r:
        return bool(r.photographs.by_id([number]))


def test_while_moving_away(place: Place, mover: Mover) -> None:
    outcomes = []
    for at in place.kills:
        place.again()
        if not mover.killed("dispose", place.world, place.away, at, *place.ids):
            break
        assert set(place.before.values()) <= {*place.world.files().values(), *place.elsewhere()}, at
        with place.world.open() as library:
            waiting = len(unfinished(library))
            result = settle_log(library)
            assert result.done + result.left == waiting
            assert settle_log(library).done + settle_log(library).left == 0
            entries = disposal_log(library)
            assert [entry.state for entry in entries] in ([], [DisposalOutcome.DONE], [DisposalOutcome.LEFT]), at
            done = bool(entries) and entries[0].state is DisposalOutcome.DONE
            assert _in_library(library, place.ids[0]) is not done
            assert check(library.store).findings == []
        outcomes.append(done)
        assert place.hidden() == [], at
        here, gone = place.world.files(), place.elsewhere()
        assert sorted([*here.values(), *gone]) == sorted(place.before.values()), at
        assert (here == place.before) is not done, at
        if done:  # and all of it comes back
            with place.world.open() as library:
                assert restore_photographs(library, [entries[0].id]).restored == 1
            assert place.world.files() == place.before
    else:
        pytest.fail("it never comes through")
    assert outcomes == sorted(outcomes)  # once it has moved, it has
    assert len(outcomes) > 2


def test_while_bringing_back(place: Place, mover: Mover) -> None:
    assert not mover.killed("dispose", place.world, place.away, 0, *place.ids)
    place.keep()
    for at in place.kills:
        place.again()
        if not mover.killed("restore", place.world, place.away, at, 1):
            break
        assert set(place.before.values()) <= {*place.world.files().values(), *place.elsewhere()}, at
        with place.world.open() as library:
            assert settle_log(library).waiting == 0
            assert place.hidden() == [], at
            assert restore_photographs(library, 1).left == []
            assert [entry.state for entry in disposal_log(library)] == [DisposalOutcome.UNDONE]
            assert check(library.store).findings == []
        assert place.world.files() == place.before
        assert set(place.world.ids()) == {"kept.jpg", "copy.jpg", "other.jpg", "live.jpg"}
    else:
        pytest.fail("it never comes through")


def told(rows: list[DisposalRow]) -> list[object]:
    """Return what counts of rows."""
    return [(row.state, row.lies_at, row.beside, str(row.reason), row.is_returning, row.mark) for row in rows]


def test_both_logs_say_the_same(world: World, private_trash: object) -> None:
    with world.open() as library:
        planned = plan_disposal(library, [world.choice(), world.choice("other.jpg", "live.jpg", "same")])
        new = disposal.new_rows(DISK, planned.files, None)
        with library.store.writing() as w:
            w.disposals.plan(new)
        real, memory = MoveLog(library, "testing"), LogInMemory({})
        memory.plan(new)
        for file in planned.files:
            found = real.look_up(file)
            memory.known |= {one.row.id: one for one in found if one is not None}
            assert memory.look_up(file) == found

        def same() -> list[DisposalRow]:
            with library.store.reading() as r:
                rows = r.disposals.by_run(1)
            assert told(rows) == told(list(memory.rows.values()))
            assert told(real.unfinished()[0]) == told(memory.unfinished()[0])
            return rows

        first, second = same()
        assert first.beside
        for log in (real, memory):
            log.replan(first, b"/elsewhere/a.jpg", first.beside[:1])
        first = same()[0]
        for log in (real, memory):
            log.done(first, b"/elsewhere/a.jpg", first.beside)
            log.left([second], Message("It was stopped before."))
        first = same()[0]
        for log in (real, memory):
            log.returns(first)
        first = same()[0]
        assert first.is_returning
        for log in (real, memory):
            log.stays(first)
        first = same()[0]
        assert first.state is DisposalOutcome.DONE
        for log in (real, memory):
            log.returns(first)
        first = same()[0]
        for log in (real, memory):
            log.undone(first, planned.files[0].path)
        assert [row.state for row in same()] == [DisposalOutcome.UNDONE, DisposalOutcome.LEFT]


pytestmark = [LINUX, pytest.mark.usefixtures("private_trash")]


class Killed(BaseException):
    """Ends the work as a kill does: nothing is tidied."""


def interrupted(world: World, moved: bool, destination: Path | None = None) -> None:
    """Move a photograph away until it is about to be recorded, or until it is about to move."""

    def die(*_: object) -> None:
        raise Killed

    with pytest.MonkeyPatch.context() as patch, world.open() as library:
        planned = plan_disposal(library, [world.choice()], destination)
        if moved:
            patch.setattr(MoveLog, "done", die)
        else:
            patch.setattr(disposal, "move_together", die)
        patch.setattr(disposal, "roll_back", lambda *_: None)
        with pytest.raises(Killed):
            dispose(library, planned)
        assert len(unfinished(library)) == 1


def hide_only(disk: Disk, files: Sequence[FileMove], *_: object) -> None:
    """Set files aside, and go no further."""
    for file in files:
        disk.hide(file.source, file.hidden)
    raise Killed


def set_aside(world: World, destination: Path | None = None) -> None:
    """Set a photograph and its companions aside, and go no further."""
    with pytest.MonkeyPatch.context() as patch, world.open() as library:
        patch.setattr(disposal, "move_together", hide_only)
        with pytest.raises(Killed):
            dispose(library, plan_disposal(library, [world.choice()], destination))
    assert not (world.photos / "sub" / "copy.jpg").exists()


@pytest.mark.parametrize(
    "command", [["duplicates"], ["duplicates", "clean"], ["duplicates", "log"], ["rescan"], ["add", "photos"]]
)
def test_the_next_command_settles_it(world: World, monkeypatch: pytest.MonkeyPatch, command: list[str]) -> None:
    before = contents(world.photos)
    set_aside(world)
    monkeypatch.chdir(world.photos.parent)
    with pytest.raises(SystemExit) as ended:
        main(["--library", str(world.path), *command])
    assert not ended.value.code
    assert contents(world.photos) == before
    assert "copy.jpg" in world.ids()


@pytest.mark.parametrize("moved", [True, False])
def test_after_another_look_through_the_folder(world: World, moved: bool) -> None:
    interrupted(world, moved)
    added(world.path, world.photos)
    with world.open() as library:
        result = settle_log(library)
        assert (result.done, result.left, result.waiting) == (int(moved), int(not moved), 0)
        assert [one.state for one in disposal_log(library)] == [DisposalOutcome.DONE if moved else DisposalOutcome.LEFT]
    assert ("copy.jpg" in world.ids()) is not moved


def test_a_file_that_somebody_else_took(world: World, tmp_path: Path) -> None:
    interrupted(world, moved=False)
    (world.photos / "sub" / "copy.jpg").rename(tmp_path / "taken.jpg")
    with world.open() as library:
        assert settle_log(library).left == 1
        assert "neither at its place nor where it was to go" in str(disposal_log(library)[0].reason)
    assert "copy.jpg" in world.ids()


def test_a_disk_that_is_away_is_waited_for(world: World, small_disk: Path) -> None:
    interrupted(world, moved=True, destination=small_disk / "away")
    subprocess.run(["umount", small_disk], check=True)
    with world.open() as library:
        assert settle_log(library).waiting == 1
        assert len(unfinished(library)) == 1
        assert [one.state for one in disposal_log(library)] == [DisposalOutcome.PLANNED]


def test_what_is_set_aside_is_shown_though_the_disk_to_which_it_goes_is_away(world: World, small_disk: Path) -> None:
    before = contents(world.photos)
    set_aside(world, small_disk / "away")
    subprocess.run(["umount", small_disk], check=True)
    with world.open() as library:
        assert settle_log(library).waiting == 1
    assert contents(world.photos) == before


@pytest.mark.parametrize("taken", ["copy.jpg", "copy.xmp"])
def test_what_was_coming_back_comes_home_where_another_file_has_its_place_by_now(
    world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, taken: str
) -> None:
    before, away = world.files(), tmp_path / "away"
    with world.open() as library:
        assert dispose(library, plan_disposal(library, [world.choice()], away)).moved == 1
        with monkeypatch.context() as patch:
            patch.setattr(disposal, "move_together", hide_only)
            with pytest.raises(Killed):
                restore_photographs(library, 1)
        (away / taken).write_bytes(b"another")
        settle_log(library)
        restore_photographs(library, 1)
        assert [one.state for one in disposal_log(library)] == [DisposalOutcome.UNDONE]
    assert world.files() == before
    assert [one.name for one in away.iterdir()] == [taken]
