"""Moving photographs away and back, simulated: the program's own code on a disk and with a log in memory.

Each run makes a small world (mounts, links, names without case, companions, a trash), has photographs moved away and
perhaps back, lets other programs work on the same files between any two calls, unplugs disks, makes calls fail, kills
the program and starts it again. At the end, when the disks are back and the log is settled, nothing may be lost.

A run is one number, the seed::

    .venv/bin/python -m tests.app.disposal.moving_simulated 1000000      # so many runs, from a seed by chance
    .venv/bin/python -m tests.app.disposal.moving_simulated 1 --seed 42  # one run, each call written
"""

from __future__ import annotations

import argparse
import errno
import itertools
import os
import random
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from types import SimpleNamespace
from typing import Any, cast
from unittest.mock import patch

from tests.app.disposal.disk_in_memory import (
    Choose,
    DiskInMemory,
    Inode,
    Killed,
    LogInMemory,
    Mount,
    Store,
    is_hidden,
)
from twinlens.app.disposal import carried_notes, disposal
from twinlens.app.disposal.carried_notes import CarriedNotes, SidecarChange
from twinlens.app.disposal.disposal import RestoreTally, bring_back_rows
from twinlens.app.disposal.disposal_plan import DisposalChoice, PlannedFile, PlannedSidecar
from twinlens.app.disposal.file_links import LinkKind
from twinlens.app.disposal.move_log import MoveLog, settle_rows
from twinlens.app.library.library import LocatedPhotograph
from twinlens.app.machine.disk import Disk
from twinlens.core.errors import TwinlensError
from twinlens.core.systems.volume import Volume
from twinlens.features.reading.metadata import Statements
from twinlens.storage.database.values import PhotographState
from twinlens.storage.disposals import LINK, NOTES, DisposalOutcome, DisposalRow

FAILED = (
    523, 592, 615, 1411, 1631, 2011, 2021, 2078, 3339, 3757, 4234, 4488, 4666, 5325, 5929, 1003017, 1026893,
    5028785, 5030313, 50019915, 60013984, 60016972, 61006896, 70005251, 70020278, 70020573, 70034092,
    70070164, 10348803824, 10348825876, 10348849731, 898418956041,
    # A disk that comes and goes between two looks: an equal file of another program was taken for the one on it, or a
    # copy stayed hidden on it; and a note in the trash stayed for a companion that had not gone.
    61123239, 61145940, 61164424, 61172091, 61197285, 61208998, 61245766, 61250637, 61257589, 61282022, 61379952,
    8009119,  # a disk went away when a name was taken, and the note for that name stayed in its trash
    70059117,  # a companion on its way home was shown beside its target, whose name another one had taken meanwhile
    92104948,  # a disk was away while a copy was written on it, and back before the original went
    17592186056767, 17592187045367,  # a link of others was set aside in place of a photograph or a sidecar
    17592186045304, 17592186044906,  # one put a link in place of a copy; what could not be logged was no link any more
    95367548, 95602867,  # a disk was away while a copy on it was looked for that was hidden, and back before the end
    93227723,  # a disk was away while a photograph was looked for at its place, and back when that was recorded as gone
    98075777,  # a disk was away while its identity was noted, so that what came back lay below its mount point
)  # fmt: skip
"""The seeds of runs that have failed once."""

_AWAY = 14  # calls for which a disk is unplugged at least: longer than it takes to look whether it is there
_HORIZON = 110
_AT_ONCE = 8  # calls from one event to the next where they are close

CLOSE = 1 << 40
"""The seed from which on one event follows closely on another: what goes wrong while something is mended."""


FURTHER = 1 << 44
"""The seed from which on copies become links, or notes are carried, and in half of the runs one follows closely."""


class LostError(AssertionError):
    """Something is lost, or what must hold does not."""


@dataclass
class _Wanted:
    """A photograph that is to go: where it and the one that stays are, and what both hold."""

    path: bytes
    kept: bytes
    content: bytes
    kept_content: bytes
    file: Inode
    whole_since_read: bool = False
    sidecar: bytes | None = None  # of the photograph that stays, as it was before notes are carried to it


