"""Bringing back what was moved away: files, companions, what the library knows, and marks."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

from app.duplicates.decisions import fates, keep_choices
from app.duplicates.disposal import dispose, restore_photographs
from app.duplicates.disposal_plan import DisposalChoice, plan_disposal
from app.duplicates.duplicate_results import DisposalResult, RestoreResult, disposal_log
from app.duplicates.keeper_rules import Fate
from app.library.ingest.adding import forget, rescan
from app.machine import trash
from app.marks.marks import mark_pairs
from core.errors import Cancelled
from core.message import Message
from storage.disposals import DisposalOutcome
from storage.integrity.integrity_check import check
from storage.marks import MarkRow
from tests.app.duplicates.moved_world import World, contents
from tests.app.folders import added
from tests.app.private_trash import LINUX

pytestmark = [LINUX, pytest.mark.usefixtures("private_trash")]


def disposed(world: World, *choices: DisposalChoice, destination: Path | None = None) -> DisposalResult:
    with world.open() as library:
        result = dispose(library, plan_disposal(library, choices or [world.choice()], destination))
    assert result.left == []
    return result


def restored(world: World, which: int | Sequence[int] | None) -> RestoreResult:
    assert which is not None
    with world.open() as library:
        return restore_photographs(library, which)


def test_what_was_decided_comes_back(world: World) -> None:
    with world.open() as library:
        keep_choices(library, {world.ids()["copy.jpg"]: Fate.GOES})
        run = dispose(library, plan_disposal(library, [world.choice()])).run
        assert run is not None
        with library.store.reading() as r:
            assert fates(r) == {}
        restore_photographs(library, run)
        with library.store.reading() as r:
            assert fates(r) == {world.ids()["copy.jpg"]: Fate.GOES}
        assert check(library.store).findings == []


def states(world: World) -> list[DisposalOutcome]:
    with world.open() as library:
        return [one.state for one in disposal_log(library)]


@pytest.mark.parametrize("folder", [None, "away"])
def test_there_and_back(world: World, tmp_path: Path, private_trash: Path, folder: str | None) -> None:
    before, names = world.files(), set(world.ids())
    times = {path: path.stat().st_mtime_ns for path in world.photos.rglob("*.*")}
    run = disposed(world, destination=None if folder is None else tmp_path / folder).run
    shutil.rmtree(world.photos / "sub")
    result = restored(world, run)
    assert (result.restored, result.companions, result.left) == (1, 4, [])
    assert world.files() == before
    assert {path: path.stat().st_mtime_ns for path in times} == times
    assert set(world.ids()) == names
    assert states(world) == [DisposalOutcome.UNDONE]
    assert contents(private_trash, tmp_path / "away") == {}
    with world.open() as library:
        assert check(library.store).findings == []
        with library.store.reading() as r:
            copy, kept = (r.photographs.by_id([world.ids()[name]])[0] for name in ("copy.jpg", "kept.jpg"))
            assert copy.content_hash == kept.content_hash
        assert rescan(library, workers=1).changed == 0
    assert restored(world, run).restored == 0
    assert disposed(world).moved == 1  # and away again


def test_by_row_of_the_log(world: World) -> None:
    disposed(world, world.choice(), world.choice("other.jpg", "live.jpg", "same"))
    with world.open() as library:
        newest, _ = disposal_log(library)
    assert restored(world, [newest.id]).restored == 1
    assert states(world) == [DisposalOutcome.UNDONE, DisposalOutcome.DONE]
    assert "copy.jpg" not in world.ids()
    assert "other.jpg" in world.ids()


@pytest.mark.parametrize("name", ["copy.jpg", "copy.xmp"])
@pytest.mark.parametrize("folder", [None, "away"])
def test_a_place_that_is_taken(world: World, tmp_path: Path, name: str, folder: str | None) -> None:
    run = disposed(world, destination=None if folder is None else tmp_path / folder).run
    (world.photos / "sub" / name).write_bytes(b"another")
    before = world.files()
    result = restored(world, run)
    assert result.restored == 0
    assert [str(world.photos / "sub" / name) in str(one.reason) for one in result.left] == [True]
    assert world.files() == before
    assert states(world) == [DisposalOutcome.DONE]
    (world.photos / "sub" / name).unlink()
    assert restored(world, run).restored == 1
    assert len(world.files()) == 8


def test_a_trash_that_was_emptied(world: World, private_trash: Path) -> None:
    run = disposed(world).run
    shutil.rmtree(private_trash)
    result = restored(world, run)
    assert result.restored == 0
    assert "not in the trash any more" in str(result.left[0].reason)
    assert states(world) == [DisposalOutcome.DONE]


def test_a_companion_that_was_thrown_away_keeps_nothing_back(world: World, private_trash: Path) -> None:
    run = disposed(world).run
    (private_trash / "files" / "copy.xmp").unlink()
    result = restored(world, run)
    assert (result.restored, result.companions) == (1, 3)
    assert [one.path for one in result.left] == [str(world.photos / "sub" / "copy.xmp")]


def test_another_file_in_the_trash_is_not_taken_for_it(world: World, private_trash: Path) -> None:
    run = disposed(world).run
    (private_trash / "files" / "copy.jpg").write_bytes(b"another")
    assert restored(world, run).restored == 0
    assert not (world.photos / "sub" / "copy.jpg").exists()


def test_what_the_person_brought_back_already(world: World, private_trash: Path) -> None:
    run = disposed(world).run
    for note in (private_trash / "info").iterdir():
        place = private_trash / "files" / note.name.removesuffix(".trashinfo")
        place.rename(world.photos / "sub" / place.name)
        note.unlink()
    added(world.path, world.photos)
    result = restored(world, run)
    assert (result.restored, result.left) == (1, [])
    assert states(world) == [DisposalOutcome.UNDONE]
    assert len([name for name in world.ids() if name == "copy.jpg"]) == 1


def test_a_folder_that_was_forgotten(world: World) -> None:
    run = disposed(world).run
    with world.open() as library:
        forget(library, world.photos)
    assert restored(world, run).restored == 1
    assert (world.photos / "sub" / "copy.jpg").exists()
    assert world.ids() == {}


def test_a_disk_that_is_unplugged(tmp_path: Path, small_disk: Path) -> None:
    world = World(small_disk, tmp_path / "family.twinlens").make()
    run = disposed(world, destination=tmp_path / "away").run
    subprocess.run(["umount", small_disk], check=True)
    result = restored(world, run)
    assert "disk is not connected" in str(result.left[0].reason)
    assert [*small_disk.iterdir()] == []
    assert len(contents(tmp_path / "away")) == 5


def test_across_file_systems(world: World, small_disk: Path) -> None:
    before = world.files()
    run = disposed(world, destination=small_disk).run
    assert restored(world, run).restored == 1
    assert world.files() == before
    assert contents(small_disk) == {}


def test_stopping(world: World) -> None:
    run = disposed(world, world.choice(), world.choice("other.jpg", "live.jpg", "same")).run

    def stop(done: float, total: float, text: Message) -> None:
        if done > 0:
            raise Cancelled

    with world.open() as library:
        assert run is not None
        result = restore_photographs(library, run, stop)
        assert (result.restored, result.cancelled) == (1, True)
        assert restore_photographs(library, run).restored == 1
    assert {"copy.jpg", "other.jpg"} <= set(world.ids())


def test_systems_whose_trash_only_people_open(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trash, "can_restore", lambda: False)
    with world.open() as library:
        planned = plan_disposal(library, [world.choice()])
        assert not planned.undoable
        result = dispose(library, planned)
        assert (result.moved, result.undoable) == (1, False)
        assert [one.undoable for one in disposal_log(library)] == [False]
        back = restore_photographs(library, result.run or 0)
        assert "in the trash itself" in str(back.left[0].reason)


# --- marks -----------------------------------------------------------------------------------------------------------


def marks(world: World) -> list[MarkRow]:
    with world.open() as library, library.store.reading() as r:
        return r.marks.all()


def pairs(world: World) -> set[tuple[frozenset[bytes], bool]]:
    return {(frozenset(row.pair), row.similar) for row in marks(world)}


def marked(world: World, first: str, second: str, similar: bool) -> None:
    ids = world.ids()
    with world.open() as library:
        mark_pairs(library, [(ids[first], ids[second])], similar, "test")


def hashes(world: World) -> dict[str, bytes]:
    with world.open() as library, library.store.reading() as r:
        return {name: r.photographs.by_id([i])[0].content_hash or b"" for name, i in world.ids().items()}


def test_marks_pass_to_the_kept_one_and_back(world: World) -> None:
    marked(world, "other.jpg", "kept.jpg", similar=False)
    before, content = marks(world), hashes(world)
    run = disposed(world, world.choice("other.jpg", "live.jpg", "edited")).run
    assert pairs(world) == {
        (frozenset({content["other.jpg"], content["kept.jpg"]}), False),
        (frozenset({content["live.jpg"], content["kept.jpg"]}), False),
    }
    restored(world, run)
    assert marks(world) == before


def test_marks_of_a_content_that_is_still_there_stay_with_it(world: World) -> None:
    marked(world, "copy.jpg", "other.jpg", similar=True)
    before = marks(world)
    disposed(world)
    assert marks(world) == before


def test_what_was_said_of_the_kept_one_counts(world: World) -> None:
    marked(world, "other.jpg", "kept.jpg", similar=False)
    marked(world, "live.jpg", "kept.jpg", similar=True)
    marked(world, "live.jpg", "other.jpg", similar=True)
    before = marks(world)
    disposed(world, world.choice("other.jpg", "live.jpg", "same"))
    assert marks(world) == before


def test_a_mark_that_another_would_have_passed_on_stays(world: World) -> None:
    shutil.copy(world.photos / "other.jpg", world.photos / "twin.jpg")
    with (world.photos / "twin.jpg").open("ab") as file:
        file.write(b"differs")
    added(world.path, world.photos)
    for name in ("other.jpg", "twin.jpg"):
        marked(world, name, "kept.jpg", similar=True)
    before, content = pairs(world), hashes(world)
    choices = [world.choice(name, "live.jpg", "same") for name in ("other.jpg", "twin.jpg")]
    first, second = (disposed(world, choice).run for choice in choices)
    passed = (frozenset({content["live.jpg"], content["kept.jpg"]}), True)
    assert pairs(world) == {*before, passed}
    restored(world, first)
    assert pairs(world) == {*before, passed}
    restored(world, second)
    assert pairs(world) == before


@pytest.mark.parametrize("fate", Fate)
def test_what_a_person_chose_comes_back_and_can_be_undone(world: World, fate: Fate) -> None:
    was = world.ids()["copy.jpg"]
    with world.open() as library:
        before = keep_choices(library, {was: fate})
    restored(world, disposed(world).run)
    restored(world, disposed(world).run)
    now = world.ids()["copy.jpg"]
    assert now != was
    with world.open() as library:
        with library.store.reading() as r:
            assert fates(r) == {now: fate}
        assert keep_choices(library, before) == {was: fate}, "undone by the id that it had"
        assert keep_choices(library, {was: fate}) == {was: None}
        keep_choices(library, {now: None})
    disposed(world)
    with world.open() as library:
        assert keep_choices(library, {now: fate}) == {now: None}, "it is away"
        with library.store.reading() as r:
            assert fates(r) == {}
