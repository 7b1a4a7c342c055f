"""What lies beside photographs, a RAW file's JPEG too, decides which copy is kept, and goes with an equal file."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path

import pytest
from PIL import Image

from tests.app.disposal.moved_world import contents, name_of
from tests.app.folders import added
from tests.app.private_trash import LINUX
from tests.features.by_hand import dng
from tests.features.copies.bursts import rich
from tests.features.live_photos import TAKEN, film, live_picture
from tests.features.sample_pictures import encode
from twinlens.app.disposal.disposal import dispose, restore_photographs
from twinlens.app.disposal.disposal_plan import DisposalPlan, plan_disposal
from twinlens.app.disposal.disposal_results import CleaningPlan, disposal_log
from twinlens.app.duplicates.comparing.comparison import compare_pictures
from twinlens.app.duplicates.decisions import keep_choices
from twinlens.app.duplicates.duplicates import choices, known_duplicates, proposed, result_of
from twinlens.app.duplicates.groups import DuplicateKind, DuplicatesQuery, PhotoGroup
from twinlens.app.duplicates.keeper_rules import Fate, KeeperRules
from twinlens.app.duplicates.sidecar_files import name_beside, sidecar_files
from twinlens.app.library.library import Library

IDENTIFIER, OTHER = "3F2504E0-4F89-11D3-9A0C-0305E82C3301", "11111111-4F89-11D3-9A0C-0305E82C3301"

# --- names -----------------------------------------------------------------------------------------------------------
LONG = "Screenshot_20190202-100000_Some long app name.jpg"  # of more than 46 characters


@pytest.mark.parametrize(
    ("photograph", "name"),
    [
        *(("a.jpg", f"a.jpg.{one}") for one in ("xmp", "pp3", "dop", "on1", "arp", "nksc", "cos", "rrdata", "json")),
        *(("a.jpg", f"a.{one}") for one in ("xmp", "aae", "on1", "vrd", "dr4", "acr", "photo-edit", "wav", "json")),
        *(("A.JPG", one) for one in ("a.xmp", "A.jpg.Pp3", "a.jpg.DOP", "A.WAV", "a_hevc.mov")),
        ("a.jpg", "a_01.jpg.xmp"),
        ("a.cr2", "a_0012.CR2.XMP"),
        ("IMG_1234.heic", "IMG_O1234.aae"),
        ("a.heic", "a_HEVC.MOV"),
        ("PXL_1.MP.jpg", "PXL_1.MP"),
        ("PXL_1.MP.jpg", "PXL_1.MP.mp4"),
        ("a.dng", "a.mov"),
        ("a(1).jpg", "a(1).xmp"),
        ("a(1).jpg", "a.jpg(1).json"),
        ("a(12).jpg", "a.jpg.supplemental-metadata(12).json"),
        ("a(1).jpg", "a(1).jpg.json"),
        (LONG, LONG[:46] + ".json"),
        *(("a.jpg", f"a.jpg{'.supplemental-metadata'[:length]}.json") for length in range(1, 23)),
    ],
)
def test_names_of_companions(tmp_path: Path, photograph: str, name: str) -> None:
    for one in (photograph, name):
        (tmp_path / one).write_bytes(b"")
    path = os.fsencode(tmp_path / photograph)
    assert [name_of(one) for one in sidecar_files(path)] == [name]
    for kept in ("X.heic", "IMG_7.jpg"):
        beside = name_beside(os.fsencode(tmp_path / "kept" / kept), os.fsencode(tmp_path / name), path)
        (tmp_path / "kept").mkdir(exist_ok=True)
        for path_kept in (os.fsencode(tmp_path / "kept" / kept), beside):
            Path(os.fsdecode(path_kept)).write_bytes(b"")
        assert sidecar_files(os.fsencode(tmp_path / "kept" / kept)) == [beside], "it is found there under its new name"
        Path(os.fsdecode(beside)).unlink()


@pytest.mark.parametrize(
    ("photograph", "name"),
    [
        ("a.jpg", "a.jpg(1).json"),
        ("a(1).jpg", "a.jpg(2).json"),
        ("a(1).jpg", "a.jpg.json"),
        ("a(1).jpg", "a.mov"),
        ("a.jpg", "a.jpg.supplemental-other.json"),
        ("a.jpg", "metadata.json"),
        ("a.jpg", "ab.jpg.json"),
        ("a.jpg", "a_1.jpg.xmp"),
        ("a.jpg", "a_HEVC.heic"),
        ("a.jpg", "a.thm"),
        ("a.cr2", "a.mov"),
        (LONG, LONG[:40] + ".json"),
        ("IMG_12.heic", "IMG_O1.aae"),
    ],
)
def test_names_of_others(tmp_path: Path, photograph: str, name: str) -> None:
    for one in (photograph, name):
        (tmp_path / one).write_bytes(b"")
    assert sidecar_files(os.fsencode(tmp_path / photograph)) == []


def test_what_is_of_another_picture_rather(tmp_path: Path) -> None:
    for one in ("a.jpg", "a_01.jpg", "a_01.jpg.xmp", "A.JPG", "a.jpg.dop", "a.jpg.json", "a(1).jpg", "a.jpg(1).json"):
        (tmp_path / one).write_bytes(b"")
    found = {one.name: [name_of(each) for each in sidecar_files(bytes(one))] for one in tmp_path.iterdir()}
    assert found["a.jpg"] == ["a.jpg.dop", "a.jpg.json"]
    assert found["a_01.jpg"] == ["a_01.jpg.xmp"]
    assert found["a(1).jpg"] == ["a.jpg(1).json"]
    assert found["A.JPG"] == []


# --- which copy is kept, and what goes -------------------------------------------------------------------------------
@dataclass(frozen=True)
class Case:
    """Two identical photographs, ``a/NAME`` and ``b/NAME``, with what lies beside each, and what is right.

    The one kept is that in the folder `kept`. The other one `goes`, with `along` (to the trash, as equals stay); or it
    stays for what lies beside it alone.
    """

    a: Mapping[str, bytes] = field(default_factory=dict)
    b: Mapping[str, bytes] = field(default_factory=dict)
    kept: str = "a"
    reason: str = "Byte-for-byte copies: the one in “{kept}” stays"
    goes: bool = True
    along: tuple[str, ...] = ()
    name: str = "IMG_1.jpg"
    identifier: str = ""


FILM, EDITS, NOTES = "has its film", "has its edits", "has its notes"
LACKING = "Each of these copies has files beside it that another one lacks."
RAW = live_picture(seed=1000)  # stands for the other file of one shot
ANOTHER_DAY = film(made=TAKEN + timedelta(days=3, minutes=4))
CASES = {
    **{
        f"film {name} {ending}": Case({}, {f"IMG_1.{ending}": film()}, "b", FILM, name=name)
        for name in ("IMG_1.jpg", "IMG_1.HEIC")
        for ending in ("mov", "MOV", "mp4")
    },
    "film that cannot be read": Case({}, {"IMG_1.MOV": b"film"}, "b", FILM),
    "film from iCloud": Case({}, {"IMG_1_HEVC.MOV": film()}, "b", FILM),
    "film in another zone": Case(
        {}, {"IMG_1.mov": film(made=TAKEN - timedelta(hours=5, minutes=45, seconds=2))}, "b", FILM
    ),
    "film without a date": Case({}, {"IMG_1.mov": film(made=None)}, "b", FILM),
    "film of its identifier": Case(
        {}, {"IMG_1.mov": film(9, TAKEN + timedelta(days=3), IDENTIFIER)}, "b", FILM, identifier=IDENTIFIER
    ),
    "film of another identifier": Case({}, {"IMG_1.mov": film(identifier=OTHER)}, identifier=IDENTIFIER),
    "unrelated long film": Case({}, {"IMG_1.mp4": film(34)}),
    "unrelated film of another day": Case({}, {"IMG_1.mp4": ANOTHER_DAY}),
    "equal films": Case({"IMG_1.mov": film()}, {"IMG_1.mov": film()}, along=("IMG_1.mov",)),
    "equal unrelated films": Case({"IMG_1.mov": film(34)}, {"IMG_1.mov": film(34)}),
    "edits": Case({}, {"IMG_1.xmp": b"<x/>"}, "b", EDITS),
    "edits of the whole name": Case({}, {"IMG_1.jpg.XMP": b"<x/>"}, "b", EDITS),
    "edits of Apple": Case({}, {"IMG_1.AAE": b"a", "IMG_O1.AAE": b"o"}, "b", EDITS),
    "equal edits": Case({"IMG_1.xmp": b"<x/>"}, {"IMG_1.jpg.xmp": b"<x/>"}, along=("IMG_1.jpg.xmp",)),
    "other edits": Case({"IMG_1.xmp": b"<x/>"}, {"IMG_1.xmp": b"<other/>"}, reason=LACKING, goes=False),
    "other edits of the same size": Case({"IMG_1.xmp": b"<x/>"}, {"IMG_1.xmp": b"<y/>"}, reason=LACKING, goes=False),
    "sidecars of other programs": Case({}, {f"IMG_1.jpg.{one}": b"x" for one in ("pp3", "dop", "json")}, "b", EDITS),
    "voice": Case({}, {"IMG_1.WAV": b"RIFF"}, "b", "has its voice note"),
    "notes of Takeout": Case({}, {"IMG_1.jpg.supplemental-metadata.json": b"{}"}, "b", NOTES),
    "notes cut short": Case({}, {"IMG_1.jpg.suppl.json": b"{}"}, "b", NOTES),
    "numbered notes": Case({}, {"IMG_1.jpg(2).json": b"{}"}, "b", NOTES, name="IMG_1(2).jpg"),
    "each lacks one": Case({"IMG_1.mov": film()}, {"IMG_1.xmp": b"<x/>"}, reason=LACKING, goes=False),
    "each lacks one, and one has more": Case(
        {"IMG_1.xmp": b"<x/>"}, {"IMG_1.mov": film(), "IMG_1.wav": b"RIFF"}, "b", "", goes=False
    ),
    "shared with a raw file": Case({}, {"IMG_1.cr2": b"raw", "IMG_1.xmp": b"<x/>"}, "b", EDITS),
    "shared by two": Case({"IMG_1.xmp": b"<x/>", "IMG_1.jpeg": RAW}, {"IMG_1.xmp": b"<y/>", "IMG_1.jpeg": RAW}),
    "one that has gone astray": Case({"IMG_2.xmp": b"<x/>", "IMG_10.mov": film()}, {}),
}


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    """Return a library of all cases, each in a folder of its name."""
    root = tmp_path_factory.mktemp("companions")
    for seed, (name, case) in enumerate(CASES.items()):
        form = "HEIF" if case.name.endswith("HEIC") else "JPEG"
        picture = live_picture(form, case.identifier, seed=seed)
        for folder, beside in (("a", case.a), ("b", case.b)):
            place = root / "photographs" / name / folder
            place.mkdir(parents=True)
            for file, content in {case.name: picture, **beside}.items():
                (place / file).write_bytes(content)
    added(root / "family.twinlens", root / "photographs")
    with Library.open(root / "family.twinlens") as opened:
        yield opened


def of(groups: list[PhotoGroup] | tuple[PhotoGroup, ...], name: str) -> PhotoGroup:
    return next(one for one in groups if f"/{name}/".encode() in one.keeper.path)


@pytest.mark.parametrize("name", CASES)
def test_which_copy_is_kept(library: Library, name: str) -> None:
    case, found = CASES[name], known_duplicates(library)
    group = of(found.groups, name)
    (listed,) = result_of(found, [group]).groups
    (member,) = listed.members
    assert Path(listed.keeper.path).parent.name == case.kept
    if case.reason:
        assert case.reason.format(kept=case.kept) in str(listed.reason)
    planned = plan_disposal(library, choices([group]))
    if case.goes:
        assert (member.goes, member.held, member.alone, str(listed.warning)) == (True, False, [], "")
        (file,) = planned.files
        assert tuple(name_of(one.path) for one in file.companions) == case.along
        assert all(one.equal is not None and one.moves_to is None for one in file.companions)
        assert planned.refused == ()
        return
    (refused,) = planned.refused
    assert refused.held
    assert planned.held == 1
    assert "no equal beside the photo that is kept" in str(refused.reason)
    assert planned.files == ()
    assert (member.goes, member.held) == (False, True)
    assert str(listed.warning) in str(refused.reason)
    assert not group.going
    assert found.bytes == sum(one.photograph.bytes for one in found.going)


def test_what_has_no_equal_is_named(library: Library) -> None:
    rules = KeeperRules.of_text("never:b")
    groups = known_duplicates(library, rules).groups
    for name, words in (
        ("film IMG_1.jpg mov", "IMG_1.mov, a film, has no equal beside the photo that is kept."),
        ("edits", "IMG_1.xmp, which has edits, has no equal beside the photo that is kept."),
        ("voice", "IMG_1.WAV, a voice note, has no equal beside the photo that is kept."),
        ("notes cut short", "IMG_1.jpg.suppl.json, which has notes, has no equal beside the photo that is kept."),
        ("edits of Apple", "IMG_1.AAE, IMG_O1.AAE have no equal beside the photo that is kept."),
    ):
        (refused,) = plan_disposal(library, choices([of(groups, name)])).refused
        assert str(refused.reason).startswith(words)


def test_what_is_shared_with_one_that_stays_stays(library: Library) -> None:
    group = of(known_duplicates(library, KeeperRules.of_text("never:b")).groups, "shared with a raw file")
    (file,) = plan_disposal(library, choices([group])).files
    assert file.path.endswith(b"b/IMG_1.jpg")
    assert file.companions == ()


def test_what_is_no_copy_goes_with_all_that_is_part_of_it(library: Library) -> None:
    group = of(known_duplicates(library).groups, "each lacks one")
    (file,) = plan_disposal(library, [choices([group])[0]._replace(kind="series")]).files
    assert [(name_of(one.path), one.moves_to, one.equal) for one in file.companions] == [("IMG_1.xmp", None, None)]


def test_what_two_share_holds_both(library: Library) -> None:
    groups = [one for one in known_duplicates(library).groups if b"/shared by two/" in one.keeper.path]
    planned = plan_disposal(library, choices(groups))
    assert planned.files == ()
    assert sorted(Path(one.path).name for one in planned.refused) == ["IMG_1.jpeg", "IMG_1.jpg"]
    assert planned.held == 2
    first, last = plan_disposal(library, choices(groups[:1])).files, plan_disposal(library, choices(groups[1:])).files
    assert [one.companions for one in (*first, *last)] == [(), ()], "one alone leaves it to the other"


def test_a_plan_tells_what_it_takes_along(library: Library) -> None:
    group = of(known_duplicates(library).groups, "each lacks one")
    told = CleaningPlan.of(plan_disposal(library, choices([group]), take_along=True))
    (file,) = told.files
    assert [Path(one).name for one in file.taken_along] == ["IMG_1.xmp"]
    assert (file.companions, told.held, told.bytes) == ([], 0, group.members[0].photograph.bytes)


# --- taken along -----------------------------------------------------------------------------------------------------
@dataclass(frozen=True)
class Pair:
    """A library of two identical photographs: ``a/IMG_1_copy.jpg`` is kept, ``b/IMG_1.jpg`` goes."""

    photos: Path
    path: Path

    def cleaned(self, *, take_along: bool = True, destination: Path | None = None) -> DisposalPlan:
        with Library.open(self.path) as library:
            query = DuplicatesQuery(rules=KeeperRules.of_text("never:b"))
            made = proposed(library, query, destination, take_along=take_along)
            assert not dispose(library, made).left
            return made

    def files(self) -> dict[str, bytes]:
        return contents(self.photos)


@pytest.fixture(scope="module")
def made_pair(tmp_path_factory: pytest.TempPathFactory) -> Pair:
    """Return a pair that nothing lies beside."""
    root = tmp_path_factory.mktemp("pair")
    pair = Pair(root / "photographs", root / "pair.twinlens")
    for name in ("a/IMG_1_copy.jpg", "b/IMG_1.jpg"):
        (pair.photos / name).parent.mkdir(parents=True)
        (pair.photos / name).write_bytes(live_picture())
    added(pair.path, pair.photos)
    return pair


@pytest.fixture
def pair(made_pair: Pair, private_trash: Path, tmp_path: Path) -> Iterator[Pair]:
    """Return the pair with a film, edits and notes beside the one that goes; afterwards it is as it was made."""
    beside = made_pair.photos / "b"
    kept = shutil.copytree(made_pair.photos, tmp_path / "as-made")
    for name, content in {"IMG_1.mov": film(), "IMG_1.jpg.xmp": b"<x/>", "IMG_1.jpg.suppl.json": b"{}"}.items():
        (beside / name).write_bytes(content)
    yield Pair(made_pair.photos, Path(shutil.copy(made_pair.path, tmp_path)))
    shutil.rmtree(made_pair.photos)
    shutil.copytree(kept, made_pair.photos)


ALONG = {"a/IMG_1_copy.mov", "a/IMG_1_copy.jpg.xmp", "a/IMG_1_copy.jpg.suppl.json"}


@LINUX
@pytest.mark.parametrize("folder", [None, "away"])
def test_taken_along_and_brought_back(pair: Pair, tmp_path: Path, private_trash: Path, folder: str | None) -> None:
    before = pair.files()
    times = {path: path.stat().st_mtime_ns for path in pair.photos.rglob("*.*")}
    assert pair.cleaned(take_along=False).held == 1
    assert pair.files() == before
    pair.cleaned(destination=None if folder is None else tmp_path / folder)
    after = pair.files()
    assert set(after) == {"a/IMG_1_copy.jpg", *ALONG}
    assert sorted(after.values()) == sorted(set(before.values()))
    gone = contents(private_trash / "files" if folder is None else tmp_path / folder)
    assert list(gone) == ["IMG_1.jpg"]
    with Library.open(pair.path) as library:
        (entry,) = disposal_log(library)
        result = restore_photographs(library, entry.run, workers=1)
    assert (result.restored, result.companions, result.left) == (1, 3, [])
    assert pair.files() == before
    assert {path: path.stat().st_mtime_ns for path in times} == times


@LINUX
def test_a_name_that_is_taken(pair: Pair) -> None:
    (pair.photos / "a" / "IMG_1_copy.mov").write_bytes(b"another film")
    before = pair.files()
    (refused,) = pair.cleaned().refused
    assert not refused.held
    assert "another file beside the photo that is kept has the name IMG_1_copy.mov" in str(refused.reason)
    assert pair.files() == before


@LINUX
def test_equals_stay_where_they_are(pair: Pair) -> None:
    shutil.copy(pair.photos / "b" / "IMG_1.mov", pair.photos / "a" / "IMG_1_copy.MOV")
    (file,) = pair.cleaned().files
    assert {name_of(one.path): one.moves_to is None for one in file.companions} == {
        "IMG_1.mov": True,
        "IMG_1.jpg.xmp": False,
        "IMG_1.jpg.suppl.json": False,
    }
    assert set(pair.files()) == {"a/IMG_1_copy.jpg", "a/IMG_1_copy.MOV", *ALONG} - {"a/IMG_1_copy.mov"}


@LINUX
def test_an_equal_that_has_changed_since_the_plan(pair: Pair) -> None:
    equal = pair.photos / "a" / "IMG_1_copy.mov"
    shutil.copy(pair.photos / "b" / "IMG_1.mov", equal)
    with Library.open(pair.path) as library:
        made = proposed(library, DuplicatesQuery(rules=KeeperRules.of_text("never:b")), take_along=True)
        status = equal.stat()
        equal.write_bytes(equal.read_bytes()[:-1] + b"x")
        os.utime(equal, ns=(status.st_atime_ns, status.st_mtime_ns))
        before = pair.files()
        (left,) = dispose(library, made).left
    assert "IMG_1_copy.mov, which lies beside the photo kept, was changed" in str(left.reason)
    assert pair.files() == before


@LINUX
def test_what_two_copies_have_alone_meets_beside_the_one_that_is_kept(pair: Pair, tmp_path: Path) -> None:
    (pair.photos / "c").mkdir()
    for one in (pair.photos / "b").iterdir():
        shutil.copy2(one, pair.photos / "c" / one.name)
    (pair.photos / "c" / "IMG_1.jpg.xmp").write_bytes(b"<other/>")
    (pair.photos / "b" / "IMG_1.jpg.xmp").unlink()
    added(pair.path, pair.photos)
    with Library.open(pair.path) as library:
        made = proposed(library, DuplicatesQuery(rules=KeeperRules.of_text("never:b,never:c")), take_along=True)
        first, second = made.files
        assert [one.equal for one in second.companions if name_of(one.path) == "IMG_1.mov"] == [
            one.moves_to for one in first.companions if name_of(one.path) == "IMG_1.mov"
        ]
        assert dispose(library, made).moved == 2
    assert set(pair.files()) == {"a/IMG_1_copy.jpg", *ALONG}


DATE = "2023:05:14 11:08:00"  # of the camera that `dng` makes up


def jpeg(image: Image.Image, quality: int = 93) -> bytes:
    notes = Image.Exif()
    notes[0x0110] = "Twinlens One"
    notes.get_ifd(0x8769)[0x9003] = DATE
    return encode(image, "JPEG", quality=quality, exif=notes)


@pytest.fixture
def raw_folder(tmp_path: Path, private_trash: Path) -> Path:
    """Write three shots: one beside its RAW, one of another name elsewhere, one with a smaller copy of its JPEG."""
    folder = tmp_path / "photographs"
    (folder / "export").mkdir(parents=True)
    places = ("IMG_0.jpg", "export/P100.jpg", "IMG_2.jpg")
    for number, place in enumerate(places):
        image = Image.fromarray(rich(number))
        (folder / f"IMG_{number}.dng").write_bytes(
            dng(image, preview=encode(image, "JPEG", quality=60), preview_size=image.size)
        )
        (folder / place).write_bytes(jpeg(image))
        (folder / f"IMG_{number}.xmp").write_text("<x/>")
    half = image.resize((320, 240), Image.Resampling.LANCZOS)
    (folder / "export" / "IMG_2.jpg").write_bytes(jpeg(half, 85))
    return folder


def test_raw_and_jpeg_are_one_shot_and_only_copies_go(raw_folder: Path, tmp_path: Path) -> None:
    added(tmp_path / "raw.twinlens", raw_folder)
    with Library.open(tmp_path / "raw.twinlens") as library:
        compare_pictures(library)
        found = known_duplicates(library)
        assert [one.kinds >= {DuplicateKind.RAW} for one in found.groups] == [True] * 3
        for one in found.groups:
            assert {each.format for each in one.photographs} == {"RAW", "JPEG"}
            assert not [each for each in one.going if each.kind is DuplicateKind.RAW]
        assert [Path(os.fsdecode(each.path)).name for each in proposed(library).files] == ["IMG_2.jpg"]

        # One that a person lets go leaves what both share; with the last of both it goes, too.
        ids = {Path(each.path.decode()).name: each.id for one in found.groups for each in one.photographs}
        keep_choices(library, {ids["IMG_0.dng"]: Fate.GOES})
        moved = dispose(library, plan_disposal(library, choices(known_duplicates(library).groups)))
        assert not moved.left
        assert not (raw_folder / "IMG_0.dng").exists()
        assert (raw_folder / "IMG_0.jpg").exists()
        assert (raw_folder / "IMG_0.xmp").exists(), "it is of the JPEG, too"
        assert not (raw_folder / "export" / "IMG_2.jpg").exists()

        keep_choices(library, {ids["IMG_1.dng"]: Fate.GOES})
        dispose(library, plan_disposal(library, choices(known_duplicates(library).groups)))
        assert not (raw_folder / "IMG_1.xmp").exists(), "no other picture has this name"
        assert {one.name for one in raw_folder.rglob("*.jpg")} == {"IMG_0.jpg", "P100.jpg", "IMG_2.jpg"}
