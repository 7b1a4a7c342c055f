"""Queries by colours and in words: what is found, refused and kept, and how alike results are."""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from tests.features.networks import write_pair
from twinlens.app.compare.columns import ComparisonColumn
from twinlens.app.compare.comparison import ComparisonSettings, compare_indexes
from twinlens.app.indexes.indexes import create_index, list_indexes, set_default
from twinlens.app.indexes.new_index import NewIndex
from twinlens.app.library.ingest.adding import Adding, add
from twinlens.app.library.library import AUTOMATIC, Library
from twinlens.app.library.pictures import example, picture_to_crop
from twinlens.app.search.explanation import explain
from twinlens.app.search.query_distance import QueryDistance
from twinlens.app.search.search_options import FusionOptions, SearchOptions
from twinlens.app.search.search_query import Example, SearchQuery
from twinlens.app.search.search_results import GeometricCheck, ResultPhotograph, SimilarityLevels
from twinlens.app.search.searcher import Searcher
from twinlens.app.search.words_and_colours import best_for_colours, compares_colours_alone, main_colours
from twinlens.core.errors import TwinlensError
from twinlens.core.exact_search.measure import Measure
from twinlens.core.kernels.histogram_kernels import Hellinger
from twinlens.features.colour.colour_histogram import HsvHistogram
from twinlens.features.query.words_and_colours import (
    Palette,
    Phrase,
    Stroke,
    colour_vectors,
    paint,
    palette_vector,
    sketch_png,
)
from twinlens.features.reading.reading import read

COLOURS = {"red": (200, 40, 40), "green": (30, 150, 50), "blue": (40, 60, 190), "yellow": (230, 210, 40)}
RED_ABOVE = [Stroke(COLOURS["red"], [(0, 0.1), (1, 0.1)], 0.2)]


