"""Settling the log where more has happened since the kill than the kill."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from app.duplicates import disposal
from app.duplicates.disposal import dispose
from app.duplicates.disposal_plan import plan_disposal
from app.duplicates.duplicate_results import disposal_log
from app.duplicates.move_log import MoveLog, settle_log, unfinished
from storage.disposals import DisposalOutcome
from tests.app.duplicates.moved_world import World
from tests.app.folders import added
from tests.app.private_trash import LINUX

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
