"""Albums: filled by hand or by a kept filter, changed and taken back, and a limit on listings and searches."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.app.folders import added, ids_by_name, write_scene, write_scenes
from twinlens.app.cli.main import main
from twinlens.app.library.browsing.albums import (
    LONGEST,
    AlbumChange,
    add_to_album,
    album_named,
    album_photographs,
    albums,
    delete_album,
    do_again,
    make_album,
    photographs_at,
    remove_from_album,
    rename_album,
)
from twinlens.app.library.browsing.listing import ListingFilter, listing
from twinlens.app.library.ingest.adding import rescan
from twinlens.app.library.library import Library
from twinlens.app.search.search_options import Filters
from twinlens.app.search.search_space import passing
from twinlens.core.errors import TwinlensError


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("albums")
    write_scenes(folder / "photos", 6)
    added(folder / "made.twinlens", folder / "photos")
    return folder


@pytest.fixture
def library(made: Path, tmp_path: Path) -> Iterator[Library]:
    shutil.copy(made / "made.twinlens", tmp_path / "own.twinlens")
    with Library.open(tmp_path / "own.twinlens") as opened:
        yield opened


def ids(library: Library) -> list[int]:
    found: list[int] = listing(library).ids.tolist()
    return sorted(found)


def held(library: Library, name: str) -> list[int]:
    found: list[int] = album_photographs(library, name).tolist()
    return found


def test_every_change_can_be_taken_back_and_done_again(library: Library) -> None:
    first, second, third, *_ = ids(library)
    steps: list[Callable[[], AlbumChange]] = [
        lambda: make_album(library, " Norway  2015 ", [first]),
        lambda: add_to_album(library, "Norway 2015", [first, second, third]),
        lambda: remove_from_album(library, "Norway 2015", [first]),
        lambda: rename_album(library, "Norway 2015", "Norge"),
        lambda: delete_album(library, "Norge"),
    ]
    states: list[list[tuple[str, list[int]]]] = [[]]
    changes = []
    for step in steps:
        changes.append(step())
        states.append([(one.name, held(library, one.name)) for one in albums(library)])
    assert states[1:] == [
        [("Norway 2015", [first])],
        [("Norway 2015", [first, second, third])],
        [("Norway 2015", [second, third])],
        [("Norge", [second, third])],
        [],
    ]
    for change, before in zip(reversed(changes), reversed(states[:-1]), strict=True):
        do_again(library, change.reversed())
        assert [(one.name, held(library, one.name)) for one in albums(library)] == before
    for change, after in zip(changes, states[1:], strict=True):
        do_again(library, change)
        assert [(one.name, held(library, one.name)) for one in albums(library)] == after


def test_a_kept_filter_finds_its_photographs_anew(library: Library) -> None:
    first, *_ = ids(library)
    chosen = make_album(library, "Chosen", [first])
    make_album(library, "Kept", search=ListingFilter(words="0", album="Chosen"))
    assert album_named(library, "Kept").search == ListingFilter(words="0", album="Chosen")
    before = held(library, "Kept")
    assert set(before) <= {first}
    add_to_album(library, "Chosen", ids(library))
    words = set(listing(library, choice=ListingFilter(words="0")).ids.tolist())
    assert set(held(library, "Kept")) == words
    for change in (add_to_album, remove_from_album):
        with pytest.raises(TwinlensError, match="kept search"):
            change(library, "Kept", [first])
    do_again(library, chosen.reversed())
    with pytest.raises(TwinlensError, match="no album “Chosen”"):
        held(library, "Kept")


@pytest.mark.parametrize("name", ["", "  ", "x" * (LONGEST + 1), "There"])
def test_names_that_are_none_or_taken_are_refused(library: Library, name: str) -> None:
    make_album(library, "There")
    other = make_album(library, "Other")
    with pytest.raises(TwinlensError):
        make_album(library, name)
    with pytest.raises(TwinlensError):
        rename_album(library, "Other", name)
    rename_album(library, "Other", "Other ")
    delete_album(library, "Other")
    make_album(library, "Other")
    with pytest.raises(TwinlensError, match="already"):
        do_again(library, other)
    with pytest.raises(TwinlensError, match="There are Other, There"):
        delete_album(library, "Neither")


def test_an_album_limits_searches(library: Library) -> None:
    first, second, *_ = every = ids(library)
    make_album(library, "Two", [second, first])
    with library.store.reading() as r:
        mask = passing(library, r, Filters(album="Two"), listing(library).ids.copy() * 0 + every)
        assert mask is not None
        assert [one for one, passes in zip(every, mask.tolist(), strict=True) if passes] == [first, second]
        with pytest.raises(TwinlensError, match="no album"):
            passing(library, r, Filters(album="Three"), listing(library).ids)


def test_photographs_stay_in_it_when_their_files_move_and_are_away_when_they_vanish(tmp_path: Path) -> None:
    folder = tmp_path / "photos"
    write_scene(folder / "a.jpg", 1)
    write_scene(folder / "b.jpg", 2)
    added(tmp_path / "own.twinlens", folder)
    with Library.open(tmp_path / "own.twinlens") as library:
        both = ids_by_name(tmp_path / "own.twinlens")
        make_album(library, "Both", list(both.values()))
        (folder / "later").mkdir()
        (folder / "a.jpg").rename(folder / "later" / "c.jpg")
        (folder / "b.jpg").unlink()
        rescan(library)
        found = listing(library, choice=ListingFilter(album="Both"))
        names = ids_by_name(tmp_path / "own.twinlens")
        assert names["c.jpg"] in found.ids.tolist()
        assert dict(zip(found.ids.tolist(), found.away.tolist(), strict=True)) == {
            names["c.jpg"]: False,
            both["b.jpg"]: True,
        }


def test_photographs_are_named_by_path_or_id(library: Library, made: Path) -> None:
    file = sorted((made / "photos").iterdir())[0]
    by_path = photographs_at(library, [file])
    assert photographs_at(library, by_path) == by_path
    for unknown in (10_000, made / "photos" / "none.jpg"):
        with pytest.raises(TwinlensError, match="no photo"):
            photographs_at(library, [unknown])


def test_commands(made: Path, tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    shutil.copy(made / "made.twinlens", tmp_path / "own.twinlens")

    def run(*words: str) -> tuple[int, str, str]:
        with pytest.raises(SystemExit) as left:
            main(["album", *words, "--library", str(tmp_path / "own.twinlens"), "-q"])
        told = capfdbinary.readouterr()
        return int(str(left.value)), told.out.decode(), told.err.decode()

    file = str(sorted((made / "photos").iterdir())[0])
    assert run("list")[1] == "The library has no albums.\n"
    assert run("add", "Mine", file)[1] == "“Mine” has 1 photo.\n"
    assert run("add", "Mine", file, "#2")[0] == 0
    assert file in run("list", "Mine")[1]
    assert run("keep", "Later", "--words", "0", "--orientation", "landscape")[0] == 0
    assert "words 0, orientation landscape" in run("list")[1]
    assert run("keep", "Nothing")[0] == 2
    assert run("keep", "Nothing", "--since", "May")[0] == 2
    assert '"changed": 1' in run("remove", "Mine", file, "--json")[1]
    assert run("rename", "Later", "Mine")[0] == 2
    assert run("rename", "Later", "Sooner")[0] == 0
    assert run("delete", "Sooner")[1] == "The album “Sooner” is deleted; its photos stay.\n"


def test_a_kept_search_with_an_impossible_date_still_opens() -> None:
    kept = '{"since": "2023-02-30", "until": "2024", "camera": "canon", "unknown": "x"}'
    assert ListingFilter.of_text(kept) == ListingFilter(until="2024", camera="canon")
