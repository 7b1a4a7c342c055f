"""Adding photographs, against the least it can cost: read, decode, shrink, run the network and find keypoints."""

from __future__ import annotations

import io
import multiprocessing
import os
import shutil
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt
import psutil
from PIL import Image

from science.benchmarks.comparison import Peer, Run, SpeedComparison
from twinlens.app.demo.photographs import fetch_photographs
from twinlens.app.indexes.standard_indexes import best_descriptor
from twinlens.app.library.ingest import ingest
from twinlens.app.library.ingest.adding import Adding, add
from twinlens.app.library.library import Library
from twinlens.app.methods import catalogue
from twinlens.core.arrays import UInt8Pixels
from twinlens.core.message import Message
from twinlens.core.systems import system
from twinlens.features.fusion import FusionExtractor
from twinlens.features.keypoints.keypoints import cap_beside
from twinlens.features.keypoints.sift import CONTRAST
from twinlens.features.network.network import NetworkExtractor
from twinlens.features.pictures.picture import WORKING_SIDE, Picture, PictureFacts

FILES: dict[float, int] = {12: 150, 2: 500}
"""How many photographs of how many megapixels."""

QUICK_FILES: dict[float, int] = {12: 30, 2: 120}
MEMORY_FILES, QUICK_MEMORY_FILES = 2_000, 300
MEMORY_LIMIT = 1e9


def comparisons(quick: bool) -> Iterator[SpeedComparison]:
    """Yield the lines: time at two sizes of photographs, and memory."""
    rounds = 2 if quick else 3
    for megapixels, files in (QUICK_FILES if quick else FILES).items():
        arguments = {"files": files, "megapixels": megapixels}
        for figure, of, must, stretch in (
            ("wall", "", 1.15, 1.0),
            ("cpu", ", processor time of all processes", 1.15, 1.0),
            ("rate", ", photographs a second", 1 / 1.15, 1.0),
        ):
            yield SpeedComparison(
                f"add {files:,} photographs of {megapixels:g} megapixels{of}",
                "read + decode + shrink to 640 px + network + SIFT on the same cores",
                Peer(whole_add, arguments, warm_up=False),
                Peer(floor, arguments, warm_up=False),
                must,
                stretch,
                figure,
                at_most=figure != "rate",
                rounds=rounds,
                seconds=files * (1.6 if megapixels > 2 else 0.35),
            )
        for figure, against, must in (("cpu", "one pass", 1.1), ("searchable", "the whole of one pass", 0.6)):
            yield SpeedComparison(
                f"add {files:,} photographs of {megapixels:g} megapixels in two passes, processor time"
                f"{' until all can be searched' if figure == 'searchable' else ''}",
                against,
                Peer(whole_add, {**arguments, "passes": 2}, warm_up=False),
                Peer(whole_add, {**arguments, "passes": 1}, warm_up=False),
                must,
                1.0 if figure == "cpu" else 0.5,
                figure,
                at_most=True,
                rounds=rounds,
                seconds=files * (1.6 if megapixels > 2 else 0.35),
            )
    many = QUICK_MEMORY_FILES if quick else MEMORY_FILES
    yield SpeedComparison(
        f"memory of adding {many:,} photographs with 2 workers, all processes",
        "1 GB",
        Peer(memory_of_add, {"files": many}, warm_up=False),
        Peer(memory_limit),
        must=1.0,
        stretch=0.7,
        figure="memory",
        at_most=True,
        rounds=1,
        seconds=many / 7,
    )


