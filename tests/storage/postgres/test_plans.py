"""Plans of a server: what adding and searching ask reads no large table from its first row to its last."""

from __future__ import annotations

from sqlalchemy import update

from core.message import Message
from storage.database.schema import PhotographState, photograph
from storage.library.store import Store
from storage.photographs.photograph_listing import Filter
from storage.photographs.photographs import ChangedFile, MovedFile, NewFile
from storage.photographs.problems import NewProblem
from tests.postgres import Server
from tests.storage.making import batch, files, index, read, register
from tests.storage.plans import plans

COUNT = 4000
_LARGE = ("photograph", "descriptor", "keypoints", "problem", "passed_over")


def test_no_large_table_is_read_whole(postgres: Server) -> None:
    address = postgres.empty_library()
    with Store.open(address) as store:
        with store.writing() as w:
            ids = batch(w, 0, COUNT).tolist()
            kind, _, _ = index(w)
            w.keypoints.put(ids, 1, [b"some"] * COUNT)
            w.passed_over.add(1, files(COUNT, 2 * COUNT))
            w.problems.add([NewProblem(1, file.path, Message("Broken.")) for file in files(2 * COUNT, 3 * COUNT)])
            w.connection.execute(
                update(photograph).where(photograph.c.id % 100 == 0).values(state=PhotographState.PENDING.value)
            )
        postgres.execute("VACUUM ANALYZE", address)
        with store.writing() as w:
            some = [ids[7], ids[3000]]
            with plans(w.connection, "EXPLAIN") as found:
                w.photographs.by_id(some)
                w.photographs.by_path(1, files(5, 6)[0].path)
                w.photographs.by_hash(read(5).content_hash, read(9).content_hash)
                w.photographs.contents_by_size([1001, 1002], 3)
                w.photographs.in_state(PhotographState.PENDING, after=2000, limit=10)
                list(w.photographs.known(1, b"elsewhere"))
                w.photographs.matching(Filter(states=(PhotographState.PENDING, PhotographState.MISSING)))
                w.descriptors.read(kind, some)
                w.keypoints.read(some, 1)
                w.keypoints.ids(2)
                w.problems.under(1, b"elsewhere")
                list(w.passed_over.known(1, b"elsewhere"))
                register(w, [NewFile(b"elsewhere/1.jpg", 1, 2)])
                w.photographs.mark_changed([ChangedFile(ids[7], 1, 2)])
                w.photographs.record([read(ids[7])])
                w.photographs.move([MovedFile(ids[7], 1, None, b"elsewhere/2.jpg", 1, 2)])
                w.photographs.mark_missing(some)
                w.problems.add([NewProblem(1, b"elsewhere/3.jpg", Message("Broken."), photograph_id=ids[9])])
                w.problems.clear(1, [b"elsewhere/3.jpg"])
                w.passed_over.remove(1, [b"elsewhere/1.jpg"])
                w.keypoints.remove(some)
                w.remove(some)
    read_whole = [plan for plan in found if any(f"Seq Scan on {table} " in plan for table in _LARGE)]
    assert read_whole == [], "\n".join(read_whole)
    assert len(found) > 24
