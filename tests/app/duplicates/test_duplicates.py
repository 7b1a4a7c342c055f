"""Duplicates are found: copies, near copies by codes as by comparing all with all; blank photographs are none."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from app.duplicates import duplicates
from app.duplicates.duplicates import find_duplicates
from app.library.library import Library
from core.errors import Cancelled, TwinlensError
from tests.app.folders import added, write_scene, write_scenes
from tests.app.made_library import EXACTLY, histograms, make

CODED = ("Coded", "colour:levels=1", "itq:bits=100", "scan")


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    rng = np.random.default_rng(0)
    vectors = histograms(200, seed=3)
    vectors[40:50] = vectors[30:40] * (1 + 0.02 * rng.random((10, vectors.shape[1])))
    vectors[60] = vectors[30] * (1 + 0.02 * rng.random(vectors.shape[1]))
    vectors[100:104] = 0
    vectors /= np.maximum(vectors.sum(axis=1, keepdims=True), 1e-9)
    with make(tmp_path_factory.mktemp("library") / "made.twinlens", vectors, (CODED, EXACTLY)) as opened:
        yield opened


def groups(library: Library, index: str, similarity: float) -> set[tuple[int, ...]]:
    found = find_duplicates(library, index, similarity)
    return {tuple(sorted(one.id for one in group.photographs)) for group in found.groups}


@pytest.mark.parametrize("similarity", [0.9, 0.97])
def test_codes_find_what_comparing_all_with_all_finds(library: Library, similarity: float) -> None:
    exactly = groups(library, "Exactly", similarity)
    assert groups(library, "Coded", similarity) == exactly
    together = {frozenset(group) for group in exactly}
    assert any({31, 41, 61} <= group for group in together)
    assert not any({101, 102, 103, 104} & group for group in together)


def test_every_group_says_how_alike_its_photographs_are(library: Library) -> None:
    found = find_duplicates(library, "Coded", 0.97)
    assert found.superfluous == sum(len(group.photographs) - 1 for group in found.groups)
    assert found.of == 200
    lengths = [len(group.photographs) for group in found.groups]
    assert lengths == sorted(lengths, reverse=True)
    for group in found.groups:
        similarities = [one.similarity for one in group.photographs]
        assert similarities[0] == 1.0
        assert similarities[1:] == sorted(similarities[1:], reverse=True)


def test_copies_and_smaller_ones_stand_behind_the_largest(tmp_path: Path) -> None:
    folder = tmp_path / "pictures"
    write_scenes(folder, 4)
    (folder / "copy.jpg").write_bytes((folder / "0001.jpg").read_bytes())
    write_scene(folder / "large.jpg", 2, 640, 480)
    added(tmp_path / "library.twinlens", folder)
    with Library.open(tmp_path / "library.twinlens") as library:
        found = find_duplicates(library, "Colours", 0.9)
        names = [[Path(one.path).name for one in group.photographs] for group in found.groups]
        assert ["0001.jpg", "copy.jpg"] in names
        assert ["large.jpg", "0002.jpg"] in names
        with pytest.raises(TwinlensError, match="cannot be"):
            find_duplicates(library, "Colours", 0.0)


def test_a_large_library_needs_codes(library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(duplicates, "WITHOUT_CODES", 100)
    with pytest.raises(TwinlensError, match="no codes"):
        find_duplicates(library, "Exactly", 0.9)


def test_it_can_be_cancelled(library: Library) -> None:
    def stop(done: float, total: float, text: object) -> None:
        raise Cancelled

    for index in ("Coded", "Exactly"):
        with pytest.raises(Cancelled):
            find_duplicates(library, index, 0.9, stop)
