"""Sweeps: several declarations in one text, such as ``klsh:rank={16,64,256}``."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable

from core.errors import DeclarationError
from core.message import Message

_CHOICE = re.compile(r"\{([^{}]*)\}")
_MOST = 1_000


def swept(text: str) -> list[str]:
    """Return the texts that a sweep stands for, the last choice changing fastest; a text without choices alone.

    Raises
    ------
    DeclarationError
        If a brace is not closed, a choice is empty, or there are far too many.

    Examples
    --------
    >>> swept("klsh:rank={16,64},t={5,50}")
    ['klsh:rank=16,t=5', 'klsh:rank=16,t=50', 'klsh:rank=64,t=5', 'klsh:rank=64,t=50']
    >>> swept("{lsh,itq}:bits=64")
    ['lsh:bits=64', 'itq:bits=64']
    """
    if text.startswith('{"'):
        return [text]  # JSON, which names one declaration
    pieces = _CHOICE.split(text)
    fixed, choices = pieces[::2], [[one.strip() for one in piece.split(",")] for piece in pieces[1::2]]
    if any("{" in one or "}" in one for one in fixed):
        raise DeclarationError(
            Message("“{text}” has an unclosed brace.", text=text),
            Message("Write choices as klsh:rank={{16,64,256}}."),
        )
    if any(not one for choice in choices for one in choice):
        raise DeclarationError(
            Message("“{text}” has an empty choice.", text=text), Message("Write choices as klsh:rank={{16,64,256}}.")
        )
    count = 1
    for choice in choices:
        count *= len(choice)
    if count > _MOST:
        raise DeclarationError(
            Message("“{short}” stands for {count} declarations.", short=_short(text), count=count),
            Message("Give at most {most}.", most=_MOST),
        )
    return [
        "".join(itertools.chain.from_iterable(itertools.zip_longest(fixed, chosen, fillvalue="")))
        for chosen in itertools.product(*choices)
    ]


def _short(text: str) -> str:
    return text if len(text) <= 60 else f"{text[:60]}…"


def every(texts: Iterable[str]) -> tuple[str, ...]:
    """Return what some texts stand for, each once, in order."""
    return tuple(dict.fromkeys(one for text in texts for one in swept(text)))
