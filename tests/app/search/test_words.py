"""Photographs asked for in words, with a small network of pictures and words: what is found, refused and kept."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from app.compare.columns import ComparisonColumn
from app.compare.comparison import ComparisonSettings, compare_indexes
from app.indexes.indexes import NewIndex, create_index, list_indexes
from app.library.ingest.adding import Adding, add
from app.library.library import AUTOMATIC, Library
from app.library.pictures import example, picture_to_crop
from app.search.explanation import explain
from app.search.search_query import Example, FusionOptions, SearchOptions, SearchQuery
from app.search.searcher import Searcher
from core.errors import TwinlensError
from features.query.phrase import Phrase
from tests.features.networks import write_pair

pytest.importorskip("tokenizers")

COLOURS = {"red": (220, 40, 40), "green": (30, 180, 50), "blue": (40, 60, 220)}
EACH = 5


@pytest.fixture(scope="module")
def photographs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("photographs")
    rng = np.random.default_rng(0)
    for name, colour in COLOURS.items():
        for number in range(EACH):
            pixels = np.clip(rng.normal(colour, 8, (40, 60, 3)) + rng.normal(0, 12, 3), 0, 255).astype(np.uint8)
            Image.fromarray(pixels).save(folder / f"{name} {number}.png")
    return folder


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_pair(tmp_path_factory.mktemp("clip"))


@pytest.fixture(scope="module")
def library(photographs: Path, pair: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    path = tmp_path_factory.mktemp("library") / "library.twinlens"
    with Library.open(path, create=True) as opened:
        add(opened, [photographs], Adding(workers=1))
        made = create_index(opened, NewIndex(f"network:path={pair}", "itq:bits=3", name="Words"), workers=1)
        assert made.fitted_on == EACH * len(COLOURS)  # by ITQ, as any index
    with Library.open(path) as opened:  # all of it is kept
        yield opened


def names(library: Library, question: SearchQuery, index: str = "Words", k: int = EACH) -> list[str]:
    return [Path(hit.path).stem for hit in Searcher(library).search(question, index, SearchOptions(k)).hits]


@pytest.mark.parametrize("colour", list(COLOURS))
def test_words_find_what_they_name(library: Library, colour: str) -> None:
    result = Searcher(library).search(Phrase(f"a {colour} thing"), "Words", SearchOptions(EACH, compare_exact=True))
    assert {Path(hit.path).stem.split()[0] for hit in result.hits} == {colour}
    assert (result.exact, result.overlap, str(result.query)) == (False, 1, f"a {colour} thing")
    assert result.likeness is None


def test_without_a_name_the_index_that_knows_words_answers(library: Library) -> None:
    assert Searcher(library).search(Phrase("blue")).index == "Words"
    assert [one.name for one in list_indexes(library).indexes if one.words] == ["Words"]


def test_words_count_together_with_pictures_for_and_against(library: Library, photographs: Path) -> None:
    both = SearchQuery((Example(Phrase("red")), Example(photographs / "green 0.png")))
    assert {name.split()[0] for name in names(library, both, k=2 * EACH)} == {"red", "green"}
    against = SearchQuery((Example(photographs / "red 0.png"), Example(Phrase("green"), weight=-3)))
    ranks = names(library, against, k=3 * EACH)
    assert {name.split()[0] for name in ranks[-EACH:]} == {"green"}


def test_words_are_filtered_and_fused_as_anything(library: Library) -> None:
    searcher = Searcher(library)
    ids = {hit.id for hit in searcher.search(Phrase("red"), "Words", SearchOptions(EACH)).hits}
    (fused,) = searcher.ask(Phrase("red"), ["Words", "Words"], SearchOptions(EACH, fusing=FusionOptions()))
    assert {hit.id for hit in fused.hits} == ids
    wanted = ComparisonSettings((ComparisonColumn("Words"),), EACH)
    (column,) = compare_indexes(searcher, Phrase("red"), wanted).columns
    assert {hit.id for hit in column.result.hits} == ids


def test_a_result_is_explained(library: Library) -> None:
    searcher = Searcher(library)
    first = searcher.search(Phrase("red"), "Words", SearchOptions(1)).hits[0]
    assert explain(searcher, Phrase("red"), "Words", first.id).similarity == pytest.approx(first.similarity, abs=1e-6)
    assert example(library, Phrase("red")) == ("red", b"")
    with pytest.raises(TwinlensError, match="no parts"):
        picture_to_crop(library, Phrase("red"))


# ---- what is refused -------------------------------------------------------------------------------------------------


def test_other_indexes_say_what_they_compare(library: Library) -> None:
    with pytest.raises(TwinlensError, match="Words need an index") as caught:
        names(library, SearchQuery((Example(Phrase("red")),)), AUTOMATIC)
    assert "network:path=" in str(caught.value.advice)


def test_words_that_nobody_knows_are_a_sentence(library: Library) -> None:
    with pytest.raises(TwinlensError, match="knows none of these words"):
        names(library, SearchQuery((Example(Phrase("xyzzy")),)))


def test_a_file_that_is_gone_is_named_and_nothing_is_offered(library: Library, pair: Path, tmp_path: Path) -> None:
    searcher = Searcher(library)
    lost = pair.with_name("text_model.onnx")
    lost.rename(tmp_path / "away")
    try:
        assert not any(one.words for one in list_indexes(library).indexes)
        for index in ("", "Words"):
            with pytest.raises(TwinlensError, match=r"text_model\.onnx is not there"):
                searcher.search(Phrase("red"), index)
    finally:
        (tmp_path / "away").rename(lost)
    assert searcher.search(Phrase("red")).hits


@pytest.mark.parametrize("name", ["text_model.onnx", "tokenizer.json"])
def test_a_damaged_file_costs_a_sentence(library: Library, pair: Path, name: str) -> None:
    file = pair.with_name(name)
    whole = file.read_bytes()
    file.write_bytes(whole[: len(whole) // 2])
    try:
        with pytest.raises(TwinlensError, match=r"can be read"):
            Searcher(library).search(Phrase("red"), "Words")
    finally:
        file.write_bytes(whole)
    assert Searcher(library).search(Phrase("red"), "Words").hits


# ---- how it is kept, and the command ---------------------------------------------------------------------------------


def test_such_questions_are_kept() -> None:
    question = SearchQuery((Example(Phrase("a dog"), 0.5), Example(Phrase("fog"), -1), Example(3)))
    assert SearchQuery.from_json(json.loads(json.dumps(question.to_json()))) == question
    assert not SearchQuery.of(Phrase("a dog")).is_picture
    for values in ({"text": 3}, {"text": " "}, {"text": "a" * 2_000}):
        with pytest.raises(TwinlensError):
            SearchQuery.from_json({"examples": [values]})
    with pytest.raises(TwinlensError, match="no parts"):
        Example(Phrase("a dog"), region=(0, 0, 1, 0.5))


def test_the_command_line_asks_with_words(library: Library, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    from app.cli.main import main

    def run(*words: str) -> tuple[int, str, str]:
        with pytest.raises(SystemExit) as ended:
            main(["--library", library.address.shown, "search", *words])
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
