"""Photographs asked for by a palette or a sketch: what is found, what is refused, how the question is kept."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from app.indexes.indexes import NewIndex, create_index, set_default
from app.library.ingest.adding import Adding, add
from app.library.library import AUTOMATIC, Library
from app.library.pictures import example, picture_to_crop
from app.search.explanation import explain
from app.search.search_query import Example, SearchOptions, SearchQuery
from app.search.searcher import Searcher
from core.errors import TwinlensError
from features.query.palette_and_sketch import Palette, Stroke, paint, sketch_png
from features.reading.reading import read

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
        Path(hit.path).stem for hit in Searcher(library).search(SearchQuery((asked,)), index, SearchOptions(k)).hits
    ]


@pytest.mark.parametrize("index", ["Colours", "lab"])
def test_a_palette_finds_pictures_that_have_its_colours(library: Library, index: str) -> None:
    palette = Palette((((200, 40, 40), 1.0), ((40, 60, 190), 1.0)))
    assert set(found(library, Example(palette), index, 2)) == {"red blue", "blue red"}
    one = set(found(library, Example(Palette((((230, 210, 40), 1.0),))), index, 7))
    assert one == {name for a in COLOURS for b in COLOURS if "yellow" in (name := f"{a} {b}")}


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
    assert found(library, Example(file, sketch=True), "Colours", 1) == ["red red"]


def test_colours_can_be_asked_beside_pictures(library: Library, photographs: Path) -> None:
    question = SearchQuery((Example(photographs / "red blue.png"), Example(Palette.read("#2838be"), weight=-1)))
    result = Searcher(library).search(question, "Colours", SearchOptions(3))
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
    first = searcher.search(palette, "Colours", SearchOptions(1)).hits[0]
    told = explain(searcher, palette, "Colours", first.id)
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
    from app.cli.main import main

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
    assert [Path(result["hits"][0]["path"]).stem for result in results] == ["red red"] * 2
    code, _, err = run("--palette", "#c33", "--index", AUTOMATIC)
    assert code != 0
    assert "compares colours" in err
    code, out, _ = run("--palette", "#c82828", "--sketch", str(sketch), "-k", "1", "--json")
    assert code == 0
    assert {result["index"] for result in json.loads(out)["results"]} == {"Colours"}
    assert run("--palette", "nothing at all", "--index", "Colours")[0] != 0
