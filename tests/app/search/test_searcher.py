"""The searcher: what it answers and says of itself, without loading twice; a bad picture costs a sentence."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.app.extractors import ABORT, HANG, MEMORY, RAISE, MishapBefore
from tests.app.folders import Libraries, added, write_scene, write_scenes
from tests.app.made_library import EXACTLY, FEW_BITS, LEARNED, histograms, make
from tests.features.sample_pictures import encode, exif_block, scene
from twinlens.app.cli.main import main
from twinlens.app.compare.columns import ComparisonColumn
from twinlens.app.compare.comparison import ComparisonSettings, compare_indexes
from twinlens.app.indexes.fitted_models import load_extractors
from twinlens.app.indexes.indexes import create_index, delete_index, list_indexes, rename_index
from twinlens.app.indexes.new_index import NewIndex
from twinlens.app.library.ingest.adding import Adding, add
from twinlens.app.library.library import AUTOMATIC, Library
from twinlens.app.library.maintenance import check_library
from twinlens.app.library.workers import decoders
from twinlens.app.library.workers.decoding_tasks import WorkerLimits
from twinlens.app.search.search_options import Filters, SearchOptions
from twinlens.app.search.search_query import Example, SearchQuery
from twinlens.app.search.search_results import SearchResult
from twinlens.app.search.searcher import Searcher, search
from twinlens.core.errors import TwinlensError
from twinlens.core.exact_search.measure import Measure
from twinlens.core.kernels.histogram_kernels import Hellinger
from twinlens.core.message import NOTHING
from twinlens.features.descriptor import Extractor
from twinlens.storage.library.store import Transaction
from twinlens.storage.photographs.descriptors import KindRow

COUNT = 300
VECTORS = histograms(COUNT)
INDEXES = (FEW_BITS, LEARNED, EXACTLY)
NAMES = [name for name, *_ in INDEXES]


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    with make(tmp_path_factory.mktemp("library") / "made.twinlens", VECTORS, INDEXES) as opened:
        yield opened


def plain_answer(question: SearchQuery, k: int, allowed: set[int]) -> list[tuple[int, float]]:
    """Rank every photograph by the formula."""
    stored = VECTORS.astype(np.float16).astype(np.float32)
    measure = Measure(Hellinger())
    liked = sum(max(0, example.weight) for example in question.examples)
    unlike = sum(example.weight < 0 for example in question.examples)
    counts = [w if (w := example.weight) > 0 else 0.2 * liked * w / unlike for example in question.examples]
    total = sum(abs(count) for count in counts)
    score = np.zeros(COUNT)
    for example, count in zip(question.examples, counts, strict=True):
        assert isinstance(example.picture, int)
        score += count * (1 - measure.distances(stored[example.picture - 1], stored) ** 2 / 2) / total
    ranked = sorted(
        (round(float(2 - 2 * one), 9), place + 1) for place, one in enumerate(score) if place + 1 in allowed
    )
    return [(place, max(0.0, 1 - squared / 2)) for squared, place in ranked[:k]]


examples = st.builds(Example, st.integers(1, COUNT), st.floats(-2, 2).filter(lambda weight: abs(weight) > 0.1))
questions = (
    st.lists(examples, min_size=1, max_size=4)
    .filter(lambda some: max(example.weight for example in some) > 0)
    .map(lambda some: SearchQuery(tuple(some)))
)
filters = st.sampled_from([Filters(), Filters(orientation="portrait"), Filters(since="2005", camera="camera 1")])


def allowed_by(one: Filters) -> set[int]:
    ids = range(1, COUNT + 1)
    if one.orientation:
        return {i for i in ids if i % 2 == 0}
    return {i for i in ids if not one.since or (i % 20 >= 5 and i % 3 == 1)}


@given(question=questions, index=st.sampled_from(["Exactly", "Few bits", "Learned"]), filters=filters)
@settings(max_examples=40)
def test_the_exact_answer_is_the_plain_one(
    library: Library, question: SearchQuery, index: str, filters: Filters
) -> None:
    result = Searcher(library).search(question, index, SearchOptions(k=12, exact=True, filters=filters))
    expected = plain_answer(question, 12, allowed_by(filters))
    assert len(result.hits) == len(expected)
    assert [hit.similarity for hit in result.hits] == pytest.approx(
        [similarity for _, similarity in expected], abs=2e-6
    )
    ties = np.diff([similarity for _, similarity in expected], prepend=2, append=-1)
    sure = [place for place in range(len(expected) - 1) if -ties[place] > 1e-5 and -ties[place + 1] > 1e-5]
    assert [result.hits[place].id for place in sure] == [expected[place][0] for place in sure]
    assert result.exact
    assert result.looked_at == len(allowed_by(filters))


@given(question=questions, index=st.sampled_from(["Few bits", "Learned"]), filters=filters, k=st.integers(1, 30))
@settings(max_examples=40)
def test_hits_and_misses_together_are_the_exact_answer(
    library: Library, question: SearchQuery, index: str, filters: Filters, k: int
) -> None:
    searcher = Searcher(library)
    result = searcher.search(question, index, SearchOptions(k=k, compare_exact=True, filters=filters))
    truth = searcher.search(question, index, SearchOptions(k=k, exact=True, filters=filters)).hits
    hits = {hit.id for hit in result.hits}
    assert [(one.rank, one.id, one.path, one.similarity) for one in result.missed] == [
        (rank, hit.id, hit.path, hit.similarity) for rank, hit in enumerate(truth, 1) if hit.id not in hits
    ]
    assert result.overlap == pytest.approx(1 - len(result.missed) / len(truth))
    assert result.exact_seconds is not None
    assert hits <= allowed_by(filters)
    liked = sum(example.weight > 0 for example in question.examples)
    assert result.scanned == liked * result.of
    assert result.looked_at >= len(result.hits)


def test_few_bits_miss_something_and_say_what(library: Library) -> None:
    results = search(library, list(range(1, 21)), ["Few bits"], SearchOptions(k=10, compare_exact=True)).results
    assert any(result.missed for result in results)
    silent = search(library, [1], ["Few bits"], SearchOptions(k=10)).results[0]
    assert (silent.missed, silent.overlap, silent.exact_seconds) == ([], None, None)


def test_candidates_of_every_liked_example_are_ranked(library: Library) -> None:
    searcher = Searcher(library)
    singles = [searcher.search(picture, "Few bits", SearchOptions(k=5)).hits for picture in (3, 200)]
    both = searcher.search(SearchQuery((Example(3), Example(200), Example(9, -0.5))), "Few bits", SearchOptions(k=400))
    reached = {hit.id for hit in both.hits}
    assert {hit.id for hits in singles for hit in hits} <= reached
    assert {hit.id for hit in both.hits if hit.query} == {3, 200, 9} & reached
    assert str(both.query).count(" + ") == str(both.query).count(" − ") == 1


def test_a_negative_example_turns_its_like_away(library: Library) -> None:
    searcher = Searcher(library)
    like = searcher.search(7, "Exactly", SearchOptions(k=COUNT))
    twin = next(hit.id for hit in like.hits if not hit.query)
    against = searcher.search(SearchQuery((Example(7), Example(twin, -1.0))), "Exactly", SearchOptions(k=COUNT))
    ranks = [[hit.id for hit in result.hits].index(twin) for result in (like, against)]
    assert ranks[0] < ranks[1]


@pytest.mark.parametrize("weights", [(), (-1.0,), (0.0, -2.0)])
def test_a_question_without_anything_to_be_like_is_refused(library: Library, weights: tuple[float, ...]) -> None:
    question = SearchQuery(tuple(Example(1 + i, weight) for i, weight in enumerate(weights)))
    with pytest.raises(TwinlensError, match="should resemble"):
        Searcher(library).search(question, "Exactly")


def test_all_indexes_answer_one_question_as_each_alone(library: Library) -> None:
    question = SearchQuery((Example(5), Example(6, 0.5)))
    searcher = Searcher(library)
    together = searcher.search_indexes(question, NAMES)
    assert [result.hits for result in together] == [searcher.search(question, name).hits for name in NAMES]
    assert [result.hits for result in search(library, [question], NAMES).results] == [one.hits for one in together]


SCENES = 24


@pytest.fixture(scope="module")
def photographs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("photographs")
    write_scenes(folder, SCENES - 2)
    write_scene(folder / "tall" / "tall.jpg", 90, 240, 320)
    dated = encode(scene(320, 240, 91), "JPEG", exif=exif_block(1, "2023:05:14 11:08:00", "Canon", "Canon EOS R5"))
    (folder / "dated.jpg").write_bytes(dated)
    return folder


@pytest.fixture(scope="module")
def library_of_scenes(photographs: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    with Library.open(tmp_path_factory.mktemp("library") / "library.twinlens", create=True) as opened:
        add(opened, [photographs], Adding(workers=2))
        create_index(opened, NewIndex(descriptor="colour", method="itq:bits=32", name="Few bits"), workers=1)
        create_index(opened, NewIndex(descriptor="edges", method="lsh:bits=70"), workers=1)
        create_index(opened, NewIndex(descriptor="colour", search="exact", name="Exactly"), workers=1)
        yield opened


def one(library: Library, picture: Path | int, index: str = AUTOMATIC, filters: Filters = Filters()) -> SearchResult:
    return search(library, [picture], [index], SearchOptions(k=10, compare_exact=True, filters=filters)).results[0]


def test_every_index_finds_every_photograph_itself_first(library_of_scenes: Library) -> None:
    names = [index.name for index in list_indexes(library_of_scenes).indexes]
    assert names == [AUTOMATIC, "Colours", "Few bits", "edges · lsh:bits=70", "Exactly"]
    checked = search(library_of_scenes, [1, SCENES], names, SearchOptions(k=3)).results
    unchecked = search(library_of_scenes, list(range(1, SCENES + 1)), names, SearchOptions(k=3, check=False)).results
    for result in (*checked, *unchecked):
        assert result.hits[0].query
        assert result.hits[0].distance == 0
        assert result.hits[0].similarity == 1
        assert result.of == SCENES
    for result in unchecked:
        distances = [hit.distance for hit in result.hits]
        assert distances == sorted(distances)
        assert {hit.check for hit in result.hits} == {None}


@pytest.mark.parametrize("index", [AUTOMATIC, "Colours", "Few bits"])
def test_with_all_as_candidates_the_answer_is_the_exact_one(
    library_of_scenes: Library, photographs: Path, index: str
) -> None:
    hashed = one(library_of_scenes, photographs / "0003.jpg", index)
    exactly = search(library_of_scenes, [photographs / "0003.jpg"], [index], SearchOptions(k=10, exact=True)).results[0]
    assert hashed.hits == exactly.hits
    assert (hashed.overlap, hashed.exact, exactly.exact) == (1.0, False, True)
    assert (hashed.scanned, exactly.scanned) == (SCENES, 0)
    assert hashed.looked_at == exactly.looked_at == SCENES


def test_a_query_from_outside_is_described_like_a_photograph_of_the_library(
    library_of_scenes: Library, photographs: Path, tmp_path: Path
) -> None:
    outside = tmp_path / "outside.jpg"
    outside.write_bytes((photographs / "0005.jpg").read_bytes())
    asked, known = one(library_of_scenes, outside), one(library_of_scenes, photographs / "0005.jpg")
    assert [(hit.id, hit.distance) for hit in asked.hits] == [(hit.id, hit.distance) for hit in known.hits]
    assert asked.seconds.extract > 0
    assert known.seconds.extract == 0
    assert one(library_of_scenes, photographs / "0005.jpg", "Colours").seconds.extract == 0
    assert not any(hit.query for hit in asked.hits)


def test_a_picture_may_come_as_bytes(library_of_scenes: Library, photographs: Path) -> None:
    data = (photographs / "0005.jpg").read_bytes()
    for index in (AUTOMATIC, "Colours"):
        result = search(library_of_scenes, [data], [index], SearchOptions(k=10)).results[0]
        known = one(library_of_scenes, photographs / "0005.jpg", index)
        assert [(hit.id, hit.distance) for hit in result.hits] == [(hit.id, hit.distance) for hit in known.hits]
        assert str(result.query) == "a picture"
    with pytest.raises(TwinlensError):
        search(library_of_scenes, [b"no picture"])


@pytest.mark.parametrize("index", [AUTOMATIC, "Colours"])
def test_a_part_is_described_as_if_it_were_cut_out(library_of_scenes: Library, tmp_path: Path, index: str) -> None:
    whole = scene(400, 300, 77)
    (tmp_path / "whole.png").write_bytes(encode(whole, "PNG"))
    (tmp_path / "part.png").write_bytes(encode(whole.crop((100, 75, 300, 270)), "PNG"))
    asked = SearchQuery((Example(tmp_path / "whole.png", region=(0.25, 0.25, 0.75, 0.9)),))
    part, cut = (search(library_of_scenes, [picture], [index]).results[0] for picture in (asked, tmp_path / "part.png"))
    assert [(hit.id, hit.distance) for hit in part.hits] == [(hit.id, hit.distance) for hit in cut.hits]
    assert str(part.query).endswith("whole.png (part)")


def test_a_part_of_a_photograph_of_the_library_needs_its_file(library_of_scenes: Library, photographs: Path) -> None:
    asked = SearchQuery((Example(3, region=(0.0, 0.0, 1.0, 1.0)),))
    result = one(library_of_scenes, photographs / "0002.jpg")
    whole = search(library_of_scenes, [asked], options=SearchOptions(k=10)).results[0]
    assert [(hit.id, hit.distance) for hit in whole.hits] == [(hit.id, hit.distance) for hit in result.hits]
    away = photographs / "0002.jpg"
    away.rename(away.with_suffix(".away"))
    try:
        alone = search(library_of_scenes, [3], options=SearchOptions(k=10)).results[0]
        assert alone.hits[0].id == result.hits[0].id == 3
        assert alone.scanned == result.scanned == SCENES
        assert alone.checked == result.checked > 0
        assert alone.seconds.extract == 0
        with pytest.raises(TwinlensError, match="is missing"):
            search(library_of_scenes, [asked])
    finally:
        away.with_suffix(".away").rename(away)


def test_who_asks_on_with_a_picture_from_outside_waits_no_second_time(
    library_of_scenes: Library, tmp_path: Path
) -> None:
    outside = tmp_path / "outside.png"
    outside.write_bytes(encode(scene(200, 150, 78), "PNG"))
    searcher = Searcher(library_of_scenes)
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
        (Filters(since="2999"), set()),
    ],
)
def test_a_filter_leaves_exactly_what_passes_it(
    library_of_scenes: Library, photographs: Path, filters: Filters, expected: set[str]
) -> None:
    for index in (AUTOMATIC, "Exactly"):
        hits = one(library_of_scenes, photographs / "0001.jpg", index, filters).hits
        assert {Path(hit.path).name for hit in hits} == expected


@pytest.mark.parametrize("date", ["yesterday", "2023-13", "2023-05-32", "14.5.2023", ""])
def test_what_is_no_date_is_refused(library_of_scenes: Library, date: str) -> None:
    for filters in (Filters(since=date), Filters(until=date)):
        with pytest.raises(TwinlensError, match="2023-05-14"):
            one(library_of_scenes, 1, filters=filters)


def test_a_folder_filters_too(library_of_scenes: Library, photographs: Path) -> None:
    hits = one(library_of_scenes, photographs / "0001.jpg", filters=Filters(folder=photographs / "tall")).hits
    assert [Path(hit.path).name for hit in hits] == ["tall.jpg"]
    with pytest.raises(TwinlensError, match="no photos in"):
        one(library_of_scenes, photographs / "0001.jpg", filters=Filters(folder=photographs / "nowhere"))


def test_names_are_looked_up_kindly(library_of_scenes: Library) -> None:
    assert one(library_of_scenes, 1, "colours").index == "Colours"
    with pytest.raises(TwinlensError, match=r"no index “Shapes”\. The library has: Automatic"):
        one(library_of_scenes, 1, "Shapes")


@pytest.mark.parametrize(
    ("picture", "words"),
    [(Path("nowhere.jpg"), "no picture"), (Path(), "is a folder"), (4711, "number 4711")],
)
def test_a_query_that_cannot_be_is_a_sentence(library_of_scenes: Library, picture: Path | int, words: str) -> None:
    with pytest.raises(TwinlensError, match=words):
        one(library_of_scenes, picture)


def test_a_flat_picture_says_that_it_has_no_edges(library_of_scenes: Library, tmp_path: Path) -> None:
    from PIL import Image

    (tmp_path / "flat.png").write_bytes(encode(Image.new("RGB", (300, 200), (10, 120, 200)), "PNG"))
    edges = "edges · lsh:bits=70"
    result = one(library_of_scenes, tmp_path / "flat.png", edges)
    assert "too little to compare" in str(result.note)
    assert {hit.similarity for hit in result.hits} == {0.0}
    assert one(library_of_scenes, tmp_path / "flat.png", "Colours").note == NOTHING
    assert one(library_of_scenes, tmp_path / "flat.png").note == NOTHING  # its colours speak for it
    asked = [SearchQuery((Example(1), Example(tmp_path / "flat.png", -1.0)))]
    beside = search(library_of_scenes, asked, [edges], SearchOptions(k=10)).results[0]
    assert "flat.png shows too little to compare" in str(beside.note)
    assert beside.hits == search(library_of_scenes, [1], [edges], SearchOptions(k=10)).results[0].hits


def test_an_index_can_be_renamed_and_deleted_but_the_automatic_one_stays(library_of_scenes: Library) -> None:
    create_index(library_of_scenes, NewIndex(descriptor="edges:", method="itq:bits=8", name="Passing"), workers=1)
    assert rename_index(library_of_scenes, "Passing", "Renamed").name == "Renamed"
    with pytest.raises(TwinlensError):
        rename_index(library_of_scenes, "Renamed", "Colours")
    assert "Renamed" not in [index.name for index in delete_index(library_of_scenes, "Renamed").indexes]
    with pytest.raises(TwinlensError, match="cannot be deleted"):
        delete_index(library_of_scenes, AUTOMATIC)


def test_an_index_that_can_never_be_learned_is_refused_before_any_photograph_is_read(
    library_of_scenes: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "twinlens.app.library.ingest.ingest.read_photographs", lambda *_: pytest.fail("photos were read")
    )
    before = list_indexes(library_of_scenes)
    with pytest.raises(TwinlensError, match=r"here 80, not 81"):
        create_index(library_of_scenes, NewIndex(descriptor="edges", method="itq:bits=81"))
    assert list_indexes(library_of_scenes) == before


def test_a_search_without_an_index_finds_the_automatic_one_under_any_name(library_of_scenes: Library) -> None:
    rename_index(library_of_scenes, AUTOMATIC, "Mine")
    try:
        assert search(library_of_scenes, [1]).results[0].index == "Mine"
        with pytest.raises(TwinlensError, match="Choose another name"):
            rename_index(library_of_scenes, "Few bits", AUTOMATIC)
        with pytest.raises(TwinlensError, match="Choose another name"):
            create_index(library_of_scenes, NewIndex(descriptor="colour", name=AUTOMATIC))
    finally:
        rename_index(library_of_scenes, "Mine", AUTOMATIC)


def test_what_cannot_be_built_leaves_no_index(library_of_scenes: Library) -> None:
    before = [index.name for index in list_indexes(library_of_scenes).indexes]
    for descriptor, method in (
        ("colour", "itq:bits=16384"),
        ("colour", "itq:bits=0"),
        ("shape", "itq"),
        ("colour", "x"),
    ):
        with pytest.raises(TwinlensError):
            create_index(
                library_of_scenes, NewIndex(descriptor=descriptor, method=method, name="Impossible"), workers=1
            )
    assert [index.name for index in list_indexes(library_of_scenes).indexes] == before


def test_an_index_made_before_any_photograph_is_built_when_they_come(photographs: Path, tmp_path: Path) -> None:
    with Library.open(tmp_path / "library.twinlens", create=True) as library:
        made = create_index(library, NewIndex(descriptor="edges", method="lsh:bits=64", name="Early"))
        assert (made.photographs, made.fitted_on) == (0, None)
        add(library, [photographs / "tall"], Adding(workers=1))
        early = next(index for index in list_indexes(library).indexes if index.name == "Early")
        assert (early.photographs, early.waiting, early.fitted_on) == (1, 0, 1)


def test_a_vocabulary_of_its_own_stands_beside_the_ready_made_one(
    library_of_scenes: Library, photographs: Path
) -> None:
    made = create_index(
        library_of_scenes,
        NewIndex(descriptor="vlad:centres=8,vocabulary=own", method="lsh:bits=64", name="Own words"),
        workers=1,
    )
    assert made.waiting == 0
    assert one(library_of_scenes, photographs / "0004.jpg", "Own words").hits[0].query
    delete_index(library_of_scenes, "Own words")
    assert check_library(library_of_scenes).findings == []


@pytest.fixture(scope="module")
def library_and_poison(libraries: Libraries, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    with Library.open(libraries.copy(6, tmp_path_factory.mktemp("library") / "a.twinlens")) as opened:
        yield opened


@pytest.fixture
def sent(decoder_processes: None, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """Let describing a picture do what its width says; return the keys of the extractors that were sent."""
    keys: list[str] = []

    def mishaps(r: Transaction, kinds: Sequence[KindRow]) -> dict[str, Extractor]:
        keys.extend(kind.key for kind in kinds)
        return {key: MishapBefore(one) for key, one in load_extractors(r, kinds).items()}

    monkeypatch.setattr("twinlens.app.search.query_descriptors.load_extractors", mishaps)
    decoders.end()
    yield keys
    decoders.end()


def picture(place: Path, width: int) -> Path:
    return write_scene(place / f"{width}.jpg", 1, width, 80)


@pytest.mark.usefixtures("sent")
@pytest.mark.parametrize(
    ("width", "words"),
    [
        (ABORT, "could not be read or described: the process that did it ended unexpectedly"),
        (HANG, "longer than the 1 seconds"),
        (RAISE, "ZeroDivisionError"),
        (MEMORY, "memory"),
    ],
)
def test_a_picture_that_cannot_be_described_costs_a_sentence(
    library_and_poison: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, width: int, words: str
) -> None:
    searcher, bad = Searcher(library_and_poison), picture(tmp_path, width)
    with monkeypatch.context() as short:
        if width == HANG:
            short.setattr(WorkerLimits, "seconds", 1.0)
        with pytest.raises(TwinlensError, match=words):
            searcher.search(bad, "Colours")
    assert searcher.search(picture(tmp_path, 64), "Colours").hits


@pytest.mark.usefixtures("sent")
def test_wherever_a_person_asks_with_it(library_and_poison: Library, tmp_path: Path) -> None:
    bad = picture(tmp_path, ABORT)
    searcher = Searcher(library_and_poison)
    for asked in (Example(bad.read_bytes()), Example(bad, region=(0.0, 0.0, 1.0, 0.9))):
        with pytest.raises(TwinlensError, match="ended unexpectedly"):
            searcher.search(SearchQuery((asked,)))
    with pytest.raises(TwinlensError, match="ended unexpectedly"):
        compare_indexes(searcher, bad, ComparisonSettings([ComparisonColumn("Colours")]))


@pytest.mark.usefixtures("sent")
def test_the_command_says_it_and_ends_with_2(
    library_and_poison: Library, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["--library", library_and_poison.address.shown, "search", str(picture(tmp_path, ABORT))])
    assert ended.value.code == 2
    assert "could not be read or described" in " ".join(capsys.readouterr().err.split())


@pytest.mark.usefixtures("sent")
def test_a_photograph_of_the_library_is_found_by_what_is_kept_of_it(tmp_path: Path) -> None:
    write_scene(tmp_path / "photographs" / "a.jpg", 1, ABORT, 80)
    added(tmp_path / "a.twinlens", tmp_path / "photographs")
    with Library.open(tmp_path / "a.twinlens") as library:
        assert [hit.id for hit in search(library, [1]).results[0].hits] == [1]


def test_extractors_are_sent_once_to_each_process(library_and_poison: Library, tmp_path: Path, sent: list[str]) -> None:
    searcher = Searcher(library_and_poison)
    names = ["Colours", "Automatic"]
    searcher.search_indexes(picture(tmp_path, 64), names)
    assert len(sent) == len(set(sent)) == 2
    searcher.search_indexes(picture(tmp_path, 65), names)
    assert len(sent) == 2
    decoders.end()
    assert all(one.hits for one in searcher.search_indexes(picture(tmp_path, 66), names))
    assert sorted(sent) == sorted(2 * sent[:2])
