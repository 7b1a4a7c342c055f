"""The heights of rows by arithmetic are those of their layouts."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PySide6.QtGui import QFont

from twinlens.app.gui.duplicates.group_model import GroupShape
from twinlens.app.gui.duplicates.group_painting import GroupFonts, GroupLayout, RowHeights

WORDS = st.sampled_from(["", "Kept: largest.", "Wide " * 30, "写真 2020", "A copy that says more stays. " * 3])
COUNTS = st.tuples(*[st.integers(0, 9)] * 4).filter(any)
SHAPES = st.builds(
    lambda counts, headings, sentences, linked: GroupShape(
        counts, tuple(words if count else "" for count, words in zip(counts, headings, strict=True)), sentences, linked
    ),
    COUNTS,
    st.tuples(*[WORDS.filter(bool)] * 4),
    st.tuples(WORDS, WORDS),
    st.booleans(),
)


def layout(shape: GroupShape, width: int, tile: int, font: QFont) -> GroupLayout:
    fonts = GroupFonts.of(font)
    sections = ((count, words) for count, words in zip(shape.counts, shape.headings, strict=True) if count)
    made = tuple((count, fonts.heading_width(words)) for count, words in sections)
    return GroupLayout(width, tile, fonts, made, tuple(filter(None, shape.sentences)), shape.linked)


@pytest.mark.usefixtures("qapp")
@settings(max_examples=60, deadline=None)
@given(st.lists(SHAPES, max_size=30), st.integers(150, 2500), st.integers(100, 420))
def test_heights_by_arithmetic_are_those_of_layouts(shapes: list[GroupShape], width: int, tile: int) -> None:
    font = QFont()
    expected = [layout(shape, width, tile, font).height for shape in shapes]
    assert RowHeights(shapes).of(width, tile, font).tolist() == expected


@pytest.mark.usefixtures("qapp")
def test_a_sentence_is_wrapped_where_it_just_does_not_fit() -> None:
    sentences = "Kept: largest, with a few words more.", ""
    shape, font = GroupShape((1, 0, 0, 0), ("One", "", "", ""), sentences, False), QFont()
    for width in range(300, 1000):
        assert RowHeights([shape]).of(width, 150, font).tolist() == [layout(shape, width, 150, font).height]