class Simulation:
    """One run.

    Parameters
    ----------
    choose : callable
        Gives a number below another one.
    close : bool
        Whether one event follows closely on another.
    trace : callable, optional
        Is told what happens.
    """

    def __init__(
        self, choose: Choose, close: bool = False, trace: Callable[[str], None] | None = None, further: bool = False
    ) -> None:
        self._choose, self._close, self._trace = choose, close, trace
        self._links = further and choose(2) == 0
        self._carries = further and not self._links
        self._events: dict[int, Callable[[str], None]] = {}
        self._back_at: dict[int, Store] = {}
        self._new_content = 0
        self._others_acted = False
        self._faults = 0
        self._make_disks()
        self._make_photographs()
        self.disk.before_step = self._between
        self.log.step = self.disk._step

    def _one_of(self, *these: Any) -> Any:
        return these[self._choose(len(these))]

    def _content(self) -> bytes:
        self._new_content += 1
        return b"%04d" % self._new_content

    # --- the world

    def _make_disks(self) -> None:
        folds, in_steps = self._choose(4) == 0, self._choose(4) == 0
        photos = Store([b"", b"sub", b"other"], folds, in_steps)
        backup = Store([b"", b"away"], self._choose(4) == 0, self._choose(4) == 0)
        root = Store([b"", b"home", b"home/data", b"away", b"photos", b"usb", b"second"], renames_in_steps=in_steps)
        first = self._one_of(1, 2)  # on the same device as the home, or on another
        mounts = {b"/": Mount(root, b"", 1), b"/photos": Mount(photos, b"", first), b"/usb": Mount(backup, b"", 3)}
        mounts[b"/second"] = Mount(photos, self._one_of(b"", b"sub"), self._one_of(first, 4))
        if self._choose(3) == 0:  # a link to the folder instead
            mounts[b"/second"] = replace(mounts[b"/photos"], folder=mounts[b"/second"].folder)
        self.disk = DiskInMemory(mounts, {"photos": b"/photos", "usb": b"/usb", "second": b"/second"})
        self.volumes = {
            number: Volume(name, name, self.disk.volumes[name])
            for number, name in enumerate(("photos", "usb", "second"), 1)
        }
        self.log = LogInMemory(self.volumes)
        self.disk.links = self._links
        photos.clones = self._links and self._choose(3) == 0

    def _make_photographs(self) -> None:
        disk = self.disk
        self.wanted: list[_Wanted] = []
        self.files: list[PlannedFile] = []
        kept_content = self._content()
        keeper = self._one_of((1, b"kept.jpg"), (1, b"other/a.jpg"), (2, b"kept.jpg"))
        self._write(keeper, kept_content)
        for number in range(1 + self._choose(3)):
            identical = self._links or self._choose(3) > 0
            place = (1, self._one_of(b"sub/a.jpg", b"sub/b.jpg", b"other/b.jpg", b"c.jpg"))
            if disk.at(self._path(place)) is not None:
                continue
            content = kept_content if identical else self._content()
            self._write(place, content)
            how, stays = self._choose(8), keeper
            if how == 0 and identical:  # the one that stays is the same file, through another mount or link
                second = disk.mounts[b"/second"]
                if place[1].startswith(second.folder):
                    stays = (3, place[1][len(second.folder) :].strip(b"/"))
            elif how == 1 and identical and place[1].startswith(b"sub/"):  # under a name of the other case
                stays = (1, b"sub/" + place[1][4:].upper())
                if disk.at(self._path(stays)) is None:
                    continue
            elif how == 2 and identical:  # a hard link
                stays = (1, b"other/hard.jpg")
                disk.second_name(self._path(place), self._path(stays))
            elif how == 3 and identical:  # a link, which has the size and time of its file by some systems
                stays = (1, b"other/link.jpg")
                disk.link(self._path(stays), self._path(place))
            elif how == 4 and self.files:  # what stays goes as a copy of another
                stays = (1, disk_path(self.files[-1].path))
            self._plan(number * 2, place, stays, content)
        for one in self.wanted:
            there = disk.at(one.kept + b".xmp")
            one.sidecar = None if there is None else there.content

    def _path(self, place: tuple[int, bytes]) -> bytes:
        return self.volumes[place[0]].mount + b"/" + place[1]

    def _write(self, place: tuple[int, bytes], content: bytes) -> None:
        self.disk.put(self._path(place), content)

    def _plan(self, number: int, place: tuple[int, bytes], stays: tuple[int, bytes], content: bytes) -> None:
        known = []
        for at, one in ((number, place), (number + 1, stays)):
            found = self.disk.at(self._path(one))
            assert found is not None
            held = found if found.link is None else self.disk.at(found.link)
            assert held is not None
            row = SimpleNamespace(
                id=at, path=one[1], size=4, mtime_ns=held.mtime, content_hash=held.content, state=PhotographState.READY,
                width=1, height=1, volume_id=one[0],
            )  # fmt: skip
            known.append(LocatedPhotograph(cast(Any, row), self._path(one), self.volumes[one[0]]))
            self.log.known[at] = known[-1]
        going, kept = known
        same = going.row.content_hash == kept.row.content_hash
        kind = "identical" if same else "same"
        file = self.disk.at(going.path)
        assert file is not None
        beside = tuple(self._companions(going.path, kept.path)) if not self._links and self._choose(2) else ()
        choice = DisposalChoice(number, number + 1, kind)
        carried, sidecar = None, kept.path + b".xmp"
        if self._carries and self._choose(4):
            carried = CarriedNotes(sidecar, Statements(rating=1))
            if self.disk.at(sidecar) is None and self._choose(2):
                self.disk.put(sidecar, self._content())
        self.files.append(PlannedFile(choice, going.row, kept.row, going.path, kept.path, beside, carried))
        self.wanted.append(_Wanted(going.path, kept.path, content, kept.row.content_hash or b"", file))

    def _companions(self, path: bytes, kept: bytes) -> Iterator[PlannedSidecar]:
        for ending in (b".xmp", b".mov")[: 1 + self._choose(2)]:
            mine, theirs = path[:-4] + ending, kept[:-4] + b".kept" + ending
            if self.disk.at(mine) is not None:
                continue
            content = self._content()
            self.disk.put(mine, content)
            inode = self.disk.at(mine)
            assert inode is not None
            how = self._choose(3)
            if how == 0 and self.disk.at(theirs) is None:
                self.disk.put(theirs, content)
                yield PlannedSidecar(mine, 4, inode.mtime, content, equal=theirs)
            elif how == 1 and self.disk.at(theirs) is None:
                yield PlannedSidecar(mine, 4, inode.mtime, content, moves_to=theirs)
            else:
                yield PlannedSidecar(mine, 4, inode.mtime, content)

    # --- what happens between calls

    def _draw_events(self, kills: bool) -> None:
        if kills:
            # A kill in the very moment in which a file has got below a mount point, since its disk was just unplugged,
            # leaves it there. So at most one of the two happens: such a folder stays there, or a kill.
            for name in (b"photos", b"usb", b"second"):
                self.disk.mounts[b"/"].store.folders.pop(name, None)
            self.disk.plug(self.disk.mounts[b"/"].store, present=True)
        self._events = {}
        for _ in range(self._one_of(0, 1, 1, 2, 3)):
            event = self._one_of(
                self._other_program, self._other_program, self._other_program, self._unplug, self._fail
            )
            self._events[self._moment()] = event
        if kills:
            self._events[self._moment()] = self._kill

    def _moment(self) -> int:
        if self._close and self._events:
            return max(self._events) + 1 + self._choose(_AT_ONCE)
        return self.disk.steps + 1 + self._choose(_HORIZON)

    def _between(self, call: str) -> None:
        disk = self.disk
        if self._trace is not None:
            self._trace(f"  {disk.steps}: {call}")
        store = self._back_at.pop(disk.steps, None)
        if store is not None:
            disk.plug(store, present=True)
        event = self._events.get(disk.steps)
        if event is not None:
            event(call)
        self._watch()

    def _watch(self) -> None:
        """Note of each photograph that is set aside and read whether the one that stays is whole meanwhile."""
        disk = self.disk
        for one in self.wanted:
            hidden = disk.aside.get(one.path)
            if hidden in disk.read_last and not one.whole_since_read and disk.at(hidden) is not None:
                kept = disk.at(one.kept)
                one.whole_since_read = kept is not None and kept.link is None and kept.content == one.kept_content

    def _tell(self, what: str) -> None:
        if self._trace is not None:
            self._trace(f"    *** {what}")

    def _other_program(self, _: str) -> None:
        """Let another program do something to one of the files."""
        self._others_acted = True
        disk, root = self.disk, self.disk.mounts[b"/"]
        one = self.wanted[self._choose(len(self.wanted))]
        path = self._one_of(one.path, one.kept, one.kept, one.path[:-4] + b".xmp")
        if self._carries and self._choose(2):
            path = one.kept + b".xmp"
        what = self._choose(10)
        folder, name = os.path.split(path)
        inode = disk.at(path)
        held = [each for name, each in disk.everything() if each.link is None and self._may_be_open(name)]
        self._tell(f"another program: {what} {path!r}")
        if disk.find(path)[0] is root:  # its disk is unplugged
            return
        if what == 0:
            disk.remove(path)
        elif what <= 2:
            disk.put(path, self._content())
        elif what == 3 and inode is not None and inode.link is None:
            disk.write_into(inode, inode.content[:2])
        elif what <= 5 and held:
            open_one = held[self._choose(len(held))]
            disk.write_into(open_one, self._content(), open_one.mtime if self._choose(2) else None)
        elif what == 6 and path != one.path:
            disk.link(path, self._one_of(*(each.path for each in self.wanted)))
        elif what == 7:
            disk.rename_by_other(path, folder + b"/renamed.jpg")
        elif what == 8:
            disk.second_name(path, folder + b"/hard2.jpg")
        else:
            taken = self._one_of(b"/away/", b"/usb/away/", b"/home/data/Trash/files/") + name
            if (disk.find(taken)[0] is root) is not taken.startswith(b"/usb/"):
                disk.put(taken, self._one_of(self._content(), one.content))

    def _may_be_open(self, path: bytes) -> bool:
        """Return whether another program may have had a file open before it was set aside."""
        return path.startswith((b"/photos/", b"/usb/")) and not path.endswith((b".trashinfo", b".twinlens-part"))

    def _unplug(self, _: str) -> None:
        disk = self.disk
        point = self._one_of(b"/photos", b"/usb")
        store = disk.mounts[point].store
        if store.present:
            self._others_acted = True
            disk.plug(store, present=False)
            self._back_at[disk.steps + _AWAY + self._choose(200)] = store
            self._tell(f"{point!r} is unplugged")

    def _fail(self, call: str) -> None:
        if call in ("exists", "is_folder", "is_present", "names", "clear"):  # such calls say no, or say nothing
            return
        self._faults += 1
        number = self._one_of(errno.EIO, errno.ENOSPC, errno.EACCES)
        self._tell(f"{call} fails: {os.strerror(number)}")
        if call == "log":
            raise TwinlensError("The disk that holds the library is full.")
        error = OSError(number, os.strerror(number))
        if call in ("hide", "rename", "unlink") and self._choose(2):
            self.disk.fails_late = error  # as a share does whose answer got lost
            return
        raise error

    def _kill(self, call: str) -> None:
        self._tell("killed")
        self.disk.dead = True
        raise Killed

    # --- the run

    def run(self) -> None:
        """Do all of it, and raise :class:`LostError` if anything is lost."""
        if not self.files:
            return
        disk, log = cast(Disk, self.disk), cast(MoveLog, self.log)
        destination = self._one_of(None, None, b"/away", b"/usb/away", b"/photos/other", b"/second")
        with (
            patch.object(disposal, "sidecar_files", self._beside),
            patch.object(carried_notes, "_with_notes", lambda *_: self._content()),
            patch.object(carried_notes, "_digest", lambda content: content),
        ):
            self.disk.quiet = False
            self._alive(lambda: self._dispose(disk, log, destination))
            for _ in range(self._choose(3)):
                self._alive(lambda: settle_rows(disk, log))
            if self._choose(3):
                self._alive(lambda: self._restore(disk, log))
                for _ in range(self._choose(2)):
                    self._alive(lambda: settle_rows(disk, log))
            self.disk.quiet = True
            for store in self.disk.stores():
                self.disk.plug(store, present=True)
            for _ in range(2):
                settle_rows(disk, log)
        self._check()

    def _alive(self, work: Callable[[], object]) -> None:
        """Do something until it is done, or the program is killed."""
        self._draw_events(kills=self._choose(2) == 0)
        try:
            work()
        except (Killed, TwinlensError, OSError) as error:
            self._tell(f"ended: {error!r}")
        self.disk.dead = False

    def _beside(self, path: bytes) -> list[bytes]:
        folder, name = os.path.split(path)
        names = self.disk.find(path)[1] or {}
        return [folder + b"/" + one for one in names if one[:-4] == name[:-4] and one != name]

    def _dispose(self, disk: Disk, log: MoveLog, destination: bytes | None) -> None:
        self.disk.quiet = True  # a folder is on its disk when it is chosen
        with patch("secrets.token_hex", lambda _, marks=itertools.count(): f"mark{next(marks)}"):
            rows = self.log.plan(disposal.new_rows(disk, self.files, destination, self._links))
        self.disk.quiet = False
        disposal.move_away(disk, log, self.files, rows)

    def _restore(self, disk: Disk, log: MoveLog) -> None:
        tally = RestoreTally()
        settle_rows(disk, log)
        for row in list(self.log.rows.values())[:: -1 if self._carries else 1]:
            if row.state is DisposalOutcome.DONE:
                bring_back_rows(disk, log, row, self.volumes[row.volume_id], tally)

    # --- what must hold

    def _check(self) -> None:
        disk = self.disk
        self._lost(disk.made - disk.destroyed - Counter(disk.merged.values()) - self._in_log())
        for path, _ in disk.everything():
            if is_hidden(path):
                raise LostError(f"{path!r} stays hidden")
            if path.endswith(b".trashinfo") and disk.at(_noted(path)) is None and not self._faults:
                raise LostError(f"{path!r} is the note of nothing")
        for original, names in disk.visible_names().items():
            if names > original.names and not self._others_acted:
                raise LostError(f"{original.content!r} has {names} names, and people gave {original.names}")
        for row, one, file in zip(self.log.rows.values(), self.wanted, self.files, strict=False):
            if row.state is DisposalOutcome.PLANNED:
                raise LostError("it is not settled")
            moved = row.state in (DisposalOutcome.DONE, DisposalOutcome.UNDONE) and row.lies_at in disk.brought
            if moved and not one.whole_since_read:  # else others took it away, and put an equal one where it was to go
                raise LostError(f"{one.path!r} has gone, and nobody has seen {one.kept!r} without it")
            if moved and disk.brought[cast(bytes, row.lies_at)] != one.content:
                raise LostError(f"{row.lies_at!r} is not what was planned to go there")
            stays = disk.at(one.path) is one.file and one.file.content == one.content
            if stays and row.state is DisposalOutcome.DONE:
                raise LostError(f"{one.path!r} has not gone")
            if not self._others_acted and self._links:
                self._check_link(row, one)
            elif not self._others_acted:
                self._check_calm(row.state, row.lies_at, one, file)

    def _in_log(self) -> Counter[bytes]:
        """Count the contents of sidecar files before notes came to them."""
        changes = map(SidecarChange.of, self.log.rows.values())
        return Counter(one.before for one in changes if one is not None and one.before is not None)

    def _check_link(self, row: DisposalRow, one: _Wanted) -> None:
        """Check that a copy is a link, or a file of its own, when no other program has done anything."""
        here, kept = self.disk.at(one.path), self.disk.at(one.kept)
        if here is None or not _holds(here, one.content):
            raise LostError(f"{one.path!r} is not what it was")
        apart = here is not kept and here.mtime == one.file.mtime
        state = row.state
        own = here is one.file if state is DisposalOutcome.LEFT else apart
        if own is (state is DisposalOutcome.DONE and row.known[LINK]["kind"] == LinkKind.HARD):
            raise LostError(f"{one.path!r} is {state}, but {'' if own else 'not '}a file of its own")

    def _check_calm(self, state: DisposalOutcome, lies_at: bytes | None, one: _Wanted, file: PlannedFile) -> None:
        """Check where files are when no other program has done anything."""
        notes = self.disk.at(one.kept + b".xmp")
        stand = [each.state is DisposalOutcome.DONE for each in self.log.rows.values() if NOTES in each.known]
        if len(stand) == 1 and not any(stand) and (notes and notes.content) != one.sidecar:
            raise LostError(f"{one.kept!r} has notes, though no copy that says them has gone")
        if state is DisposalOutcome.DONE and file.carried is not None and (notes and notes.content) == one.sidecar:
            raise LostError(f"{one.kept!r} lacks the notes of {one.path!r}")
        at_place = _holds(self.disk.at(one.path), one.content)
        if at_place is (state is DisposalOutcome.DONE):
            raise LostError(f"{one.path!r} is {state}, but {'' if at_place else 'not '}at its place")
        if state is DisposalOutcome.DONE and (lies_at is None or not _holds(self.disk.at(lies_at), one.content)):
            raise LostError(f"{one.path!r} does not lie at {lies_at!r}")
        if at_place and lies_at is not None and _holds(self.disk.at(lies_at), one.content):
            raise LostError(f"{one.path!r} is at {lies_at!r}, too")
        for each in file.companions:
            if at_place and not _holds(self.disk.at(each.path), each.digest):
                raise LostError(f"{each.path!r} is not with {one.path!r}")

    def _lost(self, due: Counter[bytes]) -> None:
        there = self.disk.reachable()
        for content, count in due.items():
            if there[content] < count:
                raise LostError(f"of {content!r} there are {there[content]} files, and there must be {count}")


