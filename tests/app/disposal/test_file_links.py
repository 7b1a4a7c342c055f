"""Links in place of identical copies: what they hold stays, space is freed once, and each gets its own file back."""

from __future__ import annotations

import errno
import os
import shutil
from pathlib import Path

import pytest

from tests.app.disposal.moved_world import World
from tests.app.private_trash import LINUX
from twinlens.app.disposal import file_links
from twinlens.app.disposal.disposal import dispose, restore_photographs
from twinlens.app.disposal.disposal_plan import DisposalPlan, plan_disposal
from twinlens.app.disposal.disposal_results import disposal_log, how_linked
from twinlens.app.disposal.move_log import settle_log
from twinlens.app.duplicates.duplicates import find_duplicates, known_duplicates, proposed, result_of
from twinlens.app.duplicates.groups import DuplicatesQuery, reason
from twinlens.app.duplicates.keeper_rules import KeeperRules
from twinlens.app.library.ingest.adding import rescan
from twinlens.app.library.library import Library
from twinlens.app.machine.disk import Disk
from twinlens.core.errors import TwinlensError
from twinlens.storage.disposals import DisposalOutcome

QUERY = DuplicatesQuery(rules=KeeperRules.of_text("never:sub"))
pytestmark = [LINUX, pytest.mark.usefixtures("private_trash")]


def copy_of(world: World) -> Path:
    return world.photos / "sub" / "copy.jpg"


def planned(world: World) -> DisposalPlan:
    with world.open() as library:
        return proposed(library, QUERY, links=True)


def one_file(world: World) -> bool:
    return copy_of(world).samefile(world.photos / "kept.jpg")


@pytest.fixture
def dated(world: World) -> World:
    """Return the world with a copy that has a time and permissions of its own."""
    os.utime(copy_of(world), ns=(10**18, 10**18))
    copy_of(world).chmod(0o640)
    with world.open() as library:
        rescan(library, workers=1)
    return world


def clone_as_a_copy(_: Disk, source: bytes, target: bytes) -> None:
    shutil.copy(source, target)


def test_a_link_is_not_touched_while_its_disk_is_away(dated: World, monkeypatch: pytest.MonkeyPatch) -> None:
    with dated.open() as library:
        run = dispose(library, proposed(library, QUERY, links=True)).run
        assert run is not None
        monkeypatch.setattr(Disk, "is_present", lambda *_: False)
        (left,) = restore_photographs(library, run, workers=1).left
    assert str(left.reason).startswith("Its disk is not connected.")
    assert one_file(dated)


def test_a_copy_becomes_a_name_of_the_one_that_stays(dated: World) -> None:
    before = dated.files()
    with dated.open() as library:
        plan = proposed(library, QUERY, links=True)
        (file,) = plan.files
        assert (plan.links, plan.undoable, plan.destination, file.companions) == (True, True, None, ())
        result = dispose(library, plan)
        assert (result.moved, result.linked, result.left) == (1, {"hard link": 1}, [])
        assert result.bytes == copy_of(dated).stat().st_size
        assert "1 copy is one file with the photo kept" in str(how_linked(result)[0])
        assert one_file(dated)
        assert dated.files() == before
        (entry,) = disposal_log(library)
        assert (entry.state, entry.link, entry.undoable) == (DisposalOutcome.DONE, "hard link", True)
        assert rescan(library, workers=1).changed == 0, "the library knows its time"
        restored = restore_photographs(library, entry.run, workers=1)
        assert (restored.restored, restored.left) == (1, [])
        assert rescan(library, workers=1).changed == 0
    assert not one_file(dated)
    status = copy_of(dated).stat()
    assert (status.st_mtime_ns, status.st_mode & 0o777) == (10**18, 0o640)
    assert dated.files() == before


def test_a_copy_of_the_longest_name_is_a_file_of_its_own_again(dated: World) -> None:
    long = copy_of(dated).rename(copy_of(dated).with_name("c" * 251 + ".jpg"))
    with dated.open() as library:
        assert rescan(library, workers=1).moved == 1
        assert dispose(library, proposed(library, QUERY, links=True)).linked == {"hard link": 1}
        assert long.samefile(dated.photos / "kept.jpg")
        (entry,) = disposal_log(library)
        restored = restore_photographs(library, entry.run, workers=1)
    assert (restored.restored, restored.left) == (1, [])
    assert not long.samefile(dated.photos / "kept.jpg")


def test_one_file_under_two_names_frees_nothing(dated: World) -> None:
    with dated.open() as library:
        find_duplicates(library)
        found = known_duplicates(library, QUERY.rules)
        assert result_of(found, found.groups).bytes > 0
        dispose(library, proposed(library, QUERY, links=True))
        found = known_duplicates(library, QUERY.rules)
        (group,) = found.groups
        (member,) = group.members
        assert (member.linked, member.goes, member.held) == (True, False, False)
        told = result_of(found, found.groups)
        assert (told.bytes, told.copies, told.undecided) == (0, 0, 0)
        assert "takes no space of its own" in str(reason(group))
        assert proposed(library, QUERY, links=True).files == ()