@pytest.fixture(scope="module")
def photographs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a picture for each pair of colours: the first above, the second below."""
    folder = tmp_path_factory.mktemp("photographs")
    rng = np.random.default_rng(0)
    for one, above in COLOURS.items():
        for other, below in COLOURS.items():
            pixels = np.empty((48, 64, 3))
            pixels[:24], pixels[24:] = above, below
            noisy = np.clip(pixels + rng.normal(0, 4, pixels.shape), 0, 255).astype(np.uint8)
            Image.fromarray(noisy).save(folder / f"{one} {other}.png")
    return folder


@pytest.fixture(scope="module")
def library(photographs: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    with Library.open(tmp_path_factory.mktemp("library") / "library.twinlens", create=True) as opened:
        add(opened, [photographs], Adding(workers=1))
        for kind in ("lab", "colour-moments", "colour-layout"):
            create_index(opened, NewIndex(descriptor=kind, search="exact", name=kind), workers=1)
        yield opened


def found(library: Library, asked: Example, index: str, k: int) -> list[str]:
    return [
        Path(hit.path).stem for hit in Searcher(library).search(SearchQuery((asked,)), index, SearchOptions(k=k)).hits
    ]


@pytest.mark.parametrize("index", ["Colours", "lab"])
def test_a_palette_finds_pictures_that_have_its_colours(library: Library, index: str) -> None:
    palette = Palette((((200, 40, 40), 1.0), ((40, 60, 190), 1.0)))
    assert set(found(library, Example(palette), index, 2)) == {"red blue", "blue red"}
    one = set(found(library, Example(Palette((((230, 210, 40), 1.0),))), index, 7))
    assert one == {name for a in COLOURS for b in COLOURS if "yellow" in (name := f"{a} {b}")}


def test_a_palette_is_like_what_has_all_of_its_colours() -> None:
    """The wanted shares are equal to it; one colour alone is farther than a little of both, none of them farthest."""
    extractor = HsvHistogram().fit(list)
    red, blue, grey = (200, 40, 40), (40, 60, 190), (120, 120, 120)
    pictures = [([red, blue], [0.75, 0.25]), ([red, blue, grey], [0.1, 0.1, 0.8]), ([red], [1.0]), ([grey], [1.0])]
    x = np.stack([extractor.of_colours(np.array(one, np.uint8), np.array(shares)) for one, shares in pictures])
    palette = Palette(((red, 3.0), (blue, 1.0)))
    query = palette_vector(HsvHistogram(), extractor, palette)
    distance = QueryDistance.of(Measure(Hellinger()), [query], [1.0], [colour_vectors(extractor, palette)])
    both, some, alone, none = distance.distances(x).tolist()
    assert both == pytest.approx(0, abs=1e-3)
    assert both < some < alone < none
    assert distance.distances(np.zeros_like(x[:1])).tolist() == [2]
    assert distance.single() is None


@pytest.mark.parametrize("index", ["Colours", "lab", "colour-moments", "colour-layout"])
def test_a_sketch_of_all_finds_the_picture_that_is_as_it(library: Library, index: str) -> None:
    strokes = [
        Stroke(COLOURS["green"], [(0, 0.25), (1, 0.25)], 0.38),
        Stroke(COLOURS["yellow"], [(0, 0.75), (1, 0.75)], 0.36),
    ]
    sketch = Example(sketch_png(paint(strokes, 64, 48)), sketch=True)
    assert found(library, sketch, index, 1) == ["green yellow"]


@pytest.mark.parametrize("index", ["Colours", "lab"])
def test_what_is_not_painted_may_be_anything(library: Library, index: str) -> None:
    names = found(library, Example(sketch_png(paint(RED_ABOVE)), sketch=True), index, 4)
    assert set(names) == {f"red {other}" for other in COLOURS}


def test_a_sketch_may_be_a_file(library: Library, tmp_path: Path) -> None:
    file = tmp_path / "sketch.png"
    file.write_bytes(sketch_png(paint(RED_ABOVE)))
    assert found(library, Example(file, sketch=True), "Colours", 4) == found(
        library, Example(file.read_bytes(), sketch=True), "Colours", 4
    )


def test_colours_can_be_asked_beside_pictures(library: Library, photographs: Path) -> None:
    question = SearchQuery((Example(photographs / "red blue.png"), Example(Palette.read("#2838be"), weight=-1)))
    result = Searcher(library).search(question, "Colours", SearchOptions(k=3))
    assert str(result.query).endswith("red blue.png − #2838be")
    assert Path(result.hits[0].path).stem.startswith("red")


def test_where_no_index_is_named_one_that_compares_colours_answers(library: Library, photographs: Path) -> None:
    colours, picture = Example(Palette.read("red")), Example(photographs / "red blue.png")
    searcher = Searcher(library)
    assert searcher.search(SearchQuery((colours, picture))).index == "Colours"
    assert searcher.search(SearchQuery((picture,))).index == AUTOMATIC
    set_default(library, "lab")
    try:
        assert searcher.search(SearchQuery((colours,))).index == "lab"
    finally:
        set_default(library, AUTOMATIC)


@pytest.mark.parametrize("asked", [Example(Palette.read("red")), Example(sketch_png(paint(RED_ABOVE)), sketch=True)])
def test_what_compares_no_colours_says_so(library: Library, asked: Example) -> None:
    with pytest.raises(TwinlensError, match="has colours only") as caught:
        found(library, asked, AUTOMATIC, 1)
    assert "“Colours”" in str(caught.value.advice)


def test_a_palette_has_no_places(library: Library) -> None:
    with pytest.raises(TwinlensError, match="does not say where"):
        found(library, Example(Palette.read("red")), "colour-layout", 1)


def test_an_empty_sketch_says_so(library: Library) -> None:
    with pytest.raises(TwinlensError, match="Nothing is painted"):
        found(library, Example(sketch_png(paint([])), sketch=True), "Colours", 1)


def test_a_palette_is_explained_and_shown(library: Library) -> None:
    palette = Palette.read("#c82828")
    searcher = Searcher(library)
    first = searcher.search(palette, "Colours", SearchOptions(k=1)).hits[0]
    told = explain(searcher, SearchQuery.of(palette), "Colours", first.id)
    assert told.similarity == pytest.approx(first.similarity, abs=1e-6)
    assert told.overlap is not None
    assert told.overlap > 0.7
    name, jpeg = example(library, palette)
    assert name == "#c82828"
    assert np.abs(read(jpeg).rgb.mean(axis=(0, 1)) - (200, 40, 40)).max() < 3
    with pytest.raises(TwinlensError, match="no parts"):
        picture_to_crop(library, palette)


def test_such_questions_are_kept() -> None:
    question = SearchQuery((Example(Palette.read("#c33:2,#fff"), 0.5), Example(Path("a.png"), sketch=True), Example(3)))
    assert SearchQuery.from_json(json.loads(json.dumps(question.to_json()))) == question


@pytest.mark.parametrize(
    "values", [{"palette": 3}, {"palette": ""}, {"palette": "x y"}, {"picture": "a.png", "sketch": "yes"}]
)
def test_what_is_no_such_question_is_a_sentence(values: dict[str, object]) -> None:
    with pytest.raises(TwinlensError):
        SearchQuery.from_json({"examples": [values]})


@pytest.mark.parametrize("more", [{"region": (0, 0, 1, 0.5)}, {"sketch": True}])
def test_a_palette_has_no_parts(more: dict[str, object]) -> None:
    with pytest.raises(TwinlensError, match="no parts"):
        Example(Palette.read("red"), **more)  # type: ignore[arg-type]


def test_the_command_line_asks_with_them(
    library: Library, tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    from twinlens.app.cli.main import main

    def run(*words: str) -> tuple[int, str, str]:
        with pytest.raises(SystemExit) as ended:
            main(["--library", library.address.shown, "search", *words])
        out, err = capfdbinary.readouterr()
        assert isinstance(ended.value.code, int)
        return ended.value.code, out.decode(), err.decode()

    sketch = tmp_path / "sketch.png"
    sketch.write_bytes(sketch_png(paint(RED_ABOVE)))
    code, out, _ = run("--palette", "#c82828:2", "--sketch", str(sketch), "--index", "Colours", "-k", "1", "--json")
    assert code == 0
    results = json.loads(out)["results"]
    assert [result["query"] for result in results] == ["#c82828:2", str(sketch)]
    first, second = (Path(result["hits"][0]["path"]).stem for result in results)
    assert first == "red red"
    assert second.startswith("red ")  # above; what is below may be anything
    code, _, err = run("--palette", "#c33", "--index", AUTOMATIC)
    assert code != 0
    assert "compares colours" in err
    code, out, _ = run("--palette", "#c82828", "--sketch", str(sketch), "-k", "1", "--json")
    assert code == 0
    assert {result["index"] for result in json.loads(out)["results"]} == {"Colours"}
    assert run("--palette", "nothing at all", "--index", "Colours")[0] != 0


NAMED_COLOURS = {"red": (220, 40, 40), "green": (30, 180, 50), "blue": (40, 60, 220)}
EACH = 5


@pytest.fixture(scope="module")
def coloured_photographs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("photographs")
    rng = np.random.default_rng(0)
    for name, colour in NAMED_COLOURS.items():
        for number in range(EACH):
            pixels = np.clip(rng.normal(colour, 8, (40, 60, 3)) + rng.normal(0, 12, 3), 0, 255).astype(np.uint8)
            Image.fromarray(pixels).save(folder / f"{name} {number}.png")
    return folder


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_pair(tmp_path_factory.mktemp("clip"))


@pytest.fixture(scope="module")
def words_library(
    coloured_photographs: Path, pair: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Library]:
    path = tmp_path_factory.mktemp("library") / "library.twinlens"
    with Library.open(path, create=True) as opened:
        add(opened, [coloured_photographs], Adding(workers=1))
        made = create_index(
            opened, NewIndex(descriptor=f"network:path={pair}", method="itq:bits=3", name="Words"), workers=1
        )
        assert made.fitted_on == EACH * len(NAMED_COLOURS)  # by ITQ, as any index
    with Library.open(path) as opened:  # all of it is kept
        yield opened


def names(library: Library, question: SearchQuery, index: str = "Words", k: int = EACH) -> list[str]:
    return [Path(hit.path).stem for hit in Searcher(library).search(question, index, SearchOptions(k=k)).hits]


@pytest.mark.parametrize("colour", list(NAMED_COLOURS))
def test_words_find_what_they_name(words_library: Library, colour: str) -> None:
    result = Searcher(words_library).search(
        Phrase(f"a {colour} thing"), "Words", SearchOptions(k=EACH, compare_exact=True)
    )
    assert {Path(hit.path).stem.split()[0] for hit in result.hits} == {colour}
    assert (result.exact, result.overlap, str(result.query)) == (False, 1, f"a {colour} thing")
    assert result.likeness is None


def test_without_a_name_the_index_that_knows_words_answers(words_library: Library) -> None:
    assert Searcher(words_library).search(Phrase("blue")).index == "Words"
    assert [one.name for one in list_indexes(words_library).indexes if one.words] == ["Words"]


def test_words_count_together_with_pictures_for_and_against(words_library: Library, coloured_photographs: Path) -> None:
    both = SearchQuery((Example(Phrase("red")), Example(coloured_photographs / "green 0.png")))
    assert {name.split()[0] for name in names(words_library, both, k=2 * EACH)} == {"red", "green"}
    against = SearchQuery((Example(coloured_photographs / "red 0.png"), Example(Phrase("green"), weight=-3)))
    ranks = names(words_library, against, k=3 * EACH)
    assert {name.split()[0] for name in ranks[-EACH:]} == {"green"}


def test_words_are_filtered_and_fused_as_anything(words_library: Library) -> None:
    searcher = Searcher(words_library)
    ids = {hit.id for hit in searcher.search(Phrase("red"), "Words", SearchOptions(k=EACH)).hits}
    (fused,) = searcher.search_indexes(Phrase("red"), ["Words", "Words"], SearchOptions(k=EACH, fusion=FusionOptions()))
    assert {hit.id for hit in fused.hits} == ids
    wanted = ComparisonSettings((ComparisonColumn("Words"),), EACH)
    (column,) = compare_indexes(searcher, Phrase("red"), wanted).columns
    assert {hit.id for hit in column.result.hits} == ids


def test_a_result_is_explained(words_library: Library) -> None:
    searcher = Searcher(words_library)
    first = searcher.search(Phrase("red"), "Words", SearchOptions(k=1)).hits[0]
    assert explain(searcher, SearchQuery.of(Phrase("red")), "Words", first.id).similarity == pytest.approx(
        first.similarity, abs=1e-6
    )
    assert example(words_library, Phrase("red")) == ("red", b"")
    with pytest.raises(TwinlensError, match="no parts"):
        picture_to_crop(words_library, Phrase("red"))


# ---- what is refused -------------------------------------------------------------------------------------------------
def test_other_indexes_say_what_they_compare(words_library: Library) -> None:
    with pytest.raises(TwinlensError, match="Words need an index") as caught:
        names(words_library, SearchQuery((Example(Phrase("red")),)), AUTOMATIC)
    assert "network:path=" in str(caught.value.advice)


def test_words_that_nobody_knows_are_a_sentence(words_library: Library) -> None:
    with pytest.raises(TwinlensError, match="knows none of these words"):
        names(words_library, SearchQuery((Example(Phrase("xyzzy")),)))


def test_a_file_that_is_gone_is_named_and_nothing_is_offered(
    words_library: Library, pair: Path, tmp_path: Path
) -> None:
    searcher = Searcher(words_library)
    lost = pair.with_name("text_model.onnx")
    lost.rename(tmp_path / "away")
    try:
        assert not any(one.words for one in list_indexes(words_library).indexes)
        for index in ("", "Words"):
            with pytest.raises(TwinlensError, match=r"text_model\.onnx is not there"):
                searcher.search(Phrase("red"), index)
    finally:
        (tmp_path / "away").rename(lost)
    assert searcher.search(Phrase("red")).hits


@pytest.mark.parametrize("name", ["text_model.onnx", "tokenizer.json"])
def test_a_damaged_file_costs_a_sentence(words_library: Library, pair: Path, name: str) -> None:
    file = pair.with_name(name)
    whole = file.read_bytes()
    file.write_bytes(whole[: len(whole) // 2])
    try:
        with pytest.raises(TwinlensError, match=r"can be read"):
            Searcher(words_library).search(Phrase("red"), "Words")
    finally:
        file.write_bytes(whole)
    assert Searcher(words_library).search(Phrase("red"), "Words").hits


# ---- how it is kept, and the command ---------------------------------------------------------------------------------
def test_questions_in_words_are_kept() -> None:
    question = SearchQuery((Example(Phrase("a dog"), 0.5), Example(Phrase("fog"), -1), Example(3)))
    assert SearchQuery.from_json(json.loads(json.dumps(question.to_json()))) == question
    assert not SearchQuery.of(Phrase("a dog")).is_picture
    for values in ({"text": 3}, {"text": " "}, {"text": "a" * 2_000}):
        with pytest.raises(TwinlensError):
            SearchQuery.from_json({"examples": [values]})
    with pytest.raises(TwinlensError, match="no parts"):
        Example(Phrase("a dog"), region=(0, 0, 1, 0.5))


def test_the_command_line_asks_with_words(words_library: Library, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    from twinlens.app.cli.main import main

    def run(*words: str) -> tuple[int, str, str]:
        with pytest.raises(SystemExit) as ended:
            main(["--library", words_library.address.shown, "search", *words])
        out, err = capfdbinary.readouterr()
        assert isinstance(ended.value.code, int)
        return ended.value.code, out.decode(), err.decode()

    code, out, _ = run("--text", "red", "--text", "blue", "-k", str(EACH), "--json")
    assert code == 0
    results = json.loads(out)["results"]
    assert [(result["query"], result["index"]) for result in results] == [("red", "Words"), ("blue", "Words")]
    for result in results:
        assert {Path(hit["path"]).stem.split()[0] for hit in result["hits"]} == {result["query"]}
    code, _, err = run("--text", "red", "--index", "Colours")
    assert code == 2
    assert "Words need an index" in err
    assert run("--text", " ")[0] == 2


def named(name: bytes) -> Path:
    """Return a path with a name that may be no text."""
    return Path("/photographs") / os.fsdecode(name.replace(b"\0", b"x"))


paths = st.binary(min_size=1, max_size=20).map(named)
shares = st.tuples(st.integers(0, 99), st.integers(1, 100)).filter(lambda pair: pair[0] < pair[1])
regions = st.builds(lambda x, y: (x[0] / 100, y[0] / 100, x[1] / 100, y[1] / 100), shares, shares)
weights = st.floats(-10, 10)
kept = st.builds(Example, paths | st.integers(1, 2**40), weights, st.none() | regions)


@given(st.lists(kept, max_size=5))
def test_a_kept_question_comes_back(examples: list[Example]) -> None:
    question = SearchQuery(tuple(examples))
    assert SearchQuery.from_json(json.loads(json.dumps(question.to_json()))) == question


@given(kept, st.binary(max_size=30), weights)
def test_bytes_are_not_kept(example: Example, data: bytes, weight: float) -> None:
    question = SearchQuery((Example(data, weight), example))
    assert SearchQuery.from_json(question.to_json()) == SearchQuery((example,))


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=3),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(["picture", "weight", "region"]), inner)
    ),
    max_leaves=8,
)


@given(json_values)
def test_what_is_no_question_is_a_sentence(values: Any) -> None:
    question = None
    with contextlib.suppress(TwinlensError):  # any other error would fail the test
        question = SearchQuery.from_json({"examples": values})
    if question is not None:
        assert SearchQuery.from_json(question.to_json()) == question


@pytest.mark.parametrize("values", [{}, {"examples": 3}, {"examples": [{}]}, {"examples": [{"picture": True}]}])
def test_a_damaged_question_is_refused(values: dict[str, Any]) -> None:
    with pytest.raises(TwinlensError, match="cannot be read any more"):
        SearchQuery.from_json(values)


@pytest.mark.parametrize(
    "region", [(0, 0, 0, 1), (0.5, 0, 0.4, 1), (-0.1, 0, 1, 1), (0, 0, 1, 1.01), (0, float("nan"), 1, 1)]
)
def test_a_region_is_a_part_of_the_picture(region: tuple[float, float, float, float]) -> None:
    with pytest.raises(TwinlensError, match="outside the picture"):
        Example(1, region=region)


@pytest.mark.parametrize("weight", [float("nan"), float("inf")])
def test_a_weight_is_a_number(weight: float) -> None:
    with pytest.raises(TwinlensError, match="weight"):
        Example(1, weight)


def test_one_picture_is_a_question_too() -> None:
    question = SearchQuery.of(Path("a.jpg"))
    assert question == SearchQuery((Example(Path("a.jpg"), 1.0, None),))
    assert SearchQuery.of(question) is question


SHAPES = "compact-vlad"
INDEX_COLOURS = "colour"


def test_only_what_looks_at_colours_alone_can_answer() -> None:
    assert compares_colours_alone(INDEX_COLOURS)
    assert not compares_colours_alone(SHAPES)


def test_histograms_of_colours_go_before_where_colours_are() -> None:
    indexes = [("A", SHAPES), ("B", "colour-layout"), ("C", INDEX_COLOURS)]
    assert best_for_colours(indexes) == "C"
    assert best_for_colours(indexes[:2]) == "B"
    assert best_for_colours(indexes[:1]) == ""


def test_main_colours_are_found_with_their_shares() -> None:
    pixels = np.full((40, 60, 3), (200, 30, 30), np.uint8)
    pixels[:, :20] = (20, 40, 160)
    noise = np.random.default_rng(1).integers(-3, 4, pixels.shape)
    found = main_colours(np.clip(pixels + noise, 0, 255).astype(np.uint8))
    assert [pytest.approx(colour, abs=3) for colour, _ in found] == [(200, 30, 30), (20, 40, 160)]
    assert [share for _, share in found] == pytest.approx([2 / 3, 1 / 3])


def test_few_colours_are_kept_and_their_shares_are_all() -> None:
    pixels = np.random.default_rng(2).integers(0, 256, (64, 64, 3)).astype(np.uint8)
    found = main_colours(pixels, most=4)
    assert len(found) <= 4
    assert sum(share for _, share in found) == pytest.approx(1)
    assert main_colours(np.empty((0, 0, 3), np.uint8)) == []
    assert main_colours(np.full((1, 1, 3), 7, np.uint8)) == [((7, 7, 7), 1.0)]


LIMITS = SimilarityLevels(very_similar=0.5, similar=0.25)


def hit(similarity: float, confirmed: bool | None = None) -> ResultPhotograph:
    check = None
    if confirmed is not None:
        check = GeometricCheck(confirmed=confirmed, score=1.0, inliers=12, mirrored=False, inverted=False)
    return ResultPhotograph(path="a.jpg", id=1, distance=1.0, similarity=similarity, check=check)


@pytest.mark.parametrize(
    ("similarity", "words"),
    [(0.9, "very similar"), (0.5, "very similar"), (0.4999, "similar"), (0.25, "similar"), (0.2, "less similar")],
)
def test_limits_belong_to_the_better_word(similarity: float, words: str) -> None:
    assert LIMITS.of(hit(similarity)) == words
    assert LIMITS.of(hit(similarity, confirmed=False)) == words


def test_a_match_is_the_same_picture_however_far() -> None:
    assert LIMITS.of(hit(0.01, confirmed=True)) == "same picture"
