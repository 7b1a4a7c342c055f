"""Indexes side by side, and what a search answers and says of itself."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from app.indexes.indexes import NewIndex, create_index, delete_index, list_indexes, rename_index
from app.library.ingest.adding import Adding, add
from app.library.library import AUTOMATIC, Library
from app.library.maintenance import check_library
from app.search.search_query import Example, SearchOptions, SearchQuery
from app.search.search_results import SearchResult
from app.search.search_space import Filters
from app.search.searcher import Searcher, search
from core.errors import TwinlensError
from core.message import NOTHING
from tests.app.folders import write_scene, write_scenes
from tests.features.sample_pictures import encode, exif_block, scene

COUNT = 24


@pytest.fixture(scope="module")
def photographs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("photographs")
    write_scenes(folder, COUNT - 2)
    write_scene(folder / "tall" / "tall.jpg", 90, 240, 320)
    dated = encode(scene(320, 240, 91), "JPEG", exif=exif_block(1, "2023:05:14 11:08:00", "Canon", "Canon EOS R5"))
    (folder / "dated.jpg").write_bytes(dated)
    return folder


@pytest.fixture(scope="module")
def library(photographs: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    with Library.open(tmp_path_factory.mktemp("library") / "library.twinlens", create=True) as opened:
        add(opened, [photographs], Adding(workers=2))
        create_index(opened, NewIndex(descriptor="colour", method="itq:bits=32", name="Few bits"), workers=1)
        create_index(opened, NewIndex(descriptor="edges", method="lsh:bits=70"), workers=1)
        create_index(opened, NewIndex(descriptor="colour", search="exact", name="Exactly"), workers=1)
        yield opened


def one(library: Library, picture: Path | int, index: str = AUTOMATIC, filters: Filters = Filters()) -> SearchResult:
    return search(library, [picture], [index], SearchOptions(10, compare_exact=True, filters=filters)).results[0]


def test_every_index_finds_every_photograph_itself_first(library: Library) -> None:
    names = [index.name for index in list_indexes(library).indexes]
    assert names == [AUTOMATIC, "Colours", "Few bits", "edges · lsh:bits=70", "Exactly"]
    checked = search(library, [1, COUNT], names, SearchOptions(3)).results
    unchecked = search(library, list(range(1, COUNT + 1)), names, SearchOptions(3, check=False)).results
    for result in (*checked, *unchecked):
        assert result.hits[0].query
        assert result.hits[0].distance == 0
        assert result.hits[0].similarity == 1
        assert result.of == COUNT
    for result in unchecked:
        distances = [hit.distance for hit in result.hits]
        assert distances == sorted(distances)
        assert {hit.check for hit in result.hits} == {None}


@pytest.mark.parametrize("index", [AUTOMATIC, "Colours", "Few bits"])
def test_with_all_as_candidates_the_answer_is_the_exact_one(library: Library, photographs: Path, index: str) -> None:
    hashed = one(library, photographs / "0003.jpg", index)
    exactly = search(library, [photographs / "0003.jpg"], [index], SearchOptions(10, exact=True)).results[0]
    assert hashed.hits == exactly.hits
    assert (hashed.overlap, hashed.exact, exactly.exact) == (1.0, False, True)
    assert (hashed.scanned, exactly.scanned) == (COUNT, 0)
    assert hashed.looked_at == exactly.looked_at == COUNT


def test_a_query_from_outside_is_described_like_a_photograph_of_the_library(
    library: Library, photographs: Path, tmp_path: Path
) -> None:
    outside = tmp_path / "outside.jpg"
    outside.write_bytes((photographs / "0005.jpg").read_bytes())
    asked, known = one(library, outside), one(library, photographs / "0005.jpg")
    assert [(hit.id, hit.distance) for hit in asked.hits] == [(hit.id, hit.distance) for hit in known.hits]
    assert asked.seconds.extract > 0
    assert known.seconds.extract == 0
    assert one(library, photographs / "0005.jpg", "Colours").seconds.extract == 0
    assert not any(hit.query for hit in asked.hits)


def test_a_picture_may_come_as_bytes(library: Library, photographs: Path) -> None:
    data = (photographs / "0005.jpg").read_bytes()
    for index in (AUTOMATIC, "Colours"):
        result = search(library, [data], [index], SearchOptions(10)).results[0]
        known = one(library, photographs / "0005.jpg", index)
        assert [(hit.id, hit.distance) for hit in result.hits] == [(hit.id, hit.distance) for hit in known.hits]
        assert str(result.query) == "a picture"
    with pytest.raises(TwinlensError):
        search(library, [b"no picture"])


@pytest.mark.parametrize("index", [AUTOMATIC, "Colours"])
def test_a_part_is_described_as_if_it_were_cut_out(library: Library, tmp_path: Path, index: str) -> None:
    whole = scene(400, 300, 77)
    (tmp_path / "whole.png").write_bytes(encode(whole, "PNG"))
    (tmp_path / "part.png").write_bytes(encode(whole.crop((100, 75, 300, 270)), "PNG"))
    asked = SearchQuery((Example(tmp_path / "whole.png", region=(0.25, 0.25, 0.75, 0.9)),))
    part, cut = (search(library, [picture], [index]).results[0] for picture in (asked, tmp_path / "part.png"))
    assert [(hit.id, hit.distance) for hit in part.hits] == [(hit.id, hit.distance) for hit in cut.hits]
    assert str(part.query).endswith("whole.png (part)")


def test_a_part_of_a_photograph_of_the_library_needs_its_file(library: Library, photographs: Path) -> None:
    asked = SearchQuery((Example(3, region=(0.0, 0.0, 1.0, 1.0)),))
    result = one(library, photographs / "0002.jpg")
    whole = search(library, [asked], wanted=SearchOptions(10)).results[0]
    assert [(hit.id, hit.distance) for hit in whole.hits] == [(hit.id, hit.distance) for hit in result.hits]
    away = photographs / "0002.jpg"
    away.rename(away.with_suffix(".away"))
    try:
        alone = search(library, [3], wanted=SearchOptions(10)).results[0]
        assert alone.hits[0].id == result.hits[0].id == 3
        assert alone.scanned == result.scanned == COUNT
        assert alone.checked == result.checked > 0
        assert alone.seconds.extract == 0
        with pytest.raises(TwinlensError, match="is missing"):
            search(library, [asked])
    finally:
        away.with_suffix(".away").rename(away)


def test_who_asks_on_with_a_picture_from_outside_waits_no_second_time(library: Library, tmp_path: Path) -> None:
    outside = tmp_path / "outside.png"
    outside.write_bytes(encode(scene(200, 150, 78), "PNG"))
    searcher = Searcher(library)
    whole, part = Example(outside), Example(outside, region=(0, 0, 0.5, 0.5))
    first = searcher.search(SearchQuery((whole, part)))
    again = searcher.search(SearchQuery((whole, Example(outside, -0.5, (0, 0, 0.5, 0.5)))))
    assert (first.seconds.extract > 0, again.seconds.extract) == (True, 0)
    outside.write_bytes(encode(scene(200, 150, 79), "PNG"))
    assert searcher.search(SearchQuery((whole, part))).seconds.extract > 0


@pytest.mark.parametrize(
    ("filters", "expected"),
    [
        (Filters(orientation="portrait"), {"tall.jpg"}),
        (Filters(since="2023", until="2023-05"), {"dated.jpg"}),
        (Filters(camera="eos r5"), {"dated.jpg"}),
        (Filters(since="2024"), set()),
    ],
)
def test_a_filter_leaves_exactly_what_passes_it(
    library: Library, photographs: Path, filters: Filters, expected: set[str]
) -> None:
    for index in (AUTOMATIC, "Exactly"):
        hits = one(library, photographs / "0001.jpg", index, filters).hits
        assert {Path(hit.path).name for hit in hits} == expected


@pytest.mark.parametrize("date", ["yesterday", "2023-13", "2023-05-32", "14.5.2023", ""])
def test_what_is_no_date_is_refused(library: Library, date: str) -> None:
    for filters in (Filters(since=date), Filters(until=date)):
        with pytest.raises(TwinlensError, match="2023-05-14"):
            one(library, 1, filters=filters)


def test_a_folder_filters_too(library: Library, photographs: Path) -> None:
    hits = one(library, photographs / "0001.jpg", filters=Filters(folder=photographs / "tall")).hits
    assert [Path(hit.path).name for hit in hits] == ["tall.jpg"]
    with pytest.raises(TwinlensError, match="no photos in"):
        one(library, photographs / "0001.jpg", filters=Filters(folder=photographs / "nowhere"))


def test_names_are_looked_up_kindly(library: Library) -> None:
    assert one(library, 1, "colours").index == "Colours"
    with pytest.raises(TwinlensError, match=r"no index “Shapes”\. The library has: Automatic"):
        one(library, 1, "Shapes")


@pytest.mark.parametrize(
    ("picture", "words"),
    [(Path("nowhere.jpg"), "no picture"), (Path(), "is a folder"), (4711, "number 4711")],
)
def test_a_query_that_cannot_be_is_a_sentence(library: Library, picture: Path | int, words: str) -> None:
    with pytest.raises(TwinlensError, match=words):
        one(library, picture)


def test_a_flat_picture_says_that_it_has_no_edges(library: Library, tmp_path: Path) -> None:
    from PIL import Image

    (tmp_path / "flat.png").write_bytes(encode(Image.new("RGB", (300, 200), (10, 120, 200)), "PNG"))
    edges = "edges · lsh:bits=70"
    result = one(library, tmp_path / "flat.png", edges)
    assert "too little to compare" in str(result.note)
    assert {hit.similarity for hit in result.hits} == {0.0}
    assert one(library, tmp_path / "flat.png", "Colours").note == NOTHING
    assert one(library, tmp_path / "flat.png").note == NOTHING  # its colours speak for it
    asked = [SearchQuery((Example(1), Example(tmp_path / "flat.png", -1.0)))]
    beside = search(library, asked, [edges], SearchOptions(10)).results[0]
    assert "flat.png shows too little to compare" in str(beside.note)
    assert beside.hits == search(library, [1], [edges], SearchOptions(10)).results[0].hits


def test_an_index_can_be_renamed_and_deleted_but_the_automatic_one_stays(library: Library) -> None:
    create_index(library, NewIndex(descriptor="edges:", method="itq:bits=8", name="Passing"), workers=1)
    assert rename_index(library, "Passing", "Renamed").name == "Renamed"
    with pytest.raises(TwinlensError):
        rename_index(library, "Renamed", "Colours")
    assert "Renamed" not in [index.name for index in delete_index(library, "Renamed").indexes]
    with pytest.raises(TwinlensError, match="cannot be deleted"):
        delete_index(library, AUTOMATIC)


def test_an_index_that_can_never_be_learned_is_refused_before_any_photograph_is_read(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.library.ingest.ingest.read_photographs", lambda *_: pytest.fail("photos were read"))
    before = list_indexes(library)
    with pytest.raises(TwinlensError, match=r"here 80, not 81"):
        create_index(library, NewIndex(descriptor="edges", method="itq:bits=81"))
    assert list_indexes(library) == before


def test_a_search_without_an_index_finds_the_automatic_one_under_any_name(library: Library) -> None:
    rename_index(library, AUTOMATIC, "Mine")
    try:
        assert search(library, [1]).results[0].index == "Mine"
        with pytest.raises(TwinlensError, match="Choose another name"):
            rename_index(library, "Few bits", AUTOMATIC)
        with pytest.raises(TwinlensError, match="Choose another name"):
            create_index(library, NewIndex(descriptor="colour", name=AUTOMATIC))
    finally:
        rename_index(library, "Mine", AUTOMATIC)


def test_what_cannot_be_built_leaves_no_index(library: Library) -> None:
    before = [index.name for index in list_indexes(library).indexes]
    for descriptor, method in (
        ("colour", "itq:bits=16384"),
        ("colour", "itq:bits=0"),
        ("shape", "itq"),
        ("colour", "x"),
    ):
        with pytest.raises(TwinlensError):
            create_index(library, NewIndex(descriptor=descriptor, method=method, name="Impossible"), workers=1)
    assert [index.name for index in list_indexes(library).indexes] == before


def test_an_index_made_before_any_photograph_is_built_when_they_come(photographs: Path, tmp_path: Path) -> None:
    with Library.open(tmp_path / "library.twinlens", create=True) as library:
        made = create_index(library, NewIndex(descriptor="edges", method="lsh:bits=64", name="Early"))
        assert (made.photographs, made.fitted_on) == (0, None)
        add(library, [photographs / "tall"], Adding(workers=1))
        early = next(index for index in list_indexes(library).indexes if index.name == "Early")
        assert (early.photographs, early.waiting, early.fitted_on) == (1, 0, 1)


def test_a_vocabulary_of_its_own_stands_beside_the_ready_made_one(library: Library, photographs: Path) -> None:
    made = create_index(
        library, NewIndex(descriptor="vlad:centres=8,vocabulary=own", method="lsh:bits=64", name="Own words"), workers=1
    )
    assert made.waiting == 0
    assert one(library, photographs / "0004.jpg", "Own words").hits[0].query
    delete_index(library, "Own words")
    assert check_library(library).findings == []
