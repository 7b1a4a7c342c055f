"""Experiment of a bench: data, methods and seeds, in a file that can be shared and repeated."""

from __future__ import annotations

import json
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any, get_args, get_type_hints

from app.bench.sweeps import every
from core.errors import TwinlensError
from core.files.untrusted_input import MOST_TOML, parse_toml, read_bytes, reading
from core.message import Message

_USUAL = ("lsh:bits=256", "itq:bits=64"), ("scan",)
_USUAL_OF_PARTITIONS = ("lsh:bits=256",), ("permuted",)
_USUAL_SHARES = (0.1,)
_NOUNS = {
    str: Message("text"),
    int: Message("whole numbers"),
    float: Message("numbers"),
    bool: Message("true or false"),
}
PEER = "faiss:"
"""Begins the text form of an index of faiss among the methods."""

_LEAST = dict.fromkeys(("k", "neighbours", "labelled", "asked", "bits", "marks"), 1)
_MOST = 2**31 - 1
_WRITE = Message("Write the file with the option --write of bench.")


@dataclass(frozen=True)
class Experiment:
    """An experiment of ``bench``.

    Attributes
    ----------
    base : str
        File of vectors, (n, d); ``FILE::NAME`` where it holds several arrays. Empty where `index` is given.
    queries : str
        Likewise; empty: some of the base are drawn, and never are their own answer.
    labels, query_labels : str
        A label for each vector of the base and for each query; empty for none.
    methods : tuple of str
        Text forms, or sweeps such as ``klsh:rank={16,64,256}``; also indexes of faiss,
        such as ``faiss:PQ16``. Empty: what is usual, see :meth:`complete`.
    search : tuple of str
        Text forms of search structures; each searches the codes of every method. Empty likewise.
    metric : str
        Text form of a metric that is found from the base, or a file with one; empty for none. Every method stands
        behind it.
    pairs : str
        File of pairs of rows of the base that a metric is learned from; empty for none.
    marks : tuple of int
        How many pairs are drawn for it by the labels, half of them similar, or how many of such a file count; several
        numbers, with `partitions` alone, for a table over them.
    truth : str
        ``l2``, ``cosine``, the text form of a kernel, ``metric``, ``radius:50`` or ``labels``; empty: the metric where
        there is one, else the first method's measure.
    map_protocol : str
        ``ranking``: average precision is that of the ranking by Hamming distance; ``candidates``: besides that, of the
        100 nearest (and all that are tied with the last of them), sorted again by their projections.
    seeds : tuple of int
        Each method is run once with each.
    query_count : int
        How many queries are drawn, or taken from the front of those that are given; 0 for all that are given.
    k : int
        How many neighbours vote.
    neighbours : int
        How many nearest each search is asked for: fewer let the bounds of exact search spare more.
    partitions : int
        Above 0: the base is parted so often into what asks and what is searched, and k-NN is measured before and after
        the metric, by a linear scan and hashed (:mod:`app.bench.partitions`). Such an experiment takes neither
        `queries` nor `truth`; the number of a partition is the seed of all that is drawn in it.
    bits : tuple of int
        Each method has each of these; empty for its own.
    labelled, asked : int
        Over partitions: items of each class of which pairs are drawn, and items that ask.
    epsilons : tuple of float
        There: each ``permuted`` has each of these; empty for its own.
    shares : tuple of float
        There: each search, besides as it is, looks at each of these shares of what is searched.
    scaled : bool
        There: every dimension is brought to mean 0 and variance 1 first.
    name : str
        Under which the Lab keeps it.
    question : str
        What it is to answer, in a sentence.
    index : str
        The index of a library whose stored vectors are the base, in place of `base`. Then `truth` may also be
        ``folders`` (photographs of one folder are right answers of each other), ``marks`` (those that are marked
        similar), or ``edits`` (edited copies ask for their photograph).
    edits : tuple of str
        Of the last, the names of the edits; empty for those that are usual.
    """

    base: str = ""
    queries: str = ""
    labels: str = ""
    query_labels: str = ""
    methods: tuple[str, ...] = ()
    search: tuple[str, ...] = ()
    metric: str = ""
    pairs: str = ""
    marks: tuple[int, ...] = ()
    truth: str = ""
    map_protocol: str = "ranking"
    seeds: tuple[int, ...] = (0,)
    query_count: int = 0
    k: int = 1
    neighbours: int = 100
    partitions: int = 0
    labelled: int = 20
    asked: int = 30
    bits: tuple[int, ...] = ()
    epsilons: tuple[float, ...] = ()
    shares: tuple[float, ...] = ()
    scaled: bool = False
    name: str = ""
    question: str = ""
    index: str = ""
    edits: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Refuse wrong types and numbers.

        Raises
        ------
        TwinlensError
        """
        for field in fields(self):
            value, usual = getattr(self, field.name), _TYPES[field.name]
            for one in value if isinstance(value, tuple) else (value,):
                if type(one) is not usual and not (usual is float and type(one) is int):
                    raise TwinlensError(
                        "{name} must hold {nouns}, not {one:.60}.",
                        _WRITE,
                        name=field.name,
                        nouns=_NOUNS[usual],
                        one=repr(one),
                    )
                if isinstance(one, int | float) and not _LEAST.get(field.name, 0) <= one <= _MOST:
                    least = _LEAST.get(field.name, 0)
                    raise TwinlensError(
                        "{name} must be from {least} to {most}, not {one:.60}.",
                        "Correct the value.",
                        name=field.name,
                        least=least,
                        most=_MOST,
                        one=repr(one),
                    )

    def complete(self) -> Experiment:
        """Return the experiment with default methods and search structures if it names none, and without sweeps."""
        methods, search = _USUAL_OF_PARTITIONS if self.partitions else _USUAL
        shares = _USUAL_SHARES if self.partitions and not (self.search or self.epsilons) else ()
        return self.changed(
            methods=every(self.methods or methods), search=every(self.search or search), shares=self.shares or shares
        )

    def to_toml(self) -> str:
        """Return the experiment as TOML."""
        return "".join(f"{field.name} = {_written(getattr(self, field.name))}\n" for field in fields(self))

    def changed(self, **values: Any) -> Experiment:
        """Return a copy with some fields changed, except for values of None."""
        return replace(self, **{name: value for name, value in values.items() if value is not None})


def _written(value: object) -> str:
    """Write a value as TOML."""
    if isinstance(value, tuple):
        return f"[{', '.join(_written(one) for one in value)}]"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")  # a basic string of TOML, too
    return str(value)


_TYPES: dict[str, type] = {
    name: get_args(hint)[0] if get_args(hint) else hint for name, hint in get_type_hints(Experiment).items()
}


def read_experiment(file: Path) -> Experiment:
    """Read an experiment file, with paths relative to it.

    Raises
    ------
    TwinlensError
        If the file is missing, not TOML, or has an unknown name.
    """
    with reading(file, Message("{file} is not an experiment", file=file), _WRITE):
        text = read_bytes(file, MOST_TOML).decode()
    return from_toml(text, file)


def from_toml(text: str, file: Path) -> Experiment:
    """Read an experiment from the text of a file, with paths relative to it.

    Raises
    ------
    TwinlensError
        If the text is not TOML, or has an unknown name.
    """
    with reading(file, Message("{file} is not an experiment", file=file), _WRITE):
        values = parse_toml(text)
    if not _names_data(values):
        raise TwinlensError(
            "{file} does not name its base.",
            'Write base = "vectors.npy", or index = "Automatic" for a library.',
            file=file,
        )
    known = {field.name: field.default for field in fields(Experiment)}
    for name, value in values.items():
        if name not in known:
            raise TwinlensError(
                "{file}: unknown name “{name}”. Choose one of: {known}.",
                "Check the spelling.",
                file=file,
                name=name,
                known=", ".join(known),
            )
        if isinstance(value, list):
            values[name] = tuple(value)
        elif isinstance(value, str) and isinstance(known[name], tuple):
            values[name] = (value,)
        elif name == "marks" and isinstance(value, int):
            values[name] = (value,) if value else ()
        if type(values[name]) is not type(known[name]):
            raise TwinlensError(
                "{file}: {name} must be like {written}.",
                "Correct the value.",
                file=file,
                name=name,
                written=_written(known[name]),
            )
    for name in ("base", "queries", "labels", "query_labels", "pairs"):
        if values.get(name):
            values[name] = str(file.parent / values[name])
    if is_file_of_metric(str(values.get("metric", ""))):
        values["metric"] = str(file.parent / values["metric"])
    return Experiment(**values)


def is_file_of_metric(text: str) -> bool:
    """Return whether a metric is the name of a file."""
    return Path(text).suffix.lower() in {".npy", ".npz"}


def _names_data(values: dict[str, Any]) -> bool:
    """Return whether the experiment names either a base or an index."""
    named = [values[name] for name in ("base", "index") if values.get(name)]
    return len(named) == 1 and isinstance(named[0], str)
