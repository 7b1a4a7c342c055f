"""Own notes: they count before what the files say, hold for every copy, survive moves, and are taken back."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.app.folders import Libraries
from twinlens.app.library.browsing.listing import ListingFilter, listing
from twinlens.app.library.browsing.photographs import photographs
from twinlens.app.library.ingest.adding import Adding, add
from twinlens.app.library.library import Library
from twinlens.app.notes.own_notes import add_keywords, put_back, set_notes
from twinlens.app.notes.photo_notes import SidecarFields, counted_notes, counted_place
from twinlens.app.search.search_options import Filters
from twinlens.app.search.search_space import passing
from twinlens.features.pictures.picture import Metadata
from twinlens.storage.photographs.photograph_listing import Filter

XMP = {"rating": 4, "keywords": ["Summer"], "title": "Beach", "place": "1.000000,2.000000"}
TAKEOUT = {"caption": "Grandma", "favourite": True, "keywords": ["Anna"], "place": "3.000000,4.000000"}


def test_fields_count_one_by_one() -> None:
    file = Metadata(rating=2, keywords=("Rome", "summer"), caption="Cake", frames=3)
    beside = SidecarFields(XMP, TAKEOUT, ("AAE",))
    assert SidecarFields.of_text(beside.text()) == beside
    found = counted_notes(file, beside, {"title": "", "favourite": False})
    assert found == Metadata(4, "", ("Summer", "Rome", "Anna"), "", "Cake", frames=3)
    assert counted_notes(file, None, {}) is file
    assert counted_notes(file, None, {"keywords": []}).keywords == ()
    assert counted_notes(Metadata(rating=-1), None, {"pick": 1}) == Metadata(pick=1)
    assert [counted_place(one, beside) for one in ("", "5.0,6.0")] == [XMP["place"]] * 2
    assert counted_place("5.0,6.0", SidecarFields(takeout=TAKEOUT)) == "5.0,6.0"
    assert counted_place("", SidecarFields(takeout=TAKEOUT)) == TAKEOUT["place"]


def test_notes_are_set_found_taken_back_and_survive_a_move(libraries: Libraries, tmp_path: Path) -> None:
    folder = libraries.changeable(6, path := tmp_path / "family.twinlens")
    shutil.copy(folder / "0002.jpg", folder / "copy.jpg")

    def chosen(library: Library, **choice: str | int) -> list[str]:
        listed = listing(library, choice=ListingFilter(**choice))  # type: ignore[arg-type]
        return sorted(one.name for one in photographs(library, listed.ids.tolist()))

    with Library.open(path) as library:
        add(library, [folder], Adding(workers=1))
        ids = {one.name: one.id for one in photographs(library)}
        set_notes(library, [ids["0001.jpg"], ids["0002.jpg"]], rating=4, label="Red")
        before = set_notes(library, [ids["0002.jpg"]], favourite=True, pick=-1, rating=None)
        assert chosen(library, rating=4) == ["0001.jpg"]
        assert chosen(library, label="red") == ["0001.jpg", "0002.jpg", "copy.jpg"]
        assert chosen(library, pick="favourite") == chosen(library, pick="rejected") == ["0002.jpg", "copy.jpg"]
        again = put_back(library, before)
        assert chosen(library, rating=4) == ["0001.jpg", "0002.jpg", "copy.jpg"]
        assert chosen(library, pick="favourite") == []
        put_back(library, again)
        add_keywords(library, [ids["0003.jpg"]], ["Places|Italy", "Räuber"])
        add_keywords(library, [ids["0003.jpg"]], ["Sea"], gone=["räuber"])
        assert chosen(library, words="italy sea") == ["0003.jpg"]
        assert chosen(library, words="rauber") == []
        (folder / "0003.jpg").rename(folder / "moved.jpg")
        add(library, [folder], Adding(workers=1))
        assert chosen(library, words="italy") == ["moved.jpg"]


@pytest.mark.parametrize("pick", ["favourite", "picked", "rejected"])
def test_searches_are_narrowed_by_notes(libraries: Libraries, tmp_path: Path, pick: str) -> None:
    with Library.open(libraries.copy(6, tmp_path / "family.twinlens")) as library:
        first, second, *_ = [one.id for one in photographs(library)]
        set_notes(library, [first], favourite=True, pick=1)
        set_notes(library, [second], pick=-1)
        with library.store.reading() as r:
            ids = r.photographs.matching(Filter())
            mask = passing(library, r, Filters(pick=pick), ids)  # type: ignore[arg-type]
        assert mask is not None
        assert ids[mask].tolist() == [second if pick == "rejected" else first]
