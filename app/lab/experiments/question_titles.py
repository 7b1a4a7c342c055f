"""Questions that the Lab offers, as a person reads them."""

from __future__ import annotations

from importlib import util

from app.lab.figures.figure import Words
from core.message import Message

_WORDS = {
    "rank": (
        Message("What does rank do to KLSH?"),
        Message("Few components estimate well, many hold more. Where is the best number?"),
    ),
    "method": (
        Message("Which method for my photos?"),
        Message("Hyperplanes, rotations and kernels with the same number of bits"),
    ),
    "bits": (
        Message("How many bits?"),
        Message("The length from which longer codes find no more"),
    ),
    "search": (
        Message("Which search structure?"),
        Message("Share of true results, time, and photos compared"),
    ),
    "edits": (
        Message("What do edits survive?"),
        Message("Searches with cropped, turned and recoloured copies"),
    ),
    "peers": (
        Message("What do indexes of other programs find?"),
        Message("Product quantisation, RaBitQ, ITQ and graphs of faiss, by recall, time and bytes"),
    ),
}


def question_title() -> dict[str, tuple[Message, Message]]:
    """Return each question that can be asked here as a sentence, and a hint about its answer."""
    return {name: words for name, words in _WORDS.items() if name != "peers" or util.find_spec("faiss")}


def question_with_title(question: str) -> Words:
    """Return a plan's question; one of those that are offered in every language."""
    known = {str(sentence): name for name, (sentence, _) in _WORDS.items()}
    return _WORDS[known[question]][0] if question in known else question