def disk_path(path: bytes) -> bytes:
    """Return the path on the first volume."""
    return path.removeprefix(b"/photos/")


def _noted(note: bytes) -> bytes:
    return note.replace(b"/info/", b"/files/").removesuffix(b".trashinfo")


def _holds(inode: Inode | None, content: bytes) -> bool:
    return inode is not None and inode.content == content


def simulate(seed: int, trace: Callable[[str], None] | None = None) -> None:
    """Do the run of a seed."""
    draw = random.Random(seed).random
    close = seed % 2 == 1 if seed >= FURTHER else seed >= CLOSE
    Simulation(lambda below: int(draw() * below), close, trace, seed >= FURTHER).run()


def first_failure(seeds: Sequence[int]) -> tuple[int, Exception] | None:
    """Return the first seed whose run fails, and why; None if none does."""
    for seed in seeds:
        try:
            simulate(seed)
        except Exception as error:  # noqa: BLE001 (a fault of the program is one, too)
            return seed, error
    return None


def main() -> None:
    """Do many runs, and write the seeds of those that fail."""
    parser = argparse.ArgumentParser()
    parser.add_argument("runs", type=int)
    parser.add_argument("--seed", type=int)
    given = parser.parse_args()
    if given.runs == 1:
        simulate(given.seed or 0, print)
        return
    first = random.SystemRandom().randrange(2 * CLOSE) if given.seed is None else given.seed
    begun, failed = time.process_time(), 0
    for seed in range(first, first + given.runs):
        try:
            simulate(seed)
        except Exception as error:  # noqa: BLE001
            failed += 1
            print(seed, repr(error), flush=True)
    print(f"{given.runs} runs from {first}, {failed} failed, {time.process_time() - begun:.0f} s")
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
