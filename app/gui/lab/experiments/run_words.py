"""The words of the Experiments page that stand in more than one place."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from app.gui.charts.figure_words import said
from app.lab.figures.figure import Figure

translate = QCoreApplication.translate


def question_words(name: str) -> tuple[str, str]:
    """Give a question in words, and what its answer shows."""
    return {
        "rank": (
            translate("LabQuestions", "What does rank do to KLSH?"),
            translate("LabQuestions", "Few components estimate well, many hold more: where is the best?"),
        ),
        "method": (
            translate("LabQuestions", "Which method for my photographs?"),
            translate("LabQuestions", "Hyperplanes, rotations and kernels at the same number of bits."),
        ),
        "bits": (
            translate("LabQuestions", "How many bits?"),
            translate("LabQuestions", "From where on longer codes find no more."),
        ),
        "search": (
            translate("LabQuestions", "Which search structure?"),
            translate("LabQuestions", "How much of the truth is found, in what time, looking at how many."),
        ),
        "edits": (
            translate("LabQuestions", "What do edits survive?"),
            translate("LabQuestions", "Cropped, turned, recoloured copies look for their photograph."),
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
        "": translate("LabTruth", "exact neighbours"),
        "folders": translate("LabTruth", "the same folder"),
        "marks": translate("LabTruth", "marked as similar"),
        "edits": translate("LabTruth", "edited copies"),
    }.get(truth, translate("LabTruth", "exact neighbours by {measure}").format(measure=truth))


def column_words(name: str) -> str:
    """Name a column of the table."""
    return {
        "recall@1": said("recall@1"),
        "recall@10": said("recall@10"),
        "recall@100": said("recall@100"),
        "map": "mAP",
        "accuracy": translate("LabTable", "accuracy"),
        "overlap@10": translate("LabTable", "overlap@10"),
        "fit": translate("LabTable", "fit s"),
        "encode": translate("LabTable", "encode µs"),
        "search": translate("LabTable", "search ms"),
        "looked at": translate("LabTable", "looked at"),
        "bytes": translate("LabTable", "bytes"),
    }[name]


def column_help(name: str) -> str:
    """Say what stands in a column."""
    return {
        "recall@1": translate("LabTable", "Share of queries whose nearest photograph is the first by its code"),
        "recall@10": translate("LabTable", "Share of queries whose nearest photograph is among the first 10"),
        "recall@100": translate("LabTable", "Share of queries whose nearest photograph is among the first 100"),
        "map": translate("LabTable", "Mean average precision of the ranking by codes"),
        "accuracy": translate("LabTable", "Share of queries whose nearest photographs vote for the right label"),
        "overlap@10": translate("LabTable", "Share of the true first 10 that the search finds, ranked exactly"),
        "fit": translate("LabTable", "Seconds of learning"),
        "encode": translate("LabTable", "Microseconds to encode a photograph"),
        "search": translate("LabTable", "Milliseconds of a query, from its vector on"),
        "looked at": translate("LabTable", "Candidates that are measured exactly, a query"),
        "bytes": translate("LabTable", "Bytes of codes and lists, a photograph"),
    }[name]
