"""Carried notes: what only a copy says is written beside the photograph that stays, and taken back with it."""

from __future__ import annotations

import io
import json
import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.app.disposal.moved_world import contents, name_of
from tests.app.folders import added
from tests.app.private_trash import LINUX
from tests.features.reading.test_xmp_sidecar import DARKTABLE
from tests.features.sample_pictures import scene
from twinlens.app.disposal.disposal import dispose, restore_photographs
from twinlens.app.disposal.disposal_plan import DisposalPlan
from twinlens.app.disposal.disposal_results import CleaningPlan, DisposalResult, disposal_log
from twinlens.app.disposal.move_log import settle_log
from twinlens.app.duplicates.duplicates import find_duplicates, known_duplicates, proposed
from twinlens.app.duplicates.groups import DuplicatesQuery
from twinlens.app.duplicates.keeper_rules import KeeperRules
from twinlens.app.library.browsing.photographs import photographs
from twinlens.app.library.ingest.adding import rescan
from twinlens.app.library.library import Library
from twinlens.app.machine.disk import Disk
from twinlens.app.notes.own_notes import set_notes
from twinlens.features.reading.metadata import read_xmp

pytestmark = [LINUX, pytest.mark.usefixtures("private_trash")]
QUERY = DuplicatesQuery(rules=KeeperRules.of_text("never:b"))
SAYS = """<x:xmpmeta xmlns:x='adobe:ns:meta/'><rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'>
<rdf:Description xmlns:xmp='http://ns.adobe.com/xap/1.0/' xmlns:dc='http://purl.org/dc/elements/1.1/' xmp:Rating='5'
xmlns:exif='http://ns.adobe.com/exif/1.0/' exif:GPSLatitude='48,6N' exif:GPSLongitude='11,30.5W'
exif:DateTimeOriginal='2017-03-04T05:06:07'><dc:subject><rdf:Bag><rdf:li>{word}</rdf:li></rdf:Bag></dc:subject>
<dc:description><rdf:Alt><rdf:li xml:lang='x-default'>Cutting the cake</rdf:li></rdf:Alt></dc:description>
</rdf:Description></rdf:RDF></x:xmpmeta>"""


def picture(word: str = "") -> bytes:
    file = io.BytesIO()
    says = {"xmp": SAYS.format(word=word).encode()} if word else {}
    scene(320, 240, 5).save(file, "JPEG", quality=92, **says)
    return file.getvalue()


class TaggedCopies:
    """A library of a plain photograph that is kept, and of copies that say something."""

    def __init__(self, photos: Path, path: Path) -> None:
        self.photos, self.path = photos, path

    def plan(self, *, take_along: bool = True) -> DisposalPlan:
        with Library.open(self.path) as library:
            return proposed(library, QUERY, take_along=take_along)

    def clean(self, plan: DisposalPlan | None = None) -> DisposalResult:
        with Library.open(self.path) as library:
            return dispose(library, plan or self.plan())

    def undo(self) -> None:
        with Library.open(self.path) as library:
            run = disposal_log(library)[0].run
            result = restore_photographs(library, run, workers=1)
            assert result.left == []

    @property
    def sidecar(self) -> Path:
        return self.photos / "a" / "one.jpg.xmp"

    def files(self) -> dict[str, bytes]:
        return contents(self.photos)


@pytest.fixture(scope="module")
def made_copies(tmp_path_factory: pytest.TempPathFactory) -> TaggedCopies:
    root = tmp_path_factory.mktemp("tagged")
    made = TaggedCopies(root / "photographs", root / "tagged.twinlens")
    for name, data in {"a/one.jpg": picture(), "b/two.jpg": picture("cake"), "b/three.jpg": picture("tea")}.items():
        (made.photos / name).parent.mkdir(parents=True, exist_ok=True)
        (made.photos / name).write_bytes(data)
    added(made.path, made.photos)
    with Library.open(made.path) as library:
        find_duplicates(library)
    shutil.copytree(made.photos, root / "as-made")
    return made


@pytest.fixture
def copies(made_copies: TaggedCopies, tmp_path: Path) -> Iterator[TaggedCopies]:
    yield TaggedCopies(made_copies.photos, Path(shutil.copy(made_copies.path, tmp_path)))
    shutil.rmtree(made_copies.photos)
    shutil.copytree(made_copies.photos.with_name("as-made"), made_copies.photos)


def test_without_a_word_they_stay(copies: TaggedCopies) -> None:
    planned = copies.plan(take_along=False)
    assert (planned.files, planned.held) == ((), 2)
    assert all("a rating" in str(one.reason) and "keywords" in str(one.reason) for one in planned.refused)


def test_what_they_say_is_carried_and_taken_back(copies: TaggedCopies) -> None:
    before = copies.files()
    shown = CleaningPlan.of(copies.plan())
    assert [one.carried_to for one in shown.files] == [str(copies.sidecar)] * 2
    assert shown.files[0].carried == ["caption", "date", "keywords", "place", "rating"]
    assert copies.clean().moved == 2
    assert sorted(copies.files()) == ["a/one.jpg", "a/one.jpg.xmp"]
    said = read_xmp(copies.sidecar.read_bytes())
    assert (said.rating, said.caption, said.taken) == (5, "Cutting the cake", "2017-03-04T05:06:07")
    assert sorted(said.keywords) == ["cake", "tea"]
    assert said.place == "48.100000,-11.508333"
    assert copies.files()["a/one.jpg"] == before["a/one.jpg"]
    copies.undo()
    assert copies.files() == before


