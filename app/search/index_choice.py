"""The index that is searched where none is named: the default one, or one that knows words or compares colours.

For a search with the colours of a photograph, its main colours are found here, too.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from app.indexes.fitted_models import usable_indexes
from app.indexes.indexes import DEFAULT, default_row
from app.methods import catalogue
from app.search.search_query import SearchQuery
from core.arrays import UInt8Pixels
from core.errors import TwinlensError
from core.message import Message
from features.colour.colour_histogram import HsvHistogram
from features.query.words_and_colours import Colour, Palette, Phrase, accepts_colours, accepts_words, lacking_for_words
from storage.library.store import Transaction


def index_name_for(r: Transaction, name: str, query: SearchQuery) -> str:
    """Return the name of the index to search.

    Parameters
    ----------
    name : str
        Of an index, which is returned; or DEFAULT: for words an index that knows words, for colours one that compares
        colours, otherwise the default index.

    Raises
    ------
    TwinlensError
        If no index is named and none knows words.
    """
    if name != DEFAULT:
        return name
    words = any(isinstance(one.picture, Phrase) for one in query.examples)
    if not words and not any(one.sketch or isinstance(one.picture, Palette) for one in query.examples):
        return name
    default = default_row(r)
    others = [row for row in usable_indexes(r) if row.id != default.id]
    each = [(row.name, row.descriptor) for row in (default, *others)]
    if words:
        return _first_knowing_words(each)
    return best_for_colours(each[:1]) or best_for_colours(each[1:]) or name


def _first_knowing_words(indexes: Sequence[tuple[str, str]]) -> str:
    declared = [(name, catalogue.descriptor(text)) for name, text in indexes]
    found = next((name for name, one in declared if accepts_words(one)), None)
    if found is None:
        from features.network.text_network import BRING  # here, since few searches are in words

        # Somebody who has added an image network must learn what it lacks.
        lacking = [lacking_for_words(one) for _, one in declared if one.needs_a_file]
        raise TwinlensError(next(iter(lacking), Message("No index of this library can be searched with words.")), BRING)
    return found


_ROUNDS = 12
_LEAST_SHARE = 0.02
_APART = 28.0  # between two colours that are told apart, in steps of 0 to 255


def compares_colours_alone(descriptor: str) -> bool:
    """Return whether an index compares colours alone, and so can be searched with a palette or a sketch.

    Parameters
    ----------
    descriptor : str
        Text form of the index's descriptor.
    """
    return accepts_colours(catalogue.descriptor(descriptor))


def best_for_colours(indexes: Sequence[tuple[str, str]]) -> str:
    """Return the name of the index to search with colours, given names and descriptors; empty if there is none.

    Histograms come first: a palette says nothing about the places of colours.
    """
    able = [(name, descriptor) for name, descriptor in indexes if compares_colours_alone(descriptor)]
    whole = [name for name, descriptor in able if isinstance(catalogue.descriptor(descriptor), HsvHistogram)]
    return (whole or [name for name, _ in able] or [""])[0]


def main_colours(pixels: UInt8Pixels, most: int = 5) -> list[tuple[Colour, float]]:
    """Return the main colours of a picture.

    Colours are counted in 4,096 cells, and the cells are clustered by k-means that starts from colours far from each
    other. Rare colours are left out, near ones joined.

    Parameters
    ----------
    pixels : ndarray of uint8, (h, w, 3)
    most : int
        Largest number of colours.

    Returns
    -------
    list of (colour, share)
        The largest share first; they add up to 1. Empty for an empty picture.
    """
    flat = pixels.reshape(-1, 3)
    if not len(flat):
        return []
    cells = (flat >> 4).astype(np.int64) @ (256, 16, 1)
    counts = np.bincount(cells, minlength=4096).astype(np.float64)
    sums = np.stack([np.bincount(cells, flat[:, i], minlength=4096) for i in range(3)], axis=1)
    there = counts > 0
    weights, colours = counts[there], sums[there] / counts[there, None]
    centres = _starts(colours, weights, most)
    for _ in range(_ROUNDS):
        nearest = _distances(colours, centres).argmin(axis=1)
        total = np.bincount(nearest, weights, minlength=len(centres))
        moved = np.stack([np.bincount(nearest, weights * colours[:, i], len(centres)) for i in range(3)], axis=1)
        centres, total = moved[total > 0] / total[total > 0, None], total[total > 0]
    return _kept(centres, total / total.sum())


def _distances(one: npt.NDArray[np.float64], other: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    return np.asarray(np.sqrt(((one[:, None] - other[None]) ** 2).sum(axis=2)))


def _starts(colours: npt.NDArray[np.float64], weights: npt.NDArray[np.float64], most: int) -> npt.NDArray[np.float64]:
    """Return starts: the most frequent colour, then frequent ones far from those already chosen."""
    chosen = [int(weights.argmax())]
    while len(chosen) < min(most, len(colours)):
        away = _distances(colours, colours[chosen]).min(axis=1)
        chosen.append(int((away * np.sqrt(weights)).argmax()))
    return colours[chosen]


def _kept(centres: npt.NDArray[np.float64], shares: npt.NDArray[np.float64]) -> list[tuple[Colour, float]]:
    kept: list[tuple[npt.NDArray[np.float64], float]] = []
    for place in np.argsort(-shares, kind="stable"):
        twin = next((i for i, (one, _) in enumerate(kept) if np.linalg.norm(one - centres[place]) < _APART), None)
        if twin is not None:
            kept[twin] = (kept[twin][0], kept[twin][1] + float(shares[place]))
        elif not kept or shares[place] >= _LEAST_SHARE:
            kept.append((centres[place], float(shares[place])))
    total = sum(share for _, share in kept)
    kept.sort(key=lambda one: -one[1])
    return [((int(red), int(green), int(blue)), share / total) for (red, green, blue), share in _rounded(kept)]


def _rounded(kept: Sequence[tuple[npt.NDArray[np.float64], float]]) -> list[tuple[list[float], float]]:
    return [(np.rint(centre).tolist(), share) for centre, share in kept]