@pytest.mark.parametrize("rules", ["never:sub", "never:other", "earliest"])
def test_a_link_to_a_file_elsewhere_neither_goes_nor_stays_in_place_of_a_file(world: World, rules: str) -> None:
    elsewhere = world.photos.parent / "elsewhere.jpg"
    shutil.copy(copy_of(world), elsewhere)
    os.utime(elsewhere, ns=(1, 1))
    link = world.photos / "other" / "link.jpg"
    link.parent.mkdir()
    link.symlink_to(elsewhere)
    query = DuplicatesQuery(rules=KeeperRules.of_text(rules))
    with world.open() as library:
        rescan(library, workers=1)
        (group,) = find_duplicates(library, query).groups
        fates = {member.path: (member.goes, member.linked) for member in group.members}
        assert fates.pop(os.fspath(link)) == (False, True)
        assert list(fates.values()) == [(True, False)]
        plan = proposed(library, query)
        assert [os.fsdecode(file.path) for file in plan.files] == list(fates)
        assert plan.refused == ()


def test_a_clone_keeps_its_time(dated: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Disk, "clone", clone_as_a_copy)
    before = dated.files()
    with dated.open() as library:
        result = dispose(library, proposed(library, QUERY, links=True))
        assert result.linked == {"clone": 1}
        assert "shares its blocks" in str(how_linked(result)[0])
    status = copy_of(dated).stat()
    assert (status.st_mtime_ns, status.st_mode & 0o777) == (10**18, 0o640)
    assert not one_file(dated)
    assert dated.files() == before


def test_only_identical_files_of_one_disk(dated: World, monkeypatch: pytest.MonkeyPatch) -> None:
    one = dated.choice()
    with dated.open() as library:
        (refused,) = plan_disposal(library, [one._replace(kind="same")], links=True).refused
        assert "identical to the last byte" in str(refused.reason)
        status = Disk.status
        monkeypatch.setattr(
            Disk, "status", lambda disk, path: status(disk, path)._replace(device=7 if b"kept" in path else 8)
        )
        (refused,) = plan_disposal(library, [one], links=True).refused
        assert "kept.jpg, which is kept, is on another disk" in str(refused.reason)


def test_a_disk_without_links(dated: World, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: object) -> None:
        raise OSError(errno.EPERM, os.strerror(errno.EPERM))

    before = dated.files()
    monkeypatch.setattr(Disk, "hard_link", refused)
    with dated.open() as library:
        result = dispose(library, proposed(library, QUERY, links=True))
    assert "cannot give kept.jpg a second name" in str(result.left[0].reason)
    assert (result.moved, dated.files()) == (0, before)
    assert copy_of(dated).stat().st_mtime_ns == 10**18


@pytest.mark.parametrize("call", ["hide", "hard_link", "rename", "unlink_unchanged", "sync"])
@pytest.mark.parametrize("undoing", [False, True])
def test_a_kill_at_any_call(dated: World, monkeypatch: pytest.MonkeyPatch, call: str, undoing: bool) -> None:
    class KilledError(BaseException):
        pass

    def killed(*_: object) -> None:
        raise KilledError

    before = dated.files()
    with dated.open() as library:
        plan = proposed(library, QUERY, links=True)
        run = dispose(library, plan).run if undoing else None
        with monkeypatch.context() as patched:
            patched.setattr(Disk, call, killed)
            if call != "hard_link" or not undoing:
                with pytest.raises(KilledError):
                    restore_photographs(library, run or 0, workers=1) if undoing else dispose(library, plan)
        settle_log(library)
        (entry,) = disposal_log(library)
    assert dated.files() == before
    assert not [one for one in (dated.photos / "sub").iterdir() if "twinlens" in one.name]
    assert (entry.state is DisposalOutcome.DONE) is one_file(dated)


def test_a_link_that_was_changed_is_left(dated: World) -> None:
    with dated.open() as library:
        run = dispose(library, proposed(library, QUERY, links=True)).run
        with (dated.photos / "kept.jpg").open("ab") as file:
            file.write(b"more")
        (left,) = restore_photographs(library, run or 0, workers=1).left
    assert "It was changed since it was read" in str(left.reason)
    assert one_file(dated)


def test_the_one_that_stays_is_read_anew(dated: World) -> None:
    plan = planned(dated)
    kept = dated.photos / "kept.jpg"
    status, content = kept.stat(), bytearray(kept.read_bytes())
    content[-3] ^= 1
    kept.write_bytes(content)
    os.utime(kept, ns=(status.st_atime_ns, status.st_mtime_ns))
    with dated.open() as library:
        (left,) = dispose(library, plan).left
    assert "was changed since it was read" in str(left.reason)
    assert not one_file(dated)


def test_what_cannot_be_linked_is_an_error() -> None:
    with pytest.raises(TwinlensError, match="identical to the last byte"):
        file_links.check_link(Disk(), "same", None, None)


def test_the_library_may_be_read_while_there_are_links(dated: World) -> None:
    with dated.open() as library:
        dispose(library, proposed(library, QUERY, links=True))
    with Library.open(dated.path) as library:
        assert len(known_duplicates(library, QUERY.rules).groups) == 1
