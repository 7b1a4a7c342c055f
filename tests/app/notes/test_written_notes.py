"""Own notes are written to XMP files on request; what other programs have written there stays."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.app.folders import Libraries
from twinlens.app.library.browsing.photographs import photographs
from twinlens.app.library.library import Library
from twinlens.app.notes.own_notes import set_notes
from twinlens.app.notes.written_notes import write_sidecars
from twinlens.features.reading.metadata import read_xmp

FOREIGN = b"""<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<rdf:Description rdf:about="" xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmlns:dc="http://purl.org/dc/elements/1.1/"
 xmlns:crs="http://ns.adobe.com/camera-raw-settings/1.0/" xmp:Rating="2" crs:Exposure2012="+0.35">
<!-- mine --><crs:Look><rdf:Seq><rdf:li>a</rdf:li></rdf:Seq></crs:Look>
<dc:title><rdf:Alt><rdf:li xml:lang="x-default">Old</rdf:li></rdf:Alt></dc:title>
<dc:subject><rdf:Bag><rdf:li>Sea</rdf:li></rdf:Bag></dc:subject>
</rdf:Description></rdf:RDF></x:xmpmeta>"""


@pytest.fixture
def library(libraries: Libraries, tmp_path: Path) -> Iterator[tuple[Library, Path, dict[str, int]]]:
    folder = libraries.changeable(6, tmp_path / "family.twinlens")
    with Library.open(tmp_path / "family.twinlens") as library:
        yield library, folder, {one.name: one.id for one in photographs(library)}


def test_notes_are_written_beside_and_nothing_else_is_lost(library: tuple[Library, Path, dict[str, int]]) -> None:
    opened, folder, ids = library
    before = {one.name: one.read_bytes() for one in folder.glob("*.jpg")}
    (folder / "0001.xmp").write_bytes(FOREIGN)
    set_notes(opened, [ids["0000.jpg"], ids["0001.jpg"]], rating=4, title="New", keywords=["Rome", "Sea"], pick=1)
    set_notes(opened, [ids["0002.jpg"]], favourite=True, label="Red")
    done = write_sidecars(opened)
    assert sorted(map(os.path.basename, done.files)) == ["0000.jpg.xmp", "0001.xmp", "0002.jpg.xmp"]
    assert not done.refused
    for name in ("0000.jpg.xmp", "0001.xmp"):
        found = read_xmp((folder / name).read_bytes())
        assert (found.rating, found.title, set(found.keywords), found.pick) == (4, "New", {"Rome", "Sea"}, 1)
    kept = (folder / "0001.xmp").read_bytes()
    for foreign in (
        b'crs:Exposure2012="+0.35"',
        b"<!-- mine -->",
        b"<crs:Look><rdf:Seq><rdf:li>a</rdf:li></rdf:Seq></crs:Look>",
    ):
        assert foreign in kept
    assert read_xmp((folder / "0002.jpg.xmp").read_bytes()).label == "Red"
    assert {one.name: one.read_bytes() for one in folder.glob("*.jpg")} == before
    assert write_sidecars(opened).files == done.files
    assert (folder / "0001.xmp").read_bytes() == kept, "written once more, it stays as it is"
    assert not [one for one in folder.iterdir() if one.name.startswith(".")]


@pytest.mark.parametrize("odd", ["link", "folder", "damaged"])
def test_what_cannot_take_notes_up_stays_as_it_is(library: tuple[Library, Path, dict[str, int]], odd: str) -> None:
    opened, folder, ids = library
    beside = folder / "0001.jpg.xmp"
    elsewhere = folder.parent / "elsewhere.xmp"
    elsewhere.write_bytes(FOREIGN)
    if odd == "link":
        beside.symlink_to(elsewhere)
    elif odd == "folder":
        beside.mkdir()
    else:
        beside.write_bytes(b"<x:xmpmeta")
    set_notes(opened, [ids["0001.jpg"]], rating=4)
    done = write_sidecars(opened, [ids["0001.jpg"]])
    assert (done.files, len(done.refused)) == ([], 1)
    assert elsewhere.read_bytes() == FOREIGN
    assert beside.is_symlink() or beside.is_dir() or beside.read_bytes() == b"<x:xmpmeta"
