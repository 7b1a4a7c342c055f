"""Folders against folders: pairs with the same pictures, and what is in one of them alone."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.app.duplicates.test_duplicates import save
from tests.app.folders import added
from tests.features.copies.bursts import rich
from twinlens.app.duplicates.duplicates import known_duplicates
from twinlens.app.duplicates.folder_comparison import folder_pairs, known_only_in, only_in_folder
from twinlens.app.duplicates.groups import GroupFilter
from twinlens.app.library.library import Library
from twinlens.core.errors import TwinlensError


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return folders: Photos with 1, 2 and 3, its backup with 1 and 2, and Other with a small copy of 3 and 4."""
    made = tmp_path_factory.mktemp("folders")
    for seed in (1, 2, 3):
        save(rich(seed), made / "Photos" / f"{seed}.jpg")
    shutil.copytree(made / "Photos", made / "Backup")
    (made / "Backup" / "3.jpg").unlink()
    save(rich(3)[::2, ::2], made / "Other" / "three.jpg")
    save(rich(4), made / "Other" / "4.jpg")
    added(made / "library.twinlens", made)
    return made


@pytest.fixture
def library(folder: Path) -> Iterator[Library]:
    """Return their library."""
    with Library.open(folder / "library.twinlens") as opened:
        yield opened


def test_folders_with_the_same_pictures_are_paired(library: Library, folder: Path) -> None:
    first, *_ = folder_pairs(library).pairs
    assert (first.first, first.second) == (str(folder / "Backup"), str(folder / "Photos"))
    assert (first.in_both, first.only_first, first.only_second, first.is_copy) == (2, 0, 1, True)


def test_what_is_in_one_folder_alone(library: Library, folder: Path) -> None:
    found = only_in_folder(library, folder / "Photos", folder / "Backup")
    assert (found.photographs, found.only_there) == (3, [str(folder / "Photos" / "3.jpg")])
    assert only_in_folder(library, folder / "Backup").only_there == []
    with pytest.raises(TwinlensError, match="No photo of the library lies in"):
        only_in_folder(library, folder / "Nowhere")
    photos, backup = (os.fsencode(folder / name) for name in ("Photos", "Backup"))
    assert len(known_only_in(library, photos, backup)) == 1
    assert known_only_in(library, backup, photos) == []


def test_groups_of_what_is_in_two_folders(library: Library, folder: Path) -> None:
    folder_pairs(library)
    found = known_duplicates(library)
    both = GroupFilter(folder=folder / "Photos", also_in=folder / "Backup")
    assert len(found.passing(both)) == 2
    assert not found.passing(both.changed(also_in=folder / "Nowhere"))
    assert len(found.passing(GroupFilter(also_in=folder / "Backup"))) == 2
