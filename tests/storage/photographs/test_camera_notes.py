"""What cameras say of a content is kept by content, and forgotten with its last photograph."""

from __future__ import annotations

from pathlib import Path

from storage.photographs.photographs import CameraNote
from tests.storage.conftest import NewStore
from tests.storage.making import batch


def test_notes_are_of_contents(tmp_path: Path, new_store: NewStore) -> None:
    with new_store(tmp_path) as store:
        with store.writing() as w:
            batch(w, 0, 3)
            present = w.photographs.by_id([1])[0].content_hash or b""
            w.camera_notes.put([CameraNote(present, "", ""), CameraNote(b"gone", "1.000000,2.000000", "25")])
            w.camera_notes.put([CameraNote(present, "48.137500,11.575000", "08")])
        with store.reading() as r:
            assert r.camera_notes.all()[present] == CameraNote(present, "48.137500,11.575000", "08")
        with store.writing() as w:
            w.camera_notes.forget_absent()
        with store.reading() as r:
            assert list(r.camera_notes.all()) == [present]
