"""The layout of a map: photographs in two dimensions, so that similar ones lie together by the measure of an index.

Principal components are there at once; an embedding that keeps neighbours together (:mod:`twinlens.core.embedding`)
starts from them. A map is kept in the cache folder under the key of what it was made from. Photographs that come later
are placed beside their nearest neighbours, until there are so many that the map is made anew.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import logging
import os
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from twinlens.app.bench.array_files import open_npz
from twinlens.app.indexes.loaded_index import IndexMeasure, index_measure
from twinlens.app.library.browsing.shown_concepts import ShownConcepts
from twinlens.app.library.library import Library
from twinlens.app.machine import app_folders
from twinlens.app.map.colourings import ClusterName, cluster_names, group_names, map_facts, map_subjects
from twinlens.app.map.map_groups import map_groups
from twinlens.app.map.map_results import (
    MapCluster,
    MapGroup,
    MapPoint,
    MapResult,
    MapSummary,
    PhotoCluster,
    subject_name,
)
from twinlens.app.map.map_settings import LayoutKind, MapSettings
from twinlens.core.arrays import Float32Vectors, Int64Rows
from twinlens.core.embedding import NeighbourEmbedding, neighbour_embedding
from twinlens.core.embedding.neighbour_lists import (
    COMPONENTS,
    EXACT_UP_TO,
    NeighbourLists,
    heaps,
    kept_neighbours,
    neighbour_lists,
)
from twinlens.core.embedding.plane import spacings_of_appearance
from twinlens.core.embedding.principal_plane import principal_coordinates
from twinlens.core.errors import TwinlensError
from twinlens.core.exact_search.measure import Measure
from twinlens.core.exact_search.measure_images import images_under, imaging
from twinlens.core.files import private_files
from twinlens.core.files.untrusted_input import parse_json, reading, shown
from twinlens.core.message import Message, verbatim
from twinlens.core.progress import Progress, part, silent
from twinlens.core.vectors import UnitRows, as_float32, unit_rows, unpack_vectors
from twinlens.storage.library.store import Transaction

Watch = Callable[[Int64Rows, Float32Vectors], None]
"""Called with photographs and their places in [0, 1]² while a map is made; may raise ``Cancelled``."""

_VERSION = 3  # of making maps; maps of another version are made anew
_ANEW_FROM = 0.2  # share of later photographs from which the map is made anew
_BESIDE = 5  # neighbours beside which a later photograph is placed
_TOGETHER = 0.05  # distance from the nearest of them within which the others count
_STEP_ASIDE = 0.0015  # so that it does not hide its neighbour for good
_MARGIN = 0.02
_CORNER = 0.05  # place of photographs whose vectors are zero
_BLOCK = 4096
_GOLDEN = np.pi * (3 - np.sqrt(5))


_USUAL = MapSettings()


def library_map(
    library: Library,
    wanted: MapSettings = _USUAL,
    anew: bool = False,
    progress: Progress = silent,
    watch: Watch | None = None,
) -> MapResult:
    """Lay the photographs of a library out in the plane.

    Parameters
    ----------
    anew : bool
        Make it anew where photographs have come, instead of placing these beside their nearest.
    watch : callable, optional
        Called with layouts while an embedding is made, the first one by principal components.

    Returns
    -------
    MapResult
        The same for the same photographs, index, kind and seed; kept, so that it is not made twice.

    Raises
    ------
    TwinlensError
        If there is no such index, it has nothing to measure yet.
    Cancelled
        If progress or ``watch`` says so.
    """
    began = time.perf_counter()
    with library.store.reading() as r:
        material = _material(r, part(progress, 0, 0.1), wanted)
    found = None if anew else _kept(library, material, wanted, part(progress, 0.1, 0.9), began)
    if anew:
        kept = load_map(library, material.manner, material.key)
        found = None if kept is None or kept.placed else kept
    if found is None:
        found = _made(library, material, wanted, part(progress, 0.1, 0.9), watch, began)
        keep_map(library, material.manner, material.key, found)
    progress(0.95, 1, Message("Naming clusters"))
    return _described(library, material, wanted.kind, found)


def _material(r: Transaction, progress: Progress, wanted: MapSettings) -> _Material:
    known = index_measure(r, wanted.index)
    ids = r.descriptors.ids(known.kind)
    of = len(ids)
    if wanted.sample is not None and wanted.sample < len(ids):
        ids = np.sort(np.random.default_rng(wanted.seed).choice(ids, wanted.sample, replace=False))
    hashes, telling = np.zeros(len(ids), np.uint64), np.zeros(len(ids), np.bool_)
    for start in range(0, len(ids), _BLOCK):
        progress(start, len(ids), Message("Reading vectors"))
        some = slice(start, start + _BLOCK)
        block, _ = r.descriptors.read(known.kind, ids[some])
        digests = b"".join(hashlib.blake2b(row.tobytes(), digest_size=8).digest() for row in block)
        hashes[some], telling[some] = np.frombuffer(digests, np.uint64), block.any(axis=1)
    manner = hashlib.sha256(
        json.dumps(
            [
                _VERSION,
                wanted.kind,
                NeighbourEmbedding().text(),
                known.kind.key,
                _measured_by(known),
                wanted.sample,
                wanted.seed,
            ]
        ).encode()
    ).hexdigest()
    h = hashlib.sha256(manner.encode())
    h.update(ids.tobytes())
    h.update(hashes.tobytes())
    return _Material(known, ids, of, hashes, telling, manner, h.hexdigest())


@dataclass(frozen=True, eq=False)
class _Material:
    """What a map is made of: photographs, and a hash of the vector of each; whether it tells anything."""

    index: IndexMeasure
    ids: Int64Rows
    of: int
    hashes: npt.NDArray[np.uint64]
    telling: npt.NDArray[np.bool_]
    manner: str
    key: str


def _measured_by(known: IndexMeasure) -> str:
    """Return a text of the measure of an index: equal texts mean equal distances."""
    if isinstance(known.measure, Measure):
        return known.measure.kernel.text()
    return known.measure.pack().digest().hex()


def _kept(
    library: Library, material: _Material, wanted: MapSettings, progress: Progress, began: float
) -> KeptMap | None:
    """Return the kept map, or an older one to which the few later photographs are added."""
    found = load_map(library, material.manner, material.key)
    if found is not None or wanted.kind == "pca":
        return found
    before = newest_map(library, material.manner)
    found = None if before is None else _grown(library, material, before, wanted.seed, progress, began)
    if found is not None:
        keep_map(library, material.manner, material.key, found)
    return found


def _grown(
    library: Library, material: _Material, before: KeptMap, seed: int, progress: Progress, began: float
) -> KeptMap | None:
    """Place later photographs of a map beside their nearest; None where there are too many of them."""
    places = np.searchsorted(before.ids, material.ids)
    places = np.minimum(places, max(len(before.ids) - 1, 0))
    if len(before.ids) == 0:
        return None
    same = (before.ids[places] == material.ids) & (before.vectors[places] == material.hashes)
    placed = before.placed + int((~same).sum())
    if not (same & material.telling).any() or placed > _ANEW_FROM * len(material.ids):
        return None
    if (~same & ~material.telling).any() and before.silent == 0:
        return None  # there is no corner for them in that map
    xy = np.zeros((len(material.ids), 2), np.float32)
    xy[same] = before.xy[places[same]]
    telling = material.telling
    if (~same & telling).any():
        own = np.flatnonzero(telling)
        x = _images(library, material, own, seed, part(progress, 0, 0.4))
        new, known = np.flatnonzero(~same[own]), np.flatnonzero(same[own])
        xy[own[new]] = _beside(x[new], x[known], xy[own[known]], part(progress, 0.4, 1))
    if (~same & ~telling).any():
        quiet = np.flatnonzero(~telling)
        xy[quiet] = np.array([_CORNER, 1 - _CORNER]) + (_CORNER - _MARGIN / 2) * _sunflower(len(quiet))
    return KeptMap(
        ids=material.ids,
        vectors=material.hashes,
        xy=xy,
        shown_at=spacings_of_appearance(xy, np.argsort(~same, kind="stable")),
        silent=int((~telling).sum()),
        placed=placed,
        kept_neighbours=before.kept_neighbours,
        seconds=time.perf_counter() - began,
    )


def _beside(new: Float32Vectors, known: Float32Vectors, xy: Float32Vectors, progress: Progress) -> Float32Vectors:
    """Return places for later photographs: the mean of their nearest that lie together, a little aside."""
    placed = np.empty((len(new), 2), np.float64)
    squares = np.square(known).sum(axis=1)
    step = max(1, (1 << 22) // len(known))
    for start in range(0, len(new), step):
        progress(start, len(new), Message("Placing new photos"))
        distances = squares - 2 * (new[start : start + step] @ known.T)
        count = min(_BESIDE, len(known))
        near = np.argpartition(distances, count - 1, axis=1)[:, :count]
        order = np.lexsort((near, np.take_along_axis(distances, near, axis=1)), axis=1)
        near = np.take_along_axis(near, order, axis=1)
        around = xy[near].astype(np.float64)
        together = np.abs(around - around[:, :1]).max(axis=2) <= _TOGETHER
        placed[start : start + step] = (around * together[:, :, None]).sum(axis=1) / together.sum(axis=1)[:, None]
    turn = np.arange(len(new)) * _GOLDEN
    placed += _STEP_ASIDE * np.stack([np.cos(turn), np.sin(turn)], axis=1)
    return np.clip(placed, 0, 1).astype(np.float32)


def _sunflower(count: int) -> npt.NDArray[np.float64]:
    """Return points that fill a disc of radius 1 evenly."""
    out = np.sqrt((np.arange(count) + 0.5) / max(count, 1))
    turn = np.arange(count) * _GOLDEN
    return np.stack([out * np.cos(turn), out * np.sin(turn)], axis=1)


def _made(
    library: Library, material: _Material, wanted: MapSettings, progress: Progress, watch: Watch | None, began: float
) -> KeptMap:
    telling = np.flatnonzero(material.telling)

    def laid_out(layout: Float32Vectors) -> Float32Vectors:
        return _fitted(layout, telling, len(material.ids))

    leading, lists, of = _measured(library, material, telling, wanted, part(progress, 0, 0.4))
    layout = leading[:, :2]
    if wanted.kind == "neighbours":
        if watch is not None:
            watch(material.ids, laid_out(layout))
        seen = None if watch is None else (lambda y: watch(material.ids, laid_out(y)))
        how, step = NeighbourEmbedding(), part(progress, 0.4, 0.9)
        layout = neighbour_embedding(leading, how, layout, wanted.seed, step, seen, lists)
    progress(0.9, 1, Message("Choosing what is shown first"))
    xy = laid_out(layout)
    return KeptMap(
        ids=material.ids,
        vectors=material.hashes,
        xy=xy,
        shown_at=spacings_of_appearance(xy),
        silent=len(material.ids) - len(telling),
        placed=0,
        kept_neighbours=kept_neighbours(lists, layout[of]),
        seconds=time.perf_counter() - began,
    )


def _measured(
    library: Library, material: _Material, rows: Int64Rows, wanted: MapSettings, progress: Progress
) -> tuple[Float32Vectors, NeighbourLists, Int64Rows]:
    """Return leading principal coordinates, and neighbours among which places; the vectors are not held any longer."""
    x = _images(library, material, rows, wanted.seed, part(progress, 0, 0.25))
    every, embedded = np.arange(len(x)), wanted.kind == "neighbours"
    leads = embedded and len(x) > EXACT_UP_TO and x.shape[1] > COMPONENTS
    leading = principal_coordinates(x, COMPONENTS if leads else 2, part(progress, 0.25, 0.5))
    step = part(progress, 0.5, 1)
    if embedded:
        known = leading if leads else None
        return leading, neighbour_lists(x, NeighbourEmbedding().neighbours, wanted.seed, step, leading=known), every
    some = every if len(x) <= _JUDGED else np.linspace(0, len(x) - 1, _JUDGED).astype(np.int64)
    return leading, neighbour_lists(x[some], _JUDGED_BY, wanted.seed, step), some


_JUDGED, _JUDGED_BY = 8_192, 10
"""Photographs of which is told how many neighbours a map keeps, and of how many, where the map does not need more."""


def _images(
    library: Library, material: _Material, rows: Int64Rows, seed: int, progress: Progress
) -> Float32Vectors | UnitRows:
    """Read photographs as the measure sees them; of very many there is no room for float32."""
    kind = material.index.kind
    packed = np.zeros((len(rows), kind.dimensions), kind.stored())
    with library.store.reading() as r:
        for start in range(0, len(rows), _BLOCK):
            progress(start, len(rows), Message("Reading vectors"))
            some = slice(start, start + _BLOCK)
            packed[some], _ = r.descriptors.read(kind, material.ids[rows[some]], verify=False, packed=True)
    measure = material.index.measure
    if packed.dtype == np.int8 and len(rows) > EXACT_UP_TO and imaging(measure) is unit_rows:
        return UnitRows(packed)  # they are their own images
    return images_under(measure, as_float32(unpack_vectors(packed)), seed, progress, overwrite=True)


def _fitted(layout: Float32Vectors, telling: Int64Rows, n: int) -> Float32Vectors:
    """Fit a layout into [0, 1]² with one scale; photographs whose vectors are zero go into the corner."""
    xy = np.zeros((n, 2), np.float32)
    room = 1 - 2 * _MARGIN
    if len(layout):
        low, high = layout.min(axis=0).astype(np.float64), layout.max(axis=0).astype(np.float64)
        extent = float((high - low).max())
        below = 2 * _CORNER if len(telling) < n else 0.0
        scale = (room - below) / extent if extent > 0 else 0.0
        centre = np.array([0.5, 0.5 - below / 2])
        xy[telling] = centre + scale * (layout - (low + high) / 2)
    quiet = np.ones(n, np.bool_)
    quiet[telling] = False
    if quiet.any():
        xy[quiet] = np.array([_CORNER, 1 - _CORNER]) + (_CORNER - _MARGIN / 2) * _sunflower(int(quiet.sum()))
    return xy


def _described(library: Library, material: _Material, kind: LayoutKind, found: KeptMap) -> MapResult:
    parted = heaps(found.xy)
    facts = map_facts(library, found.ids)
    with library.store.reading() as r:
        shown = ShownConcepts.of(r)
    names = cluster_names(parted.number, len(parted.summits), facts)
    subjects = map_subjects(parted.number, len(names), found.ids, shown)
    for number, subject in enumerate(subjects):
        if word := subject_name(subject, "en"):
            names[number] = ClusterName(verbatim(word), word)
    sizes = np.bincount(parted.number[parted.number >= 0], minlength=len(names)).tolist()
    clusters = tuple(
        PhotoCluster(*name, size, float(x), float(y), subject)
        for name, size, (x, y), subject in zip(names, sizes, parted.summits.tolist(), subjects, strict=True)
    )
    grouped = map_groups(found.xy, material.telling)
    groups = []
    of_groups = map_subjects(grouped.number, grouped.count, found.ids, shown)
    for number, one in enumerate(group_names(grouped.number, grouped.count, facts)):
        subject = of_groups[number]
        named = one.named if subject is None else shown.showing(subject, found.ids)
        typical = int(found.ids[grouped.typical(number, found.xy, named)])
        size = int((grouped.number == number).sum())
        groups.append(MapGroup(subject_name(subject, "en") or one.name, size, typical, subject))
    measure = material.index.measure
    return MapResult(
        key=material.key,
        index=material.index.row.name,
        measure=verbatim(measure.kernel.text())
        if isinstance(measure, Measure)
        else Message("metric {metric}", metric=material.index.row.metric_name),
        kind=kind,
        ids=found.ids,
        xy=found.xy,
        shown_at=found.shown_at,
        cluster=parted.number,
        clusters=clusters,
        group=grouped.number,
        groups=tuple(groups),
        silent=found.silent,
        placed=found.placed,
        kept_neighbours=found.kept_neighbours,
        seconds=found.seconds,
        of=material.of,
    )


def ready_map(
    library: Library,
    wanted: MapSettings = _USUAL,
    progress: Progress = silent,
) -> MapResult | None:
    """Return a map as :func:`library_map` does if that is quick: made before, with few later photographs; else None."""
    began = time.perf_counter()
    with library.store.reading() as r:
        material = _material(r, part(progress, 0, 0.6), wanted)
    found = _kept(library, material, wanted, part(progress, 0.6, 0.95), began)
    return None if found is None else _described(library, material, wanted.kind, found)


def map_summary(library: Library, found: MapResult) -> MapSummary:
    """Return the map photograph by photograph, as ``--json`` writes it."""
    with library.store.reading() as r:
        rows = {row.id: row for row in r.photographs.by_id(found.ids.tolist())}
        paths = dict(zip(rows, map(shown, library.paths(r, rows.values())), strict=True))
    points = [
        MapPoint(
            id=photograph,
            path=paths[photograph],
            x=round(x, 6),
            y=round(y, 6),
            cluster=str(found.clusters[cluster].name) if cluster >= 0 else "",
            taken="" if (date := rows[photograph].date) is None else date.written,
        )
        for photograph, (x, y), cluster in zip(
            found.ids.tolist(), found.xy.tolist(), found.cluster.tolist(), strict=True
        )
        if photograph in paths
    ]
    return MapSummary(
        index=found.index,
        measure=found.measure,
        kind=found.kind,
        photographs=len(found.ids),
        silent=found.silent,
        placed=found.placed,
        kept_neighbours=round(found.kept_neighbours, 4),
        seconds=round(found.seconds, 3),
        clusters=[MapCluster(name=one.name, photographs=one.photographs, x=one.x, y=one.y) for one in found.clusters],
        points=points,
    )


@dataclass(frozen=True, eq=False)
class KeptMap:
    """Places of photographs on a map, and the hash of each vector when it was placed.

    Attributes
    ----------
    ids : ndarray of int64, (n,)
        Ascending.
    vectors : ndarray of uint64, (n,)
        A hash of the vector of each.
    xy, shown_at : ndarray of float32, (n, 2) and (n,)
    """

    ids: Int64Rows
    vectors: npt.NDArray[np.uint64]
    xy: Float32Vectors
    shown_at: Float32Vectors
    silent: int
    placed: int
    kept_neighbours: float
    seconds: float


def load_map(library: Library, manner: str, key: str) -> KeptMap | None:
    """Return the map of a key, or None."""
    return _read(_folder(library) / _name(manner, key))


def _read(file: Path) -> KeptMap | None:
    """Read a map; None where it is damaged."""
    try:
        with reading(file, Message("{file} is no map", file=file)), open_npz(file) as arrays:
            numbers = parse_json(arrays["numbers"].tobytes())
            columns: dict[str, Any] = {name: arrays[name] for name in ("ids", "vectors", "xy", "shown_at")}
            n = len(columns["ids"])
            shapes = {"ids": (n,), "vectors": (n,), "xy": (n, 2), "shown_at": (n,)}
            if any(columns[name].shape != shape for name, shape in shapes.items()):
                return None
            return KeptMap(**columns, **numbers)
    except TwinlensError:
        return None


def _folder(library: Library) -> Path:
    return app_folders.cache_folder() / "maps" / library.store.id


def _name(manner: str, key: str) -> str:
    return f"{manner[:20]}-{key[:40]}.npz"


def newest_map(library: Library, manner: str) -> KeptMap | None:
    """Return the latest map of some manner, whatever its photographs; None where there is none."""
    files = sorted(_folder(library).glob(f"{manner[:20]}-*.npz"), key=_age)
    return next((found for file in reversed(files) if (found := _read(file)) is not None), None)


def _age(file: Path) -> tuple[int, str]:
    with contextlib.suppress(OSError):
        return file.stat().st_mtime_ns, file.name
    return 0, file.name


_KEPT = 24
"""Maps of one library that are kept; the oldest go."""

_FORGOTTEN_S = 3600.0
_log = logging.getLogger(__name__)


def keep_map(library: Library, manner: str, key: str, made: KeptMap) -> None:
    """Keep a map under a key; where it cannot be written, nothing fails."""
    folder = _folder(library)
    numbers = {
        "silent": made.silent,
        "placed": made.placed,
        "kept_neighbours": made.kept_neighbours,
        "seconds": made.seconds,
    }
    try:
        private_files.make_folder(folder)
        with tempfile.NamedTemporaryFile(dir=folder, suffix=".part", delete=False) as file:
            try:
                np.savez(
                    file,
                    ids=made.ids,
                    vectors=made.vectors,
                    xy=made.xy,
                    shown_at=made.shown_at,
                    numbers=np.frombuffer(json.dumps(numbers).encode(), np.uint8),
                )
                file.close()
                os.replace(file.name, folder / _name(manner, key))
            except BaseException:
                Path(file.name).unlink(missing_ok=True)
                raise
        before = 1e9 * (time.time() - _FORGOTTEN_S)
        left = [part for part in folder.glob("*.part") if _age(part)[0] < before]  # of programs that were killed
        for old in (*sorted(folder.glob("*.npz"), key=_age)[:-_KEPT], *left):
            old.unlink(missing_ok=True)
    except OSError as error:
        _log.warning("Maps are not kept in %s: %s", folder, error)
