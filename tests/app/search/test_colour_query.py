"""Which indexes answer colours, and what a photograph's main colours are."""

from __future__ import annotations

import numpy as np
import pytest

from app.search.index_choice import best_answering, can_answer, main_colours

SHAPES = "compact-vlad"
COLOURS = "colour"


def test_only_what_looks_at_colours_alone_can_answer() -> None:
    assert can_answer(COLOURS)
    assert not can_answer(SHAPES)


def test_histograms_of_colours_go_before_where_colours_are() -> None:
    indexes = [("A", SHAPES), ("B", "colour-layout"), ("C", COLOURS)]
    assert best_answering(indexes) == "C"
    assert best_answering(indexes[:2]) == "B"
    assert best_answering(indexes[:1]) == ""


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
