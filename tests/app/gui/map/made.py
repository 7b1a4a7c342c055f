"""Maps of photographs that were never taken."""

from __future__ import annotations

import numpy as np
from PySide6.QtWidgets import QApplication

from tests.app.gui.photo_grid.tables import jpeg
from twinlens.app.gui.map.colouring import by_cluster
from twinlens.app.gui.map.map_canvas import MapCanvas
from twinlens.app.map.map_groups import MOST
from twinlens.app.map.map_results import MapFacts, MapGroup, MapResult, PhotoCluster
from twinlens.core.embedding.plane import spacings_of_appearance
from twinlens.core.message import verbatim

FOLDERS = ("sea", "hills", "town")
GREY = jpeg("#5a5a5a", 120, 80)


def made_map(n: int, seed: int = 0, clusters: int = 3) -> MapResult:
    """Lay out photographs 10, 20, ... in round heaps."""
    random = np.random.default_rng(seed)
    middles = random.uniform(0.15, 0.85, (clusters, 2))
    which = np.arange(n) % clusters
    xy = np.clip(middles[which] + random.normal(0, 0.05, (n, 2)), 0, 1).astype(np.float32)
    sizes = np.bincount(which, minlength=clusters)
    words = [FOLDERS[number % len(FOLDERS)] for number in range(clusters)]
    named = tuple(
        PhotoCluster(verbatim(word), word, int(size), float(x), float(y))
        for word, size, (x, y) in zip(words, sizes, middles, strict=True)
    )
    ids = 10 * np.arange(1, n + 1)
    cluster = which.astype(np.int32)
    group = (which % MOST).astype(np.int32)
    counts = np.bincount(group, minlength=min(clusters, MOST)).tolist()
    groups = tuple(
        MapGroup(FOLDERS[number] if number < len(FOLDERS) else "", count, 10 * (number + 1))
        for number, count in enumerate(counts)
        if count
    )
    return MapResult(
        key="key", index="Automatic", measure=verbatim("cosine"), kind="neighbours", ids=ids, xy=xy,
        shown_at=spacings_of_appearance(xy), cluster=cluster, clusters=named, group=group, groups=groups,
        silent=0, placed=0, kept_neighbours=0.43, seconds=1.0, of=n,
    )  # fmt: skip


def made_facts(n: int, seed: int = 0) -> MapFacts:
    """Return what is known of them: three folders, dates in five years."""
    random = np.random.default_rng(seed)
    taken = (2019 + np.arange(n) % 5) * 10**10 + 5_14_11_08_00
    return MapFacts(
        folder=(np.arange(n) % len(FOLDERS)).astype(np.int32),
        folders=tuple(f"/home/me/Pictures/{name}" for name in FOLDERS),
        inner=tuple(f"Pictures/{name}" for name in FOLDERS),
        taken=taken.astype(np.int64),
        mark=np.zeros(n, np.int8),
        hashes=random.integers(0, 255, (n, 32), np.uint8, endpoint=True),
        away=np.zeros(n, np.bool_),
    )


def serve(canvas: MapCanvas) -> None:
    """Give a canvas grey pictures, whatever it wants."""

    canvas.pictures.wanted.connect(lambda wanted: canvas.pictures.take(dict.fromkeys(wanted, GREY)))


def still(canvas: MapCanvas) -> None:
    """Let everything arrive, and be painted with its pictures."""
    canvas.motion.finish()
    for _ in range(3):
        canvas.grab()
        QApplication.processEvents()
        for _ in range(50):
            canvas.pictures.work()
    canvas.grab()


def shown_canvas(n: int, size: tuple[int, int] = (600, 400)) -> MapCanvas:
    """Return a canvas with a map on it."""
    canvas = MapCanvas()
    canvas.resize(*size)
    serve(canvas)
    found = made_map(n)
    canvas.show_map(found, made_facts(n), by_cluster(found))
    return canvas
