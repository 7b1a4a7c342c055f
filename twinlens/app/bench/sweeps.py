"""Sweeps: several declarations in one text, such as ``klsh:rank={16,64,256}``."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Mapping, Sequence

from twinlens.core.errors import DeclarationError

_CHOICE = re.compile(r"\{([^{}]*)\}")
_MOST = 1_000


def swept(text: str) -> list[str]:
    """Return the texts of a sweep, the last choice changing fastest; a text without choices as it is.

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
            "“{text}” has an unclosed brace.", "Write choices as klsh:rank={{16,64,256}}.", text=text
        )
    if any(not one for choice in choices for one in choice):
        raise DeclarationError("“{text}” has an empty choice.", "Write choices as klsh:rank={{16,64,256}}.", text=text)
    count = 1
    for choice in choices:
        count *= len(choice)
    if count > _MOST:
        raise DeclarationError(
            "“{short}” stands for {count} declarations.",
            "Give at most {most}.",
            short=_short(text),
            count=count,
            most=_MOST,
        )
    return [
        "".join(itertools.chain.from_iterable(itertools.zip_longest(fixed, chosen, fillvalue="")))
        for chosen in itertools.product(*choices)
    ]


def _short(text: str) -> str:
    return text if len(text) <= 60 else f"{text[:60]}…"


def every(texts: Iterable[str]) -> tuple[str, ...]:
    """Return the texts of several sweeps, each once, in order."""
    return tuple(dict.fromkeys(one for text in texts for one in swept(text)))


def taken_apart(text: str) -> tuple[str, dict[str, list[str]]] | None:
    """Split a sweep into its parts; None if a form cannot show it.

    Examples
    --------
    >>> taken_apart("klsh:rank={16,64},bits=64")
    ('klsh:rank=16,bits=64', {'rank': ['16', '64']})
    >>> taken_apart("lsh")
    ('lsh', {})
    >>> taken_apart("{lsh,itq}:bits=64") is None
    True
    >>> taken_apart("klsh:kernel=gaussian(gamma={1,2})") is None
    True
    """
    key, colon, rest = text.strip().partition(":")
    sweeps: dict[str, list[str]] = {}
    words = []
    for word in _words(rest):
        name, _, value = word.partition("=")
        if value.startswith("{") and value.endswith("}"):
            sweeps[name.strip()] = swept(value)
            words.append(f"{name}={sweeps[name.strip()][0]}")
        elif "{" in word or "}" in word:
            return None
        else:
            words.append(word)
    if "{" in key or "}" in key:
        return None
    return (f"{key}:{','.join(words)}" if colon else key), sweeps


def put_together(text: str, sweeps: Mapping[str, Sequence[str]]) -> str:
    """Return a declaration in which some parameters take several values, as text.

    Examples
    --------
    >>> put_together("klsh:bits=64,rank=16", {"rank": ["16", "64"], "samples": ["10", "20"]})
    'klsh:bits=64,rank={16,64},samples={10,20}'
    >>> put_together("lsh", {"bits": ["32"]})
    'lsh:bits=32'
    """
    key, _, rest = text.strip().partition(":")
    words = [word for word in _words(rest) if word.partition("=")[0].strip() not in sweeps or not sweeps[_name(word)]]
    known = [_name(word) for word in _words(rest)]
    places = sorted((known.index(name) if name in known else len(known), number) for number, name in enumerate(sweeps))
    names = list(sweeps)
    for place, number in places:
        values = sweeps[names[number]]
        if values:
            written = values[0] if len(values) == 1 else f"{{{','.join(values)}}}"
            words.insert(min(place, len(words)), f"{names[number]}={written}")
    return f"{key}:{','.join(words)}" if words else key


def _name(word: str) -> str:
    return word.partition("=")[0].strip()


def _words(rest: str) -> list[str]:
    """Split parameters at commas, except in brackets or braces."""
    words, depth, word = [], 0, ""
    for letter in rest:
        depth += (letter in "({") - (letter in ")}")
        if letter == "," and depth <= 0:
            words.append(word.strip())
            word = ""
        else:
            word += letter
    return [one for one in [*words, word.strip()] if one]