def make_photographs(files: int, megapixels: float) -> Path:
    """Write different JPEGs, cut out of the demo photographs and enlarged; kept for the other peer and later runs."""
    photographs = fetch_photographs()
    folder = Path(tempfile.gettempdir()) / f"twinlens-benchmark-{files}-{megapixels:g}"
    if (folder / "done").exists():
        return folder / "photographs"
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "photographs").mkdir(parents=True)
    sources = sorted(one.path for one in photographs.photographs)
    rng = np.random.default_rng(0)
    height = round((megapixels * 1e6 / 1.5) ** 0.5)
    for number in range(files):
        with Image.open(photographs.folder / sources[number % len(sources)]) as image:
            whole = image.convert("RGB")
        left, top = rng.uniform(0, 0.3, 2) * whole.size
        cut = whole.crop((int(left), int(top), int(left + whole.width * 0.7), int(top + whole.height * 0.7)))
        grown = cv2.resize(np.asarray(cut), (round(height * 1.5), height), interpolation=cv2.INTER_CUBIC)
        grain = rng.integers(-6, 7, (256, 256, 3), np.int16)  # a camera's noise: without it JPEGs decode too fast
        tiled = np.tile(grain, (height // 256 + 1, grown.shape[1] // 256 + 1, 1))[:height, : grown.shape[1]]
        Image.fromarray(np.clip(grown + tiled, 0, 255).astype(np.uint8)).save(
            folder / "photographs" / f"{number:05}.jpg", quality=90
        )
    (folder / "done").touch()
    return folder / "photographs"


def whole_add(files: int, megapixels: float, passes: int = 0) -> Run:
    """Add the folder to a new library, as ``twinlens add`` does; in one pass or two where that is said."""
    folder = make_photographs(files, megapixels)
    if passes:
        ingest.TWICE = 1 if passes == 2 else files + 1

    def run() -> dict[str, float]:
        begun, searchable = _busy(), 0.0

        def progress(_done: float, _total: float, text: Message) -> None:
            nonlocal searchable
            if text == ingest.SEARCHABLE and not searchable:
                searchable = _busy() - begun

        with tempfile.TemporaryDirectory() as place, Library.open(Path(place) / "new.twinlens", create=True) as library:
            result = add(library, [folder], progress=progress)
            assert result.added == files, result
        return {"searchable": searchable or _busy() - begun}

    return lambda: _figures(run, files)


def floor(files: int, megapixels: float) -> Run:
    """Do the least with the same files, in as many processes."""
    paths = sorted(make_photographs(files, megapixels).iterdir())

    def run() -> None:
        with multiprocessing.get_context("spawn").Pool(system.processors(), _one_thread) as pool:
            for _ in pool.imap_unordered(_least, paths, 4):
                pass

    return lambda: _figures(run, files)


def _figures(run: Callable[[], dict[str, float] | None], files: int) -> dict[str, float]:
    """Return the processor time, with that of the processes which were started, and the photographs a second."""
    busy, began = sum(os.times()[:4]), time.perf_counter()
    own = run() or {}
    return {"cpu": sum(os.times()[:4]) - busy, "rate": files / (time.perf_counter() - began), **own}


def _busy() -> float:
    """Return the processor time of this process and of all that it has started, running or not."""
    running = [process.cpu_times() for process in psutil.Process().children(recursive=True)]
    return float(sum(os.times()[:4]) + sum(one.user + one.system for one in running))


def _one_thread() -> None:
    cv2.setNumThreads(1)


def _least(path: Path) -> None:
    image = Image.open(io.BytesIO(path.read_bytes()))
    image.draft("RGB", (WORKING_SIDE, 1) if image.width >= image.height else (1, WORKING_SIDE))
    working = _shrunk(np.asarray(image.convert("RGB")), WORKING_SIDE)
    for network in _networks():
        network.extract(Picture(working, None, PictureFacts("JPEG", *working.shape[1::-1])))
    # At the side, threshold and cap of ours: the floor does no more, and finds no less.
    cap = cap_beside(catalogue.descriptor(best_descriptor()).caps)
    grey = _shrunk(cv2.cvtColor(working, cv2.COLOR_RGB2GRAY), cap.side)
    cv2.SIFT.create(nfeatures=cap.keypoints, contrastThreshold=CONTRAST).detectAndCompute(grey, None)


@cache
def _networks() -> list[NetworkExtractor]:
    """Return the networks that a new library describes photographs by."""
    fitted = catalogue.descriptor(best_descriptor()).fit(lambda: ())
    assert isinstance(fitted, FusionExtractor)
    return [one for one in fitted.parts if isinstance(one, NetworkExtractor)]


def _shrunk(pixels: npt.NDArray[Any], side: int) -> UInt8Pixels:
    height, width = pixels.shape[:2]
    scale = side / max(height, width)
    size = round(width * scale), round(height * scale)
    return np.asarray(cv2.resize(pixels, size, interpolation=cv2.INTER_AREA), np.uint8)


def memory_of_add(files: int) -> Run:
    """Add with two workers, and give the most that all processes held together."""
    folder = make_photographs(files, 2)

    def run() -> dict[str, float]:
        most, done = 0.0, threading.Event()

        def watch() -> None:
            nonlocal most
            own = psutil.Process()
            while not done.is_set():
                most = max(most, sum(_pss(process) for process in (own, *own.children(recursive=True))))
                time.sleep(0.25)

        watcher = threading.Thread(target=watch)
        watcher.start()
        try:
            with (
                tempfile.TemporaryDirectory() as place,
                Library.open(Path(place) / "n.twinlens", create=True) as library,
            ):
                add(library, [folder], Adding(workers=2))
        finally:
            done.set()
            watcher.join()
        return {"memory": most}

    return run


def _pss(process: psutil.Process) -> float:
    """Return the memory of a process, with its share of what it shares."""
    try:
        full = process.memory_full_info()
    except psutil.Error:
        return 0.0
    return float(getattr(full, "pss", full.uss))


def memory_limit() -> Run:
    """Return the limit."""
    return lambda: {"memory": MEMORY_LIMIT}
