"""Albums and notes of a person: of contents, and every change can be taken back."""

from __future__ import annotations

from pathlib import Path

from tests.storage.conftest import NewStore
from tests.storage.making import batch
from twinlens.storage.library.store import Store
from twinlens.storage.photographs.notes import SidecarNote


def _contents(store: Store) -> list[bytes]:
    with store.writing() as w:
        batch(w, 0, 5)
    with store.reading() as r:
        return [row.content_hash or b"" for row in r.photographs.by_id([1, 2, 3])]


def test_albums_outlive_photographs_and_come_back(tmp_path: Path, new_store: NewStore) -> None:
    with new_store(tmp_path) as store:
        first, second, third = _contents(store)
        with store.writing() as w:
            norway, found = w.albums.make("Norway"), w.albums.make("Found", '{"words": "sea"}')
            assert len(w.albums.add(norway.id, {first: "a.jpg", second: "b.jpg"})) == 2
            assert [one.content for one in w.albums.add(norway.id, {second: "b.jpg", third: "c.jpg"})] == [third]
        with store.writing() as w:
            w.remove([1, 2, 3])
            assert w.albums.counts() == {norway.id: 3}
            assert {one.name for one in w.albums.holding([first, third])} == {"a.jpg", "c.jpg"}
            removed = w.albums.remove(norway.id)
            assert w.albums.all() == [found]
            assert w.albums.counts() == {}
            assert w.albums.make("Another").id > found.id
            w.albums.restore(norway, removed)
            assert w.albums.photographs(norway.id) == removed
            w.albums.put_back(removed)
            taken = w.albums.take_out(norway.id, [first, b"never"])
            assert [one.content for one in taken] == [first]
            w.albums.change(norway.id, "Norge", None)
            assert [row.name for row in w.albums.all()] == ["Norge", "Found", "Another"]


def test_own_notes_give_what_was_before(tmp_path: Path, new_store: NewStore) -> None:
    with new_store(tmp_path) as store:
        first, second, _ = _contents(store)
        with store.writing() as w:
            assert w.own_notes.put({first: "{}", second: None}) == {first: None, second: None}
            before = w.own_notes.put({first: None, second: '{"rating": 3}'})
            assert w.own_notes.all() == {second: '{"rating": 3}'}
            w.own_notes.put(before)
            assert w.own_notes.all() == w.own_notes.of([first, second]) == {first: "{}"}


def test_notes_beside_go_with_their_photograph(tmp_path: Path, new_store: NewStore) -> None:
    with new_store(tmp_path) as store:
        _contents(store)
        notes = [SidecarNote(1, "1", "{}"), SidecarNote(2, "1", "{}"), SidecarNote(3, "1", "{}")]
        with store.writing() as w:
            w.sidecar_notes.put(notes)
            w.sidecar_notes.put([notes[1]._replace(stamp="2")])
            w.sidecar_notes.remove([3])
            w.remove([1])
            assert w.sidecar_notes.all() == w.sidecar_notes.of([1, 2, 3]) == {2: SidecarNote(2, "2", "{}")}
