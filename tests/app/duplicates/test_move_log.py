"""The log in memory, on which moving is simulated, says what the log of a library says."""

from __future__ import annotations

from app.duplicates import disposal
from app.duplicates.disposal_plan import plan_disposal
from app.duplicates.move_log import MoveLog
from app.machine.disk import DISK
from core.message import Message
from storage.disposals import DisposalOutcome, DisposalRow
from tests.app.duplicates.disk_in_memory import LogInMemory
from tests.app.duplicates.moved_world import World
from tests.app.private_trash import LINUX

pytestmark = LINUX


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
            memory.known |= {one.row.id: one for one in found}
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