def test_own_notes_and_albums_pass_to_the_one_kept_and_back(copies: TaggedCopies) -> None:
    def now() -> dict[str, dict[str, object]]:
        with Library.open(copies.path) as library, library.store.reading() as r:
            own = {one.name: json.loads(one.own_text or "{}") for one in photographs(library)}
            hashes = {row.content_hash: row.path for row in r.photographs.by_id(range(20)) if row.content_hash}
            held = [hashes[one.content] for one in r.albums.photographs(1) if one.content in hashes]
        return {**own, "album": {"holds": sorted(name_of(path) for path in held)}}

    with Library.open(copies.path) as library:
        ids = {one.name: one.id for one in photographs(library)}
        set_notes(library, [ids["one.jpg"]], rating=2, keywords=["Home"])
        set_notes(library, [ids["two.jpg"]], rating=4, favourite=True, keywords=["Garden"])
        with library.store.writing() as w:
            w.albums.make("Best")
            two = w.photographs.by_id([ids["two.jpg"]])[0]
            w.albums.add(1, {two.content_hash or b"": "two.jpg"})
    plan = copies.plan()
    before = now()
    assert {name_of(one.path) for one in plan.files} == {"two.jpg", "three.jpg"}
    assert copies.clean(plan).moved == 2
    kept = {"rating": 2, "favourite": True, "keywords": ["Home", "Garden"]}
    assert now() == {"one.jpg": kept, "album": {"holds": ["one.jpg"]}}
    copies.undo()
    assert now() == before
    copies.clean(copies.plan())
    with Library.open(copies.path) as library:
        set_notes(library, [ids["one.jpg"]], rating=1)
    copies.undo()
    assert now()["one.jpg"] == {**kept, "rating": 1}, "what its owner has changed since then stays"


def test_the_library_knows_what_the_kept_one_says_then(copies: TaggedCopies) -> None:
    copies.clean()
    shutil.copy(copies.photos.with_name("as-made") / "b" / "two.jpg", copies.photos / "b" / "again.jpg")
    with Library.open(copies.path) as library:
        rescan(library, workers=1)
        find_duplicates(library)
        (group,) = known_duplicates(library, QUERY.rules).groups
    assert group.keeper.metadata is not None
    assert (group.keeper.metadata.rating, set(group.keeper.metadata.keywords)) == (5, {"cake", "tea"})
    (again,) = group.members
    assert (again.goes, again.only_here) == (True, frozenset()), "all that it says is said beside the other"


@pytest.mark.parametrize("name", ["one.jpg.xmp", "one.xmp"])
def test_another_program_s_takes_it_up_and_comes_back(copies: TaggedCopies, name: str) -> None:
    sidecar = copies.photos / "a" / name
    sidecar.write_bytes(DARKTABLE)
    sidecar.chmod(0o640)
    before = copies.files()
    assert copies.clean().moved == 2
    assert sorted(copies.files()) == ["a/one.jpg", f"a/{name}"]
    assert set(read_xmp(sidecar.read_bytes()).keywords) == {"Käse & Brot", "cake", "tea"}
    assert b"gz02eJ" in sidecar.read_bytes()
    assert sidecar.stat().st_mode & 0o777 == 0o640
    copies.undo()
    assert copies.files() == before


@pytest.mark.parametrize("content", [b"<not XML", b"x" * (2 << 20)])
def test_one_that_cannot_take_it_up_is_left(copies: TaggedCopies, content: bytes) -> None:
    copies.sidecar.write_bytes(content)
    before, planned = copies.files(), copies.plan()
    assert planned.files == ()
    assert all(
        "one.jpg.xmp, which lies beside the photo kept, cannot take up" in str(o.reason) for o in planned.refused
    )
    assert copies.clean(planned).moved == 0
    assert copies.files() == before


def test_one_that_is_changed_after_the_plan(copies: TaggedCopies) -> None:
    planned = copies.plan()
    copies.sidecar.write_bytes(b"of another program")
    before, result = copies.files(), copies.clean(planned)
    assert [result.moved, len(result.left)] == [0, 2]
    assert copies.files() == before


def test_what_another_program_has_changed_since_then_stays(copies: TaggedCopies) -> None:
    copies.clean()
    copies.sidecar.write_bytes(DARKTABLE)
    copies.undo()
    assert copies.sidecar.read_bytes() == DARKTABLE
    assert len(copies.files()) == 4


def test_a_copy_that_does_not_go_after_all_leaves_no_notes(
    copies: TaggedCopies, monkeypatch: pytest.MonkeyPatch
) -> None:
    before, look = copies.files(), Disk.look

    def fails(disk: Disk, path: bytes) -> object:
        if path.endswith(b"one.jpg"):
            raise OSError(5, os.strerror(5), path)
        return look(disk, path)

    planned = copies.plan()
    monkeypatch.setattr(Disk, "look", fails)
    assert len(copies.clean(planned).left) == 2
    assert copies.files() == before


def test_a_kill_while_notes_are_written(copies: TaggedCopies, monkeypatch: pytest.MonkeyPatch) -> None:
    copies.sidecar.write_bytes(DARKTABLE)
    before = copies.files()

    class KilledError(BaseException):
        pass

    def killed(*_: object) -> None:
        raise KilledError

    planned = copies.plan()
    for call in ("sync", "unlink_unchanged", "rename", "hide"):
        with monkeypatch.context() as patched:
            patched.setattr(Disk, call, killed)
            with pytest.raises(KilledError):
                copies.clean(planned)
        with Library.open(copies.path) as library:
            settle_log(library)
        assert copies.files() == before, call
