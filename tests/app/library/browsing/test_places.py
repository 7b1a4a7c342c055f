"""Places: the nearest town is shown and typed, and what lies near a place is found."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from tests.app.folders import empty_library
from tests.features.sample_pictures import encode, scene
from twinlens.app.library.browsing.listing import ListingFilter, listing
from twinlens.app.library.browsing.photographs import photographs
from twinlens.app.library.browsing.places import PlaceColumns, kilometres, place_of, town_near
from twinlens.app.library.ingest.adding import Adding, add
from twinlens.app.library.library import Library
from twinlens.app.search.search_options import Filters
from twinlens.app.search.search_space import passing
from twinlens.core.errors import TwinlensError
from twinlens.storage.photographs.photograph_listing import Filter

TOWNS = {
    "60.392990,5.324150": ("Bergen, Norway", "Bergen, Norwegen"),
    "60.305000,5.280000": ("Ytrebygda, Norway", "Ytrebygda, Norwegen"),
    "48.137430,11.575490": ("Munich, Germany", "München, Deutschland"),
    "41.900000,12.500000": ("Rome, Italy", "Rom, Italien"),
    "-33.856800,151.215300": ("Sydney, Australia", "Sydney, Australien"),
    "40.719000,-74.050000": ("Jersey City, United States", "Jersey City, Vereinigte Staaten"),
    "-16.500000,179.999000": None,
    "0.000000,-30.000000": None,
    "90.000000,0.000000": None,
}


@pytest.mark.parametrize("place", TOWNS)
def test_the_nearest_town(place: str) -> None:
    town = town_near(place)
    assert (None if town is None else (town.words(), town.words("de"))) == TOWNS[place]


@given(st.floats(-90, 90), st.floats(-180, 180), st.floats(-90, 90), st.floats(-180, 180), st.floats(0.001, 20_000))
def test_near_is_what_the_haversine_says(a: float, b: float, c: float, d: float, km: float) -> None:
    columns = PlaceColumns(np.array([[c, d], [np.nan, np.nan]]), None)  # type: ignore[arg-type]
    one, other = (math.radians(x) for x in (a, c))
    part = math.sin((other - one) / 2) ** 2 + math.cos(one) * math.cos(other) * math.sin(math.radians(d - b) / 2) ** 2
    apart = 2 * 6371 * math.asin(math.sqrt(min(1, part)))
    if abs(apart - km) > 1e-3:
        found = columns.near(f"{a:.9f},{b:.9f}", f"{km:.6f}km").tolist()
        assert found == [apart <= km, False]


@pytest.mark.parametrize("odd", ["", "1", "1 mile", "-1km", "1e3km", "km"])
def test_distances_that_are_none(odd: str) -> None:
    with pytest.raises(TwinlensError, match="no distance"):
        kilometres(odd)


def test_photographs_are_typed_and_found_by_their_place(tmp_path: Path) -> None:
    folder = tmp_path / "photographs"
    folder.mkdir()
    places = ((60.39, 5.32), (60.30, 5.33), (41.9, 12.5), None)  # Bergen, a suburb, Rome
    for seed, place in enumerate(places):
        exif = Image.Exif()
        if place is not None:
            exif.get_ifd(0x8825).update({1: "N", 2: (place[0], 0.0, 0.0), 3: "E", 4: (place[1], 0.0, 0.0)})
        (folder / f"{seed}.jpg").write_bytes(encode(scene(48, 32, seed), "JPEG", exif=exif.tobytes()))
    with Library.open(empty_library(tmp_path / "l.twinlens", "colour")) as library:
        add(library, [folder], Adding(workers=1))

        def chosen(**choice: str) -> list[str]:
            ids = listing(library, choice=ListingFilter(**choice)).ids.tolist()  # type: ignore[arg-type]
            with library.store.reading() as r:
                every = r.photographs.matching(Filter())
                if not choice.get("words"):
                    mask = passing(library, r, Filters(**choice), every)  # type: ignore[arg-type]
                    assert sorted(every[mask].tolist()) == sorted(ids), "a search narrows as the listing does"
            return sorted(one.name for one in photographs(library, ids))

        assert chosen(words="Bergen") == chosen(words="norwegen") == ["0.jpg", "1.jpg"]
        assert chosen(words="rom italy") == ["2.jpg"]
        first = next(one for one in photographs(library) if one.name == "0.jpg")
        assert chosen(near=f"#{first.id}") == chosen(near=first.path, within="5 km") == ["0.jpg"]
        assert chosen(near="60.39,5.32", within="20km") == ["0.jpg", "1.jpg"]
        assert chosen(near="60.39, 5.32", within="2500km") == ["0.jpg", "1.jpg", "2.jpg"]
        with library.store.reading() as r:
            for odd in ("#99", str(folder / "3.jpg"), "nowhere"):
                with pytest.raises(TwinlensError):
                    place_of(library, r, odd)
