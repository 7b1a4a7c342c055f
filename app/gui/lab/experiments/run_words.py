"""Texts of the Experiments page that several parts share."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from importlib import util
from typing import TYPE_CHECKING

from app.lab.figures.figure import Figure, written
from app.language.spoken import _, _n, text

if TYPE_CHECKING:
    from app.lab.experiments.results import LabRun


def question_words(name: str) -> tuple[str, str]:
    """Return a question as a sentence, and a hint about its answer."""
    return {
        "rank": (
            _("What does rank do to KLSH?"),
            _("Few components estimate well, many hold more. Where is the best number?"),
        ),
        "method": (
            _("Which method for my photos?"),
            _("Hyperplanes, rotations and kernels with the same number of bits"),
        ),
        "bits": (
            _("How many bits?"),
            _("The length from which longer codes find no more"),
        ),
        "search": (
            _("Which search structure?"),
            _("Share of true results, time, and photos compared"),
        ),
        "edits": (
            _("What do edits survive?"),
            _("Searches with cropped, turned and recoloured copies"),
        ),
        "peers": (
            _("What do indexes of other programs find?"),
            _("Product quantisation, RaBitQ, ITQ and graphs of faiss, by recall, time and bytes"),
        ),
    }[name]


QUESTIONS = ("rank", "method", "bits", "search", "edits", *(("peers",) if util.find_spec("faiss") else ()))


def question_of(text: str) -> str:
    """Return a plan's question, translated if it is one of the offered ones."""
    english = {
        "What does rank do to KLSH?": "rank",
        "Which method for my photographs?": "method",
        "How many bits?": "bits",
        "Which search structure?": "search",
        "What do edits survive?": "edits",
        "What do indexes of other programs find?": "peers",
    }
    return question_words(english[text])[0] if text in english else text


def chip_words(figure: Figure) -> str:
    """Return the name of a figure on its chip."""
    return str(written(figure, text).title)


def truth_words(truth: str) -> str:
    """Return the right results of a truth."""
    return {
        "": _("exact neighbours"),
        "folders": _("the same folder"),
        "marks": _("marked as similar"),
        "edits": _("edited copies"),
    }.get(truth, _("exact neighbours by {measure}", measure=truth))


def title_words(runs: Sequence[LabRun]) -> str:
    """Return the heading of some runs."""
    if len(runs) == 1:
        return question_of(runs[0].question) or runs[0].name
    return _n("{count} experiment side by side", "{count} experiments side by side", len(runs))


def data_words(runs: Sequence[LabRun]) -> str:
    """Return what a run measures; of several runs their names."""
    if len(runs) != 1:
        return ", ".join(run.name for run in runs)
    data = runs[0].data
    if data is None:
        return ""
    seeds = max((len(row.measured.seeds) for row in runs[0].rows), default=0)
    return " · ".join(
        [
            _n("{count} photo", "{count} photos", data.n),
            _("{name}, {dimensions} dimensions", name=runs[0].index or data.base, dimensions=data.d),
            *([_("metric {metric}", metric=data.metric)] if data.metric else []),
            _n("{count} query", "{count} queries", data.queries),
            _("right results: {meaning}", meaning=_right_words(data.truth)),
            _n("{count} seed", "{count} seeds", seeds),
        ]
    )


def _right_words(truth: str) -> str:
    if truth in ("folders", "marks"):
        return truth_words(truth)
    if truth == "edits":
        return _("the photos that were edited")
    return _("exact search by {truth}", truth=truth)


def apart_words(runs: Sequence[LabRun]) -> str:
    """Return a warning if runs measure different data, whose figures cannot be compared."""
    measured = {run.digest for run in runs if run.digest}
    if len(measured) < 2:
        return ""
    return _("These runs have different photos, queries or right results, so their curves cannot be compared.")


def moment_words(created: str) -> str:
    """Return the local time at which a run was made."""
    try:
        made = datetime.fromisoformat(created.replace("Z", "+00:00"))
    except ValueError:
        return created
    made = made if made.tzinfo is not None else made.replace(tzinfo=UTC)
    return _("{moment}", moment=made.astimezone())


def column_words(name: str) -> str:
    """Return the heading of a column."""
    return {
        "recall@1": "recall@1",
        "recall@10": "recall@10",
        "recall@100": "recall@100",
        "map": "mAP",
        "accuracy": _("accuracy"),
        "overlap@10": _("overlap@10"),
        "fit": _("fit s"),
        "encode": _("encode µs"),
        "search": _("search ms"),
        "looked at": _("looked at"),
        "bytes": _("bytes"),
    }[name]


def column_help(name: str) -> str:
    """Return the meaning of a column."""
    return {
        "recall@1": _("Share of queries whose nearest photo is first by its code"),
        "recall@10": _("Share of queries whose nearest photo is among the first 10"),
        "recall@100": _("Share of queries whose nearest photo is among the first 100"),
        "map": _("Mean average precision of the ranking by codes"),
        "accuracy": _("Share of queries whose nearest photos vote for the right label"),
        "overlap@10": _("Share of the true first 10 that the search finds"),
        "fit": _("Seconds of learning"),
        "encode": _("Microseconds to encode a photo"),
        "search": _("Milliseconds per query, from its vector on"),
        "looked at": _("Candidates compared exactly per query"),
        "bytes": _("Bytes of codes and lists per photo"),
    }[name]
