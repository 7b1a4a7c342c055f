"""A family's photographs as Lightroom, digiKam, Takeout and iCloud export them, with what is true of each."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from tests.app.folders import empty_library
from tests.features.sample_pictures import encode, exif_block, scene
from twinlens.app.library.browsing.photographs import Photograph, photographs
from twinlens.app.library.ingest.adding import Adding, add
from twinlens.app.library.library import Library

RDF = "xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'"
SPACES = (
    "xmlns:xmp='http://ns.adobe.com/xap/1.0/' xmlns:dc='http://purl.org/dc/elements/1.1/' "
    "xmlns:lr='http://ns.adobe.com/lightroom/1.0/' xmlns:exif='http://ns.adobe.com/exif/1.0/' "
    "xmlns:digiKam='http://www.digikam.org/ns/1.0/' xmlns:photoshop='http://ns.adobe.com/photoshop/1.0/' "
    "xmlns:darktable='http://darktable.sf.net/' xmlns:xmpDM='http://ns.adobe.com/xmp/1.0/DynamicMedia/' "
    "xmlns:mwg-rs='http://www.metadataworkinggroup.com/schemas/regions/'"
)


def xmp(*lists: str, **properties: str) -> bytes:
    """Write a sidecar: properties as attributes, and lists as they are."""
    said = " ".join(f"{name.replace('__', ':')}='{value}'" for name, value in properties.items())
    return (
        f"<x:xmpmeta xmlns:x='adobe:ns:meta/'><rdf:RDF {RDF}><rdf:Description rdf:about='' {SPACES} {said}>"
        f"{''.join(lists)}</rdf:Description></rdf:RDF></x:xmpmeta>"
    ).encode()


def bag(name: str, *items: str, kind: str = "Bag") -> str:
    return f"<{name}><rdf:{kind}>{''.join(f'<rdf:li>{one}</rdf:li>' for one in items)}</rdf:{kind}></{name}>"


def takeout(taken: str, **more: Any) -> bytes:
    seconds = int(datetime.fromisoformat(taken).replace(tzinfo=UTC).timestamp())
    return json.dumps({"title": "x", "photoTakenTime": {"timestamp": str(seconds)}, **more}).encode()


FACE = (
    "<mwg-rs:Regions rdf:parseType='Resource'><mwg-rs:RegionList><rdf:Bag><rdf:li><rdf:Description "
    "mwg-rs:Name='Grandma' mwg-rs:Type='Face'/></rdf:li></rdf:Bag></mwg-rs:RegionList></mwg-rs:Regions>"
)
ROME = {"geoData": {"latitude": 41.9, "longitude": 12.5, "altitude": 0.0}}
NOWHERE = {"geoData": {"latitude": 0.0, "longitude": 0.0}}
LONG = "Screenshot_20190202-100000_Some long app name.jpg"
CAMERA = "2015:06:07 10:11:12"
AT = "2015-06-07T10:11:12 exif"


@dataclass(frozen=True)
class Case:
    """A photograph, its EXIF date, the files beside it, and what is true of it."""

    name: str
    beside: dict[str, bytes]
    truth: dict[str, Any]
    exif: str = CAMERA


FAMILY = (
    # Lightroom
    Case(
        "lr/a.jpg",
        {
            "lr/a.xmp": xmp(
                bag("dc:subject", "Rome", "Anna"),
                bag("lr:hierarchicalSubject", "Places|Italy|Rome"),
                xmp__Rating="4",
                xmp__Label="Red",
                exif__DateTimeOriginal="2015-06-07T10:11:12+02:00",
            )
        },
        {"rating": 4, "label": "Red", "keywords": {"Places|Italy|Rome", "Anna"}, "date": "2015-06-07T10:11:12"},
    ),
    Case(
        "lr/b.jpg", {"lr/b.xmp": xmp(photoshop__SidecarForExtension="CR2", xmp__Rating="5")}, {"rating": 0, "date": AT}
    ),
    Case(
        "lr/corrected.jpg",
        {"lr/corrected.xmp": xmp(exif__DateTimeOriginal="2016-06-07T10:11:12")},
        {"date": "2016-06-07T10:11:12 sidecar"},
    ),
    Case(
        "lr/geo.jpg",
        {"lr/geo.xmp": xmp(exif__GPSLatitude="41,54.0N", exif__GPSLongitude="12,30.0E", xmpDM__pick="1")},
        {"place": (41.9, 12.5), "pick": 1, "date": AT},
    ),
    Case("lr/out.jpg", {"lr/out.xmp": xmp(xmp__Rating="-1")}, {"rating": -1, "date": AT}),
    # digiKam and darktable
    Case(
        "dk/a.jpg",
        {
            "dk/a.jpg.xmp": xmp(
                bag("digiKam:TagsList", "People/Anna", "Trip", kind="Seq"),
                bag("dc:description", "The cake", kind="Alt"),
                xmp__Rating="3",
                digiKam__ColorLabel="4",
                digiKam__PickLabel="3",
            )
        },
        {
            "rating": 3,
            "label": "Green",
            "pick": 1,
            "keywords": {"People|Anna", "Trip"},
            "caption": "The cake",
            "date": AT,
        },
    ),
    Case(
        "dk/scan.jpg",
        {"dk/scan.jpg.xmp": xmp(photoshop__DateCreated="1957-07")},
        {"date": "1957-07 sidecar"},
        "2021:01:02 03:04:05",
    ),
    Case("dk/faces.jpg", {"dk/faces.jpg.xmp": xmp(FACE)}, {"keywords": {"Grandma"}, "date": AT}),
    Case(
        "dk/dt.jpg",
        {
            "dk/dt.jpg.xmp": xmp(bag("darktable:colorlabels", "3", kind="Seq"), xmp__Rating="2"),
            "dk/dt_01.jpg.xmp": xmp(xmp__Rating="5"),
        },
        {"rating": 2, "label": "Blue", "date": AT},
    ),
    # Takeout
    Case(
        "go/a.jpg",
        {
            "go/a.jpg.json": takeout(
                "2009-11-16T12:51:58",
                description="Grandma",
                people=[{"name": "Anna"}, {"name": "Ben"}],
                favorited=True,
                **ROME,
            )
        },
        {
            "date": "2009-11-16T12:51:58 takeout",
            "caption": "Grandma",
            "keywords": {"Anna", "Ben"},
            "favourite": True,
            "place": (41.9, 12.5),
        },
        "",
    ),
    Case("go/b.jpg", {"go/b.jpg.supplemental-metadata.json": takeout("2015-06-07T08:11:12", **NOWHERE)}, {"date": AT}),
    Case(
        "go/c.jpg",
        {"go/c.jpg.supplemental-meta.json": takeout("1962-08-01T00:00:00")},
        {"date": "1962-08-01T00:00:00 takeout"},
        "2021:01:02 03:04:05",
    ),
    Case("go/d.jpg", {"go/d.jpg.json": takeout("2001-01-01T01:01:01")}, {"date": "2001-01-01T01:01:01 takeout"}, ""),
    Case(
        "go/d(1).jpg", {"go/d.jpg(1).json": takeout("2002-02-02T02:02:02")}, {"date": "2002-02-02T02:02:02 takeout"}, ""
    ),
    Case(
        "go/d(2).jpg",
        {"go/d.jpg.supplemental-metadata(2).json": takeout("2003-03-03T03:03:03")},
        {"date": "2003-03-03T03:03:03 takeout"},
        "",
    ),
    Case("go/d-edited.jpg", {}, {"date": "2001-01-01T01:01:01 takeout"}, ""),
    Case("go/d-bearbeitet(1).jpg", {}, {"date": "2002-02-02T02:02:02 takeout"}, ""),
    Case(
        "go/" + LONG,
        {f"go/{LONG[:46]}.json": takeout("2019-02-02T09:00:00", description="A chat")},
        {"date": "2019-02-02T09:00:00 takeout", "caption": "A chat"},
        "",
    ),
    Case(
        "go/IMG-20230514-WA0003.jpg",
        {"go/IMG-20230514-WA0003.jpg.json": takeout("2023-05-14T09:00:00")},
        {"date": "2023-05-14T09:00:00 takeout"},
        "",
    ),
    Case(
        "go/none.jpg",
        {"go/metadata.json": takeout("2005-05-05T05:05:05", description="An album")},
        {"date": AT, "caption": ""},
    ),
    # iCloud
    Case("ic/IMG_1234.jpg", {"ic/IMG_1234.AAE": b"<plist/>"}, {"edits": ("AAE",), "date": AT}),
    Case("ic/IMG_E1235.jpg", {"ic/IMG_O1235.aae": b"<plist/>"}, {"edits": (), "date": AT}),
)
FAMILY_TRUTH = {one.name: one.truth for one in FAMILY}


def write(folder: Path, cases: tuple[Case, ...] = FAMILY) -> None:
    for seed, one in enumerate(cases):
        path = folder / one.name
        path.parent.mkdir(parents=True, exist_ok=True)
        exif = {"exif": exif_block(taken=one.exif, make="Canon", model="80D")} if one.exif else {}
        path.write_bytes(encode(scene(48, 32, seed), "JPEG", **exif))
        for name, data in one.beside.items():
            (folder / name).write_bytes(data)


def told(one: Photograph, truth: dict[str, Any]) -> dict[str, Any]:
    """Return what the library says of the fields that a truth has."""
    noted = one.notes
    said = {
        **{name: getattr(noted, name) for name in ("rating", "label", "pick", "caption", "favourite")},
        "keywords": set(noted.keywords),
        "place": tuple(map(float, one.place.split(","))) if one.place else None,
        "edits": one.beside.edits if one.beside else (),
        "date": f"{one.taken} {one.dated_by}",
    }
    found = {name: said[name] for name in truth}
    if " " not in truth["date"]:  # whoever says it
        found["date"] = one.taken
    return found


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    with Library.open(empty_library(tmp_path / "family.twinlens", "colour")) as library:
        yield library


def by_name(library: Library, folder: Path) -> dict[str, Photograph]:
    return {str(Path(one.path).relative_to(folder)): one for one in photographs(library)}


def test_the_truth_of_a_family_is_read(library: Library, tmp_path: Path) -> None:
    folder = tmp_path / "family"
    write(folder)
    add(library, [folder], Adding(workers=1))
    found = by_name(library, folder)
    assert found.keys() == FAMILY_TRUTH.keys()
    assert {name: told(one, FAMILY_TRUTH[name]) for name, one in found.items()} == FAMILY_TRUTH


def test_changed_new_and_removed_sidecars_are_noticed(library: Library, tmp_path: Path) -> None:
    folder = tmp_path / "family"
    write(folder, (Case("a.jpg", {"a.jpg.xmp": xmp(xmp__Rating="4", exif__DateTimeOriginal="1957-07-01")}, {}),))

    def now() -> tuple[int, str | None, str]:
        add(library, [folder], Adding(workers=1))
        (one,) = photographs(library)
        return one.notes.rating, one.taken, one.dated_by

    assert now() == (4, "1957-07-01", "sidecar")
    (folder / "a.jpg.xmp").write_bytes(xmp(xmp__Rating="2"))
    assert now() == (2, "2015-06-07T10:11:12", "exif"), "the file's own date is known again"
    (folder / "a.jpg.json").write_bytes(takeout("1961-01-01T12:00:00"))
    assert now() == (2, "1961-01-01T12:00:00", "takeout")
    (folder / "copy.jpg").write_bytes((folder / "a.jpg").read_bytes())
    add(library, [folder], Adding(workers=1))
    assert by_name(library, folder)["copy.jpg"].taken == "2015-06-07T10:11:12", "a copy has its own file's date"
    (folder / "copy.jpg").unlink()
    add(library, [folder], Adding(workers=1))
    (folder / "b").mkdir()
    for name in ("a.jpg", "a.jpg.json"):
        (folder / name).rename(folder / "b" / name)
    add(library, [folder], Adding(workers=1))
    found = by_name(library, folder)["b/a.jpg"]
    assert (found.notes.rating, found.taken) == (0, "1961-01-01T12:00:00"), "the XMP file has stayed behind"
    (folder / "b" / "a.jpg.json").unlink()
    (folder / "a.jpg.xmp").unlink()
    add(library, [folder], Adding(workers=1))
    found = by_name(library, folder)["b/a.jpg"]
    assert (found.notes.rating, found.taken, found.beside) == (0, "2015-06-07T10:11:12", None)


HOSTILE = {
    "huge.json": b'{"photoTakenTime": {"timestamp": "1"}, "description": "' + b"x" * (2 << 20) + b'"}',
    "deep.json": b"[" * 200_000 + b"]" * 200_000,
    "digits.json": b'{"photoTakenTime": {"timestamp": ' + b"9" * 10_000 + b"}}",
    "nan.json": b'{"photoTakenTime": {"timestamp": NaN}, "geoData": {"latitude": Infinity, "longitude": 1e999}}',
    "list.json": b'{"photoTakenTime": {"timestamp": []}, "people": [1, {"name": {}}], "geoData": 3, "description": []}',
    "deep.xmp": b"<a>" * 100_000 + b"</a>" * 100_000,
    "bomb.xmp": b"<!DOCTYPE a [<!ENTITY b '" + b"x" * 9999 + b"'><!ENTITY c '&b;&b;&b;&b;'>]><a>&c;&c;&c;</a>",
    "outside.xmp": b"<!DOCTYPE a [<!ENTITY b SYSTEM 'file:///etc/passwd'>]><a>&b;</a>",
    "bytes.xmp": b"\xff\xfe\0<\0a",
}


def test_hostile_sidecars_say_nothing_and_harm_nothing(library: Library, tmp_path: Path) -> None:
    folder = tmp_path / "odd"
    folder.mkdir()
    names = [*HOSTILE, "link.xmp", "fifo.xmp", "folder.xmp"]
    for seed, name in enumerate(names):
        stem = name.rpartition(".")[0]
        (folder / f"{stem}{seed}.jpg").write_bytes(encode(scene(24, 16, seed), "JPEG"))
        beside = folder / f"{stem}{seed}.jpg.{name.rpartition('.')[2]}"
        if name in HOSTILE:
            beside.write_bytes(HOSTILE[name])
        elif name == "link.xmp":
            (tmp_path / "elsewhere.xmp").write_bytes(xmp(xmp__Rating="5"))
            beside.symlink_to(tmp_path / "elsewhere.xmp")
        elif name == "fifo.xmp":
            os.mkfifo(beside)
        else:
            beside.mkdir()
    (folder / "new\nline.jpg").write_bytes(encode(scene(24, 16, 99), "JPEG"))
    (folder / "new\nline.jpg.xmp").write_bytes(xmp(xmp__Rating="5"))
    result = add(library, [folder], Adding(workers=1))
    found = photographs(library)
    assert result.problems == 0
    assert len(found) == len(names) + 1
    assert [one.notes.rating for one in found if one.notes.rating] == [5], "that of the odd name alone"
    assert {one.dated_by for one in found} == {"file"}
