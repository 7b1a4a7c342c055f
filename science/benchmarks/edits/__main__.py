"""``python -m science.benchmarks.edits [DESCRIPTOR...] [--photographs N] [--base N] [--check N]``: who finds copies.

For every edit and descriptor, it prints which share of the copies has its photograph at the first place, and among the
first 10 and 50; with --check also after the geometric check of the first N; with --variants where queries are also
searched mirrored and in negative. The first run describes everything, which takes an hour; its vectors are kept.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from science.benchmarks.edits import edited_copies
from science.benchmarks.edits.edited_copies import OF, VARIANTS, declared, described
from science.benchmarks.edits.sources import sources
from twinlens.core.arrays import FloatArray
from twinlens.core.exact_search.measure import Measure
from twinlens.features.keypoints.geometric_check import CandidateCheck, order_candidates
from twinlens.features.keypoints.keypoints import Keypoints
from twinlens.features.pictures.edits import EDITS, FURTHER_EDITS

FIRST = (1, 10, 50)
_LEVELS = 512

Ranks = npt.NDArray[np.intp]


def ranks(distances: npt.NDArray[np.floating], truth: npt.NDArray[np.intp]) -> Ranks:
    """Count what is nearer than the true photograph, or as near and stands before it, (q, n), (q,) -> (q,)."""
    own = distances[np.arange(len(truth)), truth][:, None]
    before = (distances == own) & (np.arange(distances.shape[1])[None, :] < truth[:, None])
    return np.asarray((distances < own).sum(axis=1) + before.sum(axis=1))


def distances(text: str, queries: FloatArray, base: FloatArray) -> npt.NDArray[np.float64]:
    """Measure all queries against all of the base by the descriptor's own measure."""
    measure = Measure(declared(text).measure)
    return np.stack([measure.distances(query, base) for query in queries])


def checked(
    measured: npt.NDArray[np.floating],
    truth: npt.NDArray[np.intp],
    first: int,
    queries: dict[str, FloatArray],
    base: dict[str, FloatArray],
) -> Ranks:
    """Return the places of the true photographs after the geometric check of the first candidates."""
    found = np.array(ranks(measured, truth))
    for row in range(len(truth)):
        candidates = np.argsort(measured[row], kind="stable")[:first]
        check = CandidateCheck(keypoints(queries, row))
        results = check.each((keypoints(base, int(candidate)) for candidate in candidates), seconds=1e9)
        places = candidates[order_candidates(results, len(candidates))]
        if truth[row] in places:
            found[row] = int(np.flatnonzero(places == truth[row])[0])
    return found


def keypoints(of: dict[str, FloatArray], row: int) -> Keypoints:
    """Put the keypoints of one picture together."""
    count, (height, width) = int(of["counts"][row]), of["shapes"][row]
    longer = max(height, width)
    places, local = of["places"][row, :count], of["local"][row, :count].astype(np.float32)
    levels = np.minimum(np.rint(local * _LEVELS), 255).astype(np.uint8)
    middles = (places[:, :2] + 0.5 / longer).astype(np.float32)
    return Keypoints(width / longer, height / longer, middles, places[:, 2], places[:, 3], levels)


def table(columns: dict[str, Ranks], edits: Sequence[str], seen: npt.NDArray[np.bool_]) -> str:
    """Write recall at the first places, a line an edit, then the mean, and of photographs that were learned from."""
    every = np.arange(len(seen))
    rows = [("mean", every), ("  learned from", every[seen]), ("  never seen", every[~seen])]
    lines = [" " * 20 + "".join(f"{name[-22:]:>24}" for name in columns)]
    for name, chosen in [*((edit, every[row :: len(edits)]) for row, edit in enumerate(edits)), *rows]:
        figures = (
            "".join(f"{float((found[chosen] < first).mean()):7.3f}" for first in FIRST) for found in columns.values()
        )
        lines.append(f"{name:20}" + "".join(f"{figure:>24}" for figure in figures))
    return "\n".join(lines)


def tell(done: float, total: float, text: object) -> None:
    """Say how far it is."""
    print(f"  {done:,.0f} of {total:,.0f} {text}", file=sys.stderr, flush=True)


def main(arguments: list[str]) -> int:
    """Describe, measure, check and print."""
    parser = argparse.ArgumentParser(prog="python -m science.benchmarks.edits", description=__doc__)
    parser.add_argument("descriptors", nargs="*", default=["compact-vlad"])
    parser.add_argument("--photographs", type=int, default=60)
    parser.add_argument("--base", type=int, default=10_000)
    parser.add_argument("--check", type=int, default=0, metavar="N")
    parser.add_argument("--variants", action="store_true", help="ask mirrored and in negative, too")
    parser.add_argument("--further", action="store_true", help="the harder edits instead")
    chosen = parser.parse_args(arguments)
    found = sources(tell)
    edits = [edit.name for edit in (FURTHER_EDITS if chosen.further else EDITS)]
    both = [file for pair in zip(found.seen, found.unseen, strict=False) for file in pair][: chosen.photographs]
    base_lines = edited_copies.base(found, chosen.base)
    copies = edited_copies.copies(both, found.hosts, edits)
    asked = {text: [text, *(f"{variant}{OF}{text}" for variant in VARIANTS if variant)] for text in chosen.descriptors}
    texts = [name for names in asked.values() for name in (names if chosen.variants else names[:1])]
    queries, base = described(copies, texts, tell), described(base_lines, chosen.descriptors, tell)
    where = {line.file: row for row, line in enumerate(base_lines) if line.region is None}
    truth = np.array([where[line.file] for line in copies])
    columns: dict[str, Ranks] = {}
    for text in chosen.descriptors:
        measured = distances(text, queries[text], base[text])
        columns[text] = ranks(measured, truth)
        if chosen.check:
            columns[f"{text} + {chosen.check}"] = checked(measured, truth, chosen.check, queries, base)
        if chosen.variants:
            for name in asked[text][1:]:
                measured = np.minimum(measured, distances(text, queries[name], base[text]))
            columns[f"{text} variants"] = ranks(measured, truth)
            if chosen.check:
                columns[f"{text} variants + {chosen.check}"] = checked(measured, truth, chosen.check, queries, base)
    learned = set(found.seen)
    print(f"{len(both)} photographs x {len(edits)} edits among {len(base_lines):,} pictures; recall at {FIRST}")
    print(table(columns, edits, np.array([line.file in learned for line in copies])))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
