"""The words of the Experiments page that stand in more than one place."""

from __future__ import annotations

from app.gui.charts.figure_words import said
from app.lab.figures.figure import Figure
from app.language.spoken import _


def question_words(name: str) -> tuple[str, str]:
    """Return a question in words, and what its answer shows."""
    return {
        "rank": (
            _("What does rank do to KLSH?"),
            _("Few components estimate well, many hold more: where is the best?"),
        ),
        "method": (
            _("Which method for my photographs?"),
            _("Hyperplanes, rotations and kernels at the same number of bits."),
        ),
        "bits": (
            _("How many bits?"),
            _("From where on longer codes find no more."),
        ),
        "search": (
            _("Which search structure?"),
            _("How much of the truth is found, in what time, looking at how many."),
        ),
        "edits": (
            _("What do edits survive?"),
            _("Cropped, turned, recoloured copies look for their photograph."),
        ),
    }[name]


QUESTIONS = ("rank", "method", "bits", "search", "edits")


def question_of(text: str) -> str:
    """Translate the question of a plan, if it is one of those that are offered."""
    english = {
        "What does rank do to KLSH?": "rank",
        "Which method for my photographs?": "method",
        "How many bits?": "bits",
        "Which search structure?": "search",
        "What do edits survive?": "edits",
    }
    return question_words(english[text])[0] if text in english else text


def chip_words(figure: Figure) -> str:
    """Name a figure on its chip: shorter than its title."""
    return " · ".join(said(part) for part in figure.title.split(" against "))


def truth_words(truth: str) -> str:
    """Say what counts as right."""
    return {
        "": _("exact neighbours"),
        "folders": _("the same folder"),
        "marks": _("marked as similar"),
        "edits": _("edited copies"),
    }.get(truth, _("exact neighbours by {measure}", measure=truth))


def column_words(name: str) -> str:
    """Name a column of the table."""
    return {
        "recall@1": said("recall@1"),
        "recall@10": said("recall@10"),
        "recall@100": said("recall@100"),
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
    """Say what stands in a column."""
    return {
        "recall@1": _("Share of queries whose nearest photograph is the first by its code"),
        "recall@10": _("Share of queries whose nearest photograph is among the first 10"),
        "recall@100": _("Share of queries whose nearest photograph is among the first 100"),
        "map": _("Mean average precision of the ranking by codes"),
        "accuracy": _("Share of queries whose nearest photographs vote for the right label"),
        "overlap@10": _("Share of the true first 10 that the search finds, ranked exactly"),
        "fit": _("Seconds of learning"),
        "encode": _("Microseconds to encode a photograph"),
        "search": _("Milliseconds of a query, from its vector on"),
        "looked at": _("Candidates that are measured exactly, a query"),
        "bytes": _("Bytes of codes and lists, a photograph"),
    }[name]
