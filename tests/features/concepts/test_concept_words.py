"""Tests of the words for concepts: the table that comes along, and reading queries by it."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from twinlens.features.concepts.concept_words import LANGUAGES, concept_table, read_query, read_table, spelt
from twinlens.features.concepts.concepts import CLASS_COUNT, KEPT, ClassProbabilities

SMALL = """
# A small table.
[classes]
0 | castle, castles | Schloss, Schlösser; Burg, Burgen
1 | alp, alps | Alpengipfel
2 | lake, lakes | See, Seen
3 | sailing boat, sailing boats | Segelschiff
4 | rock crab | Taschenkrebs
5 | skirt, skirts | Rock, Röcke
[broader]
mountain, mountains | Berg, Berge, Bergen | 1
water | Wasser | 2-3
boat, boats | Boot, Boote | 3
view; scenery | Aussicht | mountain, water, 0
- | Ding | 0, 5
[unsure]
boat, 0
2-4
[related]
wedding, Hochzeit | castle, view
"""
TABLE = read_table(SMALL)


def test_every_class_has_a_word_in_each_language_and_every_name_is_found() -> None:
    table = concept_table()
    assert [one.classes for one in table.of_class] == [(number,) for number in range(CLASS_COUNT)]
    assert len(table.broader) > 250
    for concept in table.every:
        for language, name in zip(LANGUAGES, concept.names, strict=True):
            assert table.find(spelt(name), language) is concept
            assert [term.concepts for term in read_query(name, language).terms] == [(concept,)]
    for tried in table.related.values():
        assert all(table.find(name, "en") for name in tried)
    assert not any(word in words for word in table.related for words in table.words)


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("6 | castle | Fort", "“castle” stands for two things"),
        ("6 | fort | SCHLOSS", "“schloss” stands for two things"),
    ],
)
def test_a_word_that_means_two_things_unsaid_is_refused(line: str, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        read_table(SMALL.replace("[broader]", f"{line}\n[broader]"))


def test_a_sum_of_itself_is_refused() -> None:
    with pytest.raises(ValueError, match="sum of itself"):
        read_table(SMALL.replace("boat, boats | Boot, Boote | 3", "boat | Boot | view").replace("2-3", "boat"))


def test_a_broader_word_is_the_sum_of_its_parts() -> None:
    view = TABLE.find("scenery", "en")
    assert view is not None
    assert view.classes == (0, 1, 2, 3)
    thing = TABLE.find("ding", "de")
    assert thing is not None
    assert thing.name("en") == thing.name("fr") == "Ding"


def test_what_is_unsure_is_searched_and_not_said() -> None:
    boat = TABLE.find("boat", "en")
    assert boat in TABLE.broader
    assert [one.name("en") for one in TABLE.facets] == ["mountain", "water", "view"]
    assert [one.name("en") for one in TABLE.single_facets] == ["alp", "skirt"]


@pytest.mark.parametrize(
    ("language", "typed", "title", "unknown"),
    [
        ("en", "a castle on a mountain without water", "Castle and mountain, not water", ()),
        ("de", "Schloss am Berg", "Schloss and Berg", ()),
        ("de", "Boote ohne Wasser und Röcke", "Boot, not Wasser, Rock", ()),
        ("en", "castle or mountain, not boats", "Castle/mountain, not boat", ()),
        ("en", "castle -lake mountain", "Castle and mountain, not lake", ()),
        ("en", "pictures of Castles", "Castle", ()),
        ("en", "rock crab", "Rock crab", ()),
        ("de", "rock", "Rock", ()),
        ("en", "not water", "Not water", ()),
        ("en", "xyzzy castle’s plugh", "Castle", ("xyzzy", "plugh")),
        ("en", "", "", ()),
    ],
)
def test_queries_are_read_word_by_word(language: str, typed: str, title: str, unknown: tuple[str, ...]) -> None:
    read = read_query(typed, language, TABLE)
    assert (str(read.title()), read.unknown) == (title, unknown)
    assert bool(read.note()) == bool(unknown)


@pytest.mark.parametrize(
    ("language", "counts", "other"), [("de", "Rock", "Taschenkrebs"), ("en", "rock crab", "skirt")]
)
def test_a_word_of_two_languages_means_that_of_the_person_and_is_told(language: str, counts: str, other: str) -> None:
    table = read_table(SMALL.replace("4 | rock crab ", "4 | rock crab; rock "))
    read = read_query("Rock", language, table)
    assert str(read.title()).casefold() == counts.casefold()
    assert str(read.note()) == f"“Rock” is searched as {counts}, not as {other}."
    assert not read_query(read.text(), "en", table).ambiguous or language == "en"


def test_of_a_compound_the_last_part_counts_and_is_told() -> None:
    read = read_query("Tretboote vor dem Schloss", "de", TABLE)
    assert str(read.title()) == "Boot and Schloss"
    assert str(read.note()) == "“Tretboote” is searched as Boot."


@pytest.mark.parametrize(
    ("typed", "colour"), [("blue castle", "blue"), ("weißes Schloss", "white"), ("grauer See", "grey")]
)
def test_colours_are_known(typed: str, colour: str) -> None:
    assert read_query(typed, "de", TABLE).colours == (colour,)


def test_near_words_are_related_or_spelt_alike() -> None:
    assert TABLE.near("wedding", "en") == ["castle", "view"]
    assert TABLE.near("hochzeit", "de") == ["Schloss", "Aussicht"]
    assert TABLE.near("casle", "en") == ["castle"]
    assert TABLE.near("qqqq", "en") == []


@given(st.text(max_size=60), st.sampled_from(LANGUAGES))
def test_any_text_is_read(typed: str, language: str) -> None:
    read = read_query(typed, language)
    assert read_query(read.text(), "en").terms == read.terms


@given(
    st.lists(
        st.tuples(st.sampled_from(("", "-")), st.sampled_from(["dog", "sailing boat", "castle or church", "snow"])),
        max_size=5,
    )
)
def test_what_is_understood_is_written_and_read_back(parts: list[tuple[str, str]]) -> None:
    read = read_query(", ".join(sign + word for sign, word in parts), "en")
    assert len(read.terms) == len(parts)
    assert read_query(read.text(), "de").terms == read.terms


@given(
    st.integers(0, 2**32 - 1), st.sampled_from(["castle", "castle and lake", "castle -lake", "boat or lake", "-water"])
)
def test_scores_are_the_geometric_mean_of_what_is_wanted(seed: int, typed: str) -> None:
    rng = np.random.default_rng(seed)
    probabilities = rng.dirichlet(np.full(6, 0.4), 20)
    vectors = np.zeros((20, 2 * KEPT), np.float32)
    vectors[:, :6], vectors[:, KEPT : KEPT + 6] = np.arange(6), probabilities
    shown, read = ClassProbabilities.of(vectors), read_query(typed, "en", TABLE)
    scores, surely = read.scores(shown), read.surely(shown)
    for row, found, sure in zip(vectors[:, KEPT : KEPT + 6], scores, surely, strict=True):
        wanted = [row[list(one.classes)].sum() for one in read.terms if one.wanted]
        unwanted = [row[list(one.classes)].sum() for one in read.terms if not one.wanted]
        left_out = any(one < 0.05 for one in wanted) or any(one >= 0.2 for one in unwanted)
        expected = (
            0 if left_out else np.prod(wanted) ** (1 / max(len(wanted), 1)) * np.prod([1 - one for one in unwanted])
        )
        assert (found >= 0.4) == sure
        assert found == pytest.approx(max(expected, 0.4) if sure else min(expected, 0.4), abs=1e-5)
        assert sure == (all(one >= 0.4 for one in wanted) and all(one < 0.2 for one in unwanted))
